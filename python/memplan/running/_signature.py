# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of a function in a program's text."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

from ..core import MemplanError

#: The dtype of numpy with the bytes of an element.
DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "bf16": "u2", "i64": "i8", "i32": "i4",
          "i16": "i2", "i8": "i1", "ui8": "u1", "i1": "u1", "index": "i8"}


@dataclass(frozen=True)
class Shaped:
    """A tensor or memref."""
    element: str
    #: None for a size that is known when the program runs.
    shape: Tuple[Optional[int], ...]
    #: The attributes of the argument, as text.
    attributes: str = ""

    @property
    def element_bytes(self) -> int:
        return int(DTYPES[self.element][1:])


@dataclass(frozen=True)
class Signature:
    arguments: Tuple[Shaped, ...]
    results: Tuple[Shaped, ...]


def parse_type(text: str) -> Shaped:
    """Reads "memref<?x4xf32, strided<...>>" or "tensor<4xi8>", with attributes behind it."""
    found = re.match(r"(?:memref|tensor)<((?:(?:\d+|\?)x)*)(\w+)[,>]", text)
    if not found or found.group(2) not in DTYPES:
        raise MemplanError(f"no program can be called with a value of the type {text[:80]}")
    shape = tuple(None if size == "?" else int(size) for size in found.group(1).split("x")[:-1])
    brace = text.find("{")
    return Shaped(found.group(2), shape, text[brace:] if brace >= 0 else "")


def split(text: str, start: int) -> Tuple[List[str], int]:
    """The parts between commas in the parentheses that open at `start`, and where they end."""
    parts: List[str] = []
    depth, first, quoted = 0, start + 1, False
    for place in range(start, len(text)):
        letter = text[place]
        if letter == '"' and text[place - 1] != "\\":
            quoted = not quoted
        elif quoted or text[place - 1:place + 1] == "->":
            continue
        elif letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
            if not depth:
                last = text[first:place].strip()
                return parts + ([last] if last else []), place + 1
        elif letter == "," and depth == 1:
            parts.append(text[first:place].strip())
            first = place + 1
    raise MemplanError("the program's text ends in the middle of a function")


def signature(text: str, entry: str) -> Signature:
    """Of the function @entry. Raises MemplanError for values that are no tensors or memrefs."""
    found = re.search(rf"^ *func\.func (?:public )?@{re.escape(entry)}\(", text, re.M)
    if not found:
        raise MemplanError(f"the program has no function @{entry}")
    given, end = split(text, found.end() - 1)
    arguments = tuple(parse_type(part.split(": ", 1)[1]) for part in given)
    behind = re.match(r" -> ", text[end:])
    if not behind:
        return Signature(arguments, ())
    end += behind.end()
    if text[end] == "(":
        returned, _ = split(text, end)
    else:
        returned = [text[end:text.index("\n", end)]]
    return Signature(arguments, tuple(parse_type(part) for part in returned))


def entry_lines(text: str, entry: str) -> Tuple[List[str], int, int]:
    """The lines of a program as MLIR prints it, and the numbers of the first and last one of @entry."""
    lines = text.split("\n")
    first = next((n for n, line in enumerate(lines)
                  if re.match(rf"  func\.func (public )?@{re.escape(entry)}\(", line)), None)
    if first is None:
        raise MemplanError(f"the program has no function @{entry}")
    last = next(n for n, line in enumerate(lines[first:], first) if line.startswith("  }"))
    return lines, first, last


def dtype_of(shaped: Shaped) -> Any:
    import numpy
    if shaped.element == "bf16":
        import ml_dtypes
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype("bool" if shaped.element == "i1" else DTYPES[shaped.element])
