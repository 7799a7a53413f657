# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""States of models: arguments that the model overwrites, such as caches.

In place, such an argument is a memref, of which the program makes a tensor and to which it writes the
tensor's new value: memplan-protect-arguments copies what is read after it is overwritten, and
bufferization writes the rest where it is.
"""
from __future__ import annotations

import dataclasses
import re
from typing import List, Sequence, Tuple

from ..core import MemplanError
from ..importers import Imported
from ..importers._model import Argument
from ._signature import Shaped, entry_lines, signature, split


def with_states(models: Sequence[Imported], states: Sequence[str] = ()) -> List[Imported]:
    """The models with their states in their arguments. `states` may have "results", so that new values are
    results and arguments keep their old ones, and pairs such as "past=present": an argument and the
    result that is its new value, beside what the models themselves say. A * in both stands for the same text.
    """
    modes = {word for word in states if word in ("in-place", "results")}
    if len(modes) > 1:
        raise MemplanError("states are in place or results, not both")
    for text in states:
        if text not in modes:
            models = _paired(models, text)
    place = _in_results if "results" in modes else _in_place
    return [imported if all(argument.new_value is None for argument in imported.arguments) else place(imported)
            for imported in models]


def _paired(models: Sequence[Imported], text: str) -> List[Imported]:
    given, equals, made = text.partition("=")
    if not equals or given.count("*") != made.count("*") or given.count("*") > 1:
        raise MemplanError(f"'{text}' is no state; expected is in-place, results, or the names of an argument "
                           "and a result, such as past=present or 'past.*=present.*'")
    pattern = re.compile("(.*)".join(map(re.escape, given.split("*"))))
    paired = []
    is_found = False
    for imported in models:
        arguments = list(imported.arguments)
        for n, argument in enumerate(arguments):
            match = pattern.fullmatch(argument.name)
            if not match:
                continue
            is_found = True
            result = made.replace("*", match.group(1)) if match.groups() else made
            if result not in imported.results:
                raise MemplanError(f"the model has no result '{result}'; it has "
                                   f"{', '.join(imported.results) or 'results without names'}")
            _check_sizes(imported, argument, result)
            arguments[n] = dataclasses.replace(argument, new_value=imported.results.index(result))
        paired.append(dataclasses.replace(imported, arguments=tuple(arguments)))
    if not is_found:
        known = ", ".join(a.name for imported in models for a in imported.arguments if not a.is_weight)
        raise MemplanError(f"the model has no argument '{given}'; it has {known}")
    return paired


def _check_sizes(imported: Imported, argument: Argument, result: str) -> None:
    """Free sizes of one place may be different ones, such as a length and the next one."""
    if not any(argument.sizes):
        return
    given, made = (imported.model.shape_of(name) if imported.model else () for name in (argument.name, result))
    if given != made or not all(given):
        shown = [f"[{', '.join(str(size or '?') for size in sizes)}]" for sizes in (given, made)]
        raise MemplanError(f"the argument '{argument.name}' has the sizes {shown[0]}, and its new value '{result}' "
                           f"{shown[1]}: a state has sizes that are known to be the same")


def _parts(text: str, entry: str) -> Tuple[List[str], int, int, List[str], List[str], str]:
    """All lines, the numbers of the function's first and last one, its parameters, the types of its
    results, and what is behind them."""
    lines, first, last = entry_lines(text, entry)
    head = lines[first]
    parameters, end = split(head, head.index("("))
    results: List[str] = []
    if head[end:].startswith(" -> ("):
        results, end = split(head, end + len(" -> "))
    elif head[end:].startswith(" -> "):
        start = end + len(" -> ")
        end = head.index(">", start) + 1
        results = [head[start:end]]
    return lines, first, last, parameters, results, head[end:]


def _without_marks(parameter: str, new: str = "") -> str:
    """The parameter without what the importer says of writing to it."""
    parameter = re.sub(r"(bufferization\.writable = false|memplan\.new_value = \d+ : i64)(, )?", new and f"{new}\\2", parameter)
    return re.sub(r" \{\}|(, )(?=\})", "", parameter)


def _in_results(imported: Imported) -> Imported:
    lines, first, _, parameters, results, rest = _parts(imported.text, imported.entry)
    for n, argument in enumerate(imported.arguments):
        if argument.new_value is not None:
            parameters[n] = _without_marks(parameters[n], "bufferization.writable = false")
    lines[first] = _head(imported.entry, parameters, results, rest)
    return dataclasses.replace(imported, text="\n".join(lines))


def _head(entry: str, parameters: Sequence[str], results: Sequence[str], rest: str) -> str:
    returned = f" -> ({', '.join(results)})" if results else ""
    return f"  func.func @{entry}({', '.join(parameters)}){returned}{rest}"


def _in_place(imported: Imported) -> Imported:
    _check(imported)
    lines, first, last, parameters, results, rest = _parts(imported.text, imported.entry)
    exit_ = next(n for n in range(last, first, -1) if re.match(r"    (func\.)?return\b", lines[n]))
    found = re.match(r"    (?:func\.)?return ([^:]*) : (.*)$", lines[exit_])
    values = [value.strip() for value in found.group(1).split(",")] if found else []
    place = re.search(r"( loc\(.*\))?$", lines[exit_])
    made, written = [], []
    names = {}
    for n, argument in enumerate(imported.arguments):
        if argument.new_value is None:
            continue
        name, kind = parameters[n].split(": ", 1)
        tensor = kind[:kind.index(">") + 1]
        memref = tensor.replace("tensor<", "memref<", 1)
        parameters[n] = f"{name}: {_without_marks(kind.replace(tensor, memref, 1))}"
        names[name] = f"%memplan_state{n}"
        made.append(f"    {names[name]} = bufferization.to_tensor {name} restrict writable : {memref} to {tensor}")
        written.append((argument.new_value, name, f"({tensor}, {memref}) -> ()"))
    body = "\n".join(lines[first + 1:exit_])
    used = re.compile(rf"({'|'.join(re.escape(name) for name in names)})(?![\w$.-])")
    lines[first + 1:exit_] = [*made, *used.sub(lambda name: names[name.group()], body).split("\n")]
    exit_ += len(made)
    values = [names.get(value, value) for value in values]
    states = {number for number, _, _ in written}
    left = [n for n in range(len(values)) if n not in states]
    lines[exit_] = "    return" + (f" {', '.join(values[n] for n in left)} : {', '.join(results[n] for n in left)}"
                                   if left else "") + (place.group() if place and place.group() else "")
    lines[exit_:exit_] = [f"    bufferization.materialize_in_destination {values[number]} in restrict writable "
                          f"{name} : {kind}" for number, name, kind in written]
    lines[first] = _head(imported.entry, parameters, [results[n] for n in left], rest)
    return dataclasses.replace(imported, text="\n".join(lines), is_in_place=True)


def _check(imported: Imported) -> None:
    """Refuses a state that its new value does not fit into, and one value for two states."""
    types = signature(imported.text, imported.entry)
    taken: List[int] = []
    for argument, kind in zip(imported.arguments, types.arguments):
        if argument.new_value is None:
            continue
        made = types.results[argument.new_value]
        if (made.element, made.shape) != (kind.element, kind.shape):
            raise MemplanError(f"the argument '{argument.name}' is {_shape(kind)}, and its new value {_shape(made)}: "
                               "a state has one shape")
        if argument.new_value in taken:
            raise MemplanError(f"result {argument.new_value} is the new value of two arguments")
        taken.append(argument.new_value)


def _shape(kind: Shaped) -> str:
    return f"{kind.element}[{', '.join('?' if size is None else str(size) for size in kind.shape)}]"
