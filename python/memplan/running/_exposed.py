# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on tensors that return values from their inside."""
from __future__ import annotations

import re
from typing import Dict, Sequence, Tuple

from ..core import MemplanError
from ._signature import entry_lines, parse_type, split

#: Ops that print the type of an operand.
_OF_OTHER_TYPE = re.compile(r" = (tensor\.(dim|extract|rank)|arith\.cmp[fi])\b")
_TENSOR = re.compile(r"tensor<[^<>]*>")


def values_by_place(text: str, entry: str) -> Dict[str, Tuple[str, str]]:
    """For each name in the locations of @entry the last value with it, and the value's type: what the
    ops of one node of a model compute in the end."""
    lines, first, last = entry_lines(text, entry)
    # The text has one name before the next: a fused location counts by its first one.
    places = {alias: name for alias, name in re.findall(r'^(#loc\d*) = loc\([^"\n]*"([^"\n]*)"', text, re.M)}
    # An op of an inlined function: "jit(f)/jit(relu)" and "max".
    for alias, callee, caller in re.findall(r"^(#loc\d*) = loc\(callsite\((#loc\d+) at (#loc\d+)\)\)", text, re.M):
        if callee in places and caller in places:
            places[alias] = f"{places[caller]}/{places[callee]}"
    found: Dict[str, Tuple[str, str]] = {}
    value = ""
    for line in lines[first + 1:last]:
        begun = re.match(r"    (%[\w$.-]+) = ", line)
        if begun:
            value = "" if _OF_OTHER_TYPE.search(line) else begun.group(1)
        elif re.match(r"    [^\s}^]", line):
            value = ""  # An op without results.
        place = re.search(r' loc\((?:"([^"]*)"|(#loc\d*))', line)
        if not value or not place or not re.match(r"    [%}]", line):
            continue
        name = place.group(1) or places.get(place.group(2) or "", "")
        types = _TENSOR.findall(line)
        if name and types and not line.rstrip().endswith("{"):
            found[name] = (value, types[-1])
    return found


def exposing(text: str, entry: str, values: Sequence[Tuple[str, str]]) -> str:
    """The program that returns these values, with their types, and nothing else."""
    lines, first, last = entry_lines(text, entry)
    head = lines[first]
    _, end = split(head, head.index("("))
    place = next(n for n in range(last, first, -1) if lines[n].startswith("    return"))
    kinds = ", ".join(kind for _, kind in values)
    lines[first] = f"{head[:end]} -> ({kinds}) {{"
    lines[place] = f"    return {', '.join(value for value, _ in values)} : {kinds}"
    return "\n".join(lines)


def is_comparable(kind: str, shape: Sequence[int], width: int) -> bool:
    """True of a type that an array of this shape with elements of `width` bytes may have."""
    try:
        held = parse_type(kind)
    except MemplanError:
        return False
    sizes = held.shape
    return held.element_bytes == width and len(sizes) == len(shape) and all(size in (None, given) for size, given in zip(sizes, shape))
