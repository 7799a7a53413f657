# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What importers take and return."""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from ..core import MemplanError

#: Constants of floats of at least so many elements become arguments of the program.
LEAST_ELEMENTS = 9


class ImportFailure(MemplanError):
    """A model that cannot be imported; the text names what is in the way."""

    #: The ops that may be in the way, such as "torch.aten.histc".
    ops: Sequence[str] = ()
    #: Where the first of them is.
    place: str = ""


@dataclass(frozen=True)
class FreeSize:
    """A size that is known when the program runs."""
    name: str
    least: int = 0
    #: None where there is no greatest value.
    greatest: Optional[int] = None
    #: Values to plan for.
    hints: Tuple[int, ...] = ()
    #: A number of which it is a multiple.
    multiple: int = 1


@dataclass(frozen=True)
class Argument:
    """An argument of the imported program."""
    #: Of a weight, its path in the model.
    name: str
    is_weight: bool = False
    #: By dimension; None for a constant size.
    sizes: Tuple[Optional[FreeSize], ...] = ()
    #: The number of the result that is its new value, if the model overwrites it: the
    #: program may then write this value, and nothing else, in place. Bufferization must
    #: not use the memory of other arguments for its own values.
    new_value: Optional[int] = None


@dataclass(frozen=True)
class Imported:
    """A program of linalg on tensors."""
    text: str = field(repr=False)
    entry: str
    arguments: Tuple[Argument, ...]
    #: Of all results, the new values of arguments among them.
    results: Tuple[str, ...] = ()
    #: The model in its framework, a running.models.Model; None where there is none.
    model: Any = field(default=None, repr=False, compare=False)
    #: True if arguments with a new value are memrefs that have it after a call, and it is not returned.
    is_in_place: bool = False


@dataclass(frozen=True)
class InputSpec:
    """The type of an example argument."""
    dtype: str
    sizes: Tuple[Union[int, FreeSize], ...]

    def example_sizes(self, examples: Dict[str, int]) -> Tuple[int, ...]:
        """The sizes, with a different example (2 or more) for each name."""
        result = []
        for size in self.sizes:
            if isinstance(size, FreeSize):
                if size.name not in examples:
                    least = max(2, size.least)
                    hint = next((value for value in size.hints if value >= 2), 0)
                    value = hint or max(least, 3 + 2 * len(examples))
                    if size.greatest is not None:
                        value = max(least, min(value, size.greatest))
                    examples[size.name] = value
                size = examples[size.name]
            result.append(size)
        return tuple(result)


DTYPES = ("f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u8", "bool")


#: The hints of a size in an input. A blank behind a comma ends them.
_HINTS = re.compile(r"=\s*[0-9]+(?:[/,][0-9]+)*")


def explain_hints(inputs: Sequence[str]) -> str:
    """What a text such as "f32[B=2,8]", which may be meant otherwise, was taken for."""
    taken = [found for text in inputs for found in _HINTS.findall(text) if "," in found]
    if not taken:
        return ""
    first, rest = taken[0].split(",", 1)
    return (f"; '{taken[0]}' was read as sizes to plan for: write '{first}, {rest}' if the next size "
            f"is {rest.split(',')[0]}")


def parse_input(text: str) -> InputSpec:
    """Reads "f32[1, B, S:2..2048]"; B=2 or S:2..2048=16,512 are sizes to plan for.

    Numbers that follow each other without a blank are sizes to plan for: f32[B=2,8] has
    one dimension, f32[B=2, 8] has two. "=2/8" is the same as "=2,8".
    """
    match = re.fullmatch(r"\s*(\w+)\s*\[(.*)\]\s*", text)
    if not match or match.group(1) not in DTYPES:
        raise ImportFailure(f"'{text}' is not an input; expected is a type such as "
                            f"f32[1, B, S:2..2048], of {', '.join(DTYPES)}")
    dimensions = _HINTS.sub(lambda hints: hints.group().replace(",", "/"), match.group(2))
    sizes: list[Union[int, FreeSize]] = []
    for word in filter(None, (word.strip() for word in dimensions.split(","))):
        # At most 18 digits, so that the number has 64 bits.
        if re.fullmatch(r"[0-9]{1,18}", word):
            sizes.append(int(word))
            continue
        free = re.fullmatch(
            r"([A-Za-z_]\w*)(?:\s*:\s*([0-9]{1,18})\s*\.\.\s*([0-9]{1,18})?)?"
            r"(?:\s*=\s*([0-9]{1,18}(?:/[0-9]{1,18})*))?", word)
        size = free and FreeSize(free.group(1), int(free.group(2) or 0),
                                 int(free.group(3)) if free.group(3) else None,
                                 tuple(map(int, free.group(4).split("/"))) if free.group(4) else ())
        if not size or (size.greatest is not None and size.greatest < size.least):
            raise ImportFailure(f"'{word}' in '{text}' is no size; expected is a number, a name or "
                                "a name with its range, such as S:2..2048, or with sizes to plan "
                                "for, such as S:2..2048=16,512")
        for hint in size.hints:
            if hint < size.least or (size.greatest is not None and hint > size.greatest):
                raise ImportFailure(f"'{word}' in '{text}': {hint} is not within the range"
                                    f"{explain_hints([text])}")
        sizes.append(size)
    return InputSpec(match.group(1), tuple(sizes))


def _quoted(text: str) -> str:
    """A string of MLIR."""
    return '"' + re.sub(r'["\\\x00-\x1f\x7f]', lambda found: f"\\{ord(found.group()):02X}", text) + '"'


def attributes_of(argument: Argument) -> Dict[str, Any]:
    """The attributes of plan-memory for the argument, as text."""
    result = {"bufferization.writable": "false"} if argument.new_value is None else {
        "memplan.new_value": f"{argument.new_value} : i64"}
    if not any(argument.sizes):
        return result
    names = ", ".join(_quoted(size.name if size else "") for size in argument.sizes)
    result["memplan.dim_names"] = f"[{names}]"
    bounds: list[int] = []
    for size in argument.sizes:
        bounds += [0, -1, 1] if size is None else [
            size.least, -1 if size.greatest is None else size.greatest, size.multiple]
    if any(size and (size.least > 0 or size.greatest is not None or size.multiple > 1)
           for size in argument.sizes):
        result["memplan.dim_bounds"] = f"array<i64: {', '.join(map(str, bounds))}>"
    # A size with fewer hints keeps its last one.
    count = max(len(size.hints) if size else 0 for size in argument.sizes)
    hints = [", ".join(str(size.hints[min(number, len(size.hints) - 1)])
                       if size and size.hints else "0" for size in argument.sizes)
             for number in range(count)]
    if hints:
        lists = ", ".join(f"array<i64: {hint}>" for hint in hints)
        result["memplan.dim_hints"] = lists if count == 1 else f"[{lists}]"
    return result

