# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model as an object file, with a header for C and the same as JSON."""
from __future__ import annotations

import dataclasses
import json
import os
import re
import tempfile
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..core import MemplanError
from ..importers import Imported
from ..importers._model import Argument
from ..program import Program, plan, run_pipeline
from . import toolchain
from ._header import header
from ._shared import ALIGNMENT, Weights
from ._signature import Shaped, Signature, signature
from ._states import with_states
from .compiled import unnamed



@dataclass(frozen=True)
class Value:
    """An input, a result or a weight."""
    #: In C; `label` is the name in the model.
    name: str
    label: str
    kind: Shaped
    #: The names of free sizes, by dimension; "" for a constant one, "?" for one that the program computes.
    sizes: Tuple[str, ...]
    #: Of a weight, its place in the file or object.
    offset: int = 0
    #: Of a result: in memory of the caller from the beginning; else it is copied there.
    is_placed: bool = True
    #: Of an input or weight: it has a new value after the call.
    is_state: bool = False
    #: Of a weight: some function or the caller writes to it.
    is_written: bool = False
    #: Of a result: the label of the input or weight whose new value it is.
    new_value_of: str = ""
    #: Its bytes in the free sizes, where they are known.
    formula: str = ""

    @property
    def bytes(self) -> Optional[int]:
        product = self.kind.element_bytes
        for size in self.kind.shape:
            if size is None:
                return None
            product *= size
        return product


@dataclass(frozen=True)
class Interface:
    """What C has to know of a function."""
    name: str
    #: By argument of the program; None for the arena.
    arguments: Tuple[Optional[Value], ...]
    inputs: Tuple[Value, ...]
    results: Tuple[Value, ...]
    weights: Tuple[Value, ...]
    #: The free sizes: name in C, and name, least, greatest (None: any) and multiple.
    sizes: Tuple[Tuple[str, str, int, Optional[int], int], ...]
    #: None where it depends on sizes; then `arena_sizes` are those that it depends on, in the order of
    #: the function that computes it.
    arena_bytes: Optional[int]
    arena_alignment: int
    arena_formula: str
    arena_sizes: Tuple[str, ...]
    #: At the greatest sizes, where all have one.
    greatest_arena_bytes: Optional[int]
    #: None where they depend on sizes.
    ram_bytes: Optional[int]
    #: Without the weights.
    rom_bytes: int

    @property
    def needs_arena(self) -> bool:
        """True if the arena is an argument of the program."""
        return None in self.arguments


@dataclass(frozen=True)
class Built:
    """Functions that never run at once, and what they share."""
    name: str
    functions: Tuple[Interface, ...]
    #: "argument", "global" or "heap".
    arena: str
    #: "file" or "object".
    weights_kind: str
    weight_bytes: int
    weights_are_written: bool

    @property
    def has_arena(self) -> bool:
        return any(one.needs_arena for one in self.functions)

    @property
    def arena_bytes(self) -> Optional[int]:
        """That of the greatest need; None where some depend on sizes."""
        return self._greatest([one.arena_bytes for one in self.functions])

    @property
    def greatest_arena_bytes(self) -> Optional[int]:
        return self._greatest([one.greatest_arena_bytes for one in self.functions])

    @property
    def arena_alignment(self) -> int:
        return max(one.arena_alignment for one in self.functions)

    @property
    def ram_bytes(self) -> Optional[int]:
        """One arena, and what the functions need beside it."""
        arena = self.arena_bytes
        beside = [one.ram_bytes - one.arena_bytes for one in self.functions
                  if one.ram_bytes is not None and one.arena_bytes is not None]
        return None if arena is None or len(beside) < len(self.functions) else arena + sum(beside)

    @property
    def rom_bytes(self) -> int:
        """With the weights, where they are an object."""
        return sum(one.rom_bytes for one in self.functions) + (
            self.weight_bytes if self.weights_kind == "object" else 0)

    @staticmethod
    def _greatest(needs: Sequence[Optional[int]]) -> Optional[int]:
        known = [need for need in needs if need is not None]
        return max(known) if len(known) == len(needs) else None


def identifier(text: str, taken: Sequence[str]) -> str:
    """A name for C that is not taken."""
    word = re.sub(r"\W", "_", text, flags=re.ASCII).strip("_") or "value"
    if word[0].isdigit() or word in _KEYWORDS:
        word = "_" + word if word[0].isdigit() else word + "_"
    found, number = word, 1
    while found in taken:
        number += 1
        found = f"{word}_{number}"
    return found


_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int "
    "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
    "volatile while bool true false arena weights class new delete this template operator".split())


def build(models: Sequence[Tuple[str, Imported]], folder: str, *, name: str, arena: str = "argument",
          weights: str = "object", level: int = 2, state: Sequence[str] = (), **options: Any) -> List[str]:
    """Writes NAME.o, NAME.h and NAME.json into the folder, and NAME_weights.o or NAME.weights, and
    returns their paths. `models` have the names of their functions; several ones never run at once:
    they share one arena, and equal weights. `arena` is "argument", "global" or "heap", `weights`
    "object" or "file", `state` what with_states takes; further options are those of plan(). Raises
    MemplanError.

    The text of a file is written as a whole, after the models have been compiled.
    """
    for word in (name, *(function for function, _ in models)):
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", word) or word in _KEYWORDS | {"main"}:
            raise MemplanError(f"'{word}' is no name for a function of C; give one with --name")
    names = [function for function, _ in models]
    if len(set(names)) < len(names) or (len(names) > 1 and name in names):
        raise MemplanError(f"functions of one name: {', '.join(names)}, in files of the name {name}; give others "
                           "with --name, once for each model")
    held = with_states([imported for _, imported in models], state)
    values = Weights(held)
    blob, places = values.blob()
    interfaces = []
    made: Dict[str, bytes] = {}
    with tempfile.TemporaryDirectory(prefix="memplan-") as temporary:
        objects = []
        for number, function in enumerate(names):
            program, imported = _planned(held[number], function, arena, options)
            layout = {key: (place, values.is_written(number, key)) for key, place in places[number].items()}
            interfaces.append(_interface(imported, program, function, arena, layout))
            objects.append(os.path.join(temporary, f"{number}.o"))
            ir = toolchain.llvm_ir(program.text)
            toolchain.compile_object(ir, objects[-1], level=level)
        built = Built(name, tuple(interfaces), arena, weights, len(blob),
                      any(value.is_written for one in interfaces for value in one.weights))
        path = os.path.join(temporary, "whole.o")
        if arena == "global" and built.has_arena:
            objects.append(os.path.join(temporary, "arena.o"))
            toolchain.assemble(_variable(built), objects[-1])
        toolchain.join_objects(objects, path)
        made[f"{name}.o"] = _read(path)
        if blob and weights == "file":
            made[f"{name}.weights"] = blob
        elif blob:
            _compile_weights(built, blob, temporary, path)
            made[f"{name}_weights.o"] = _read(path)
    made[f"{name}.h"] = header(built).encode()
    made[f"{name}.json"] = (json.dumps(_json(built), indent=2) + "\n").encode()
    paths = []
    for file, data in made.items():
        paths.append(os.path.join(folder, file))
        with tempfile.NamedTemporaryFile(dir=folder or ".", delete=False) as whole:
            whole.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(whole.name, 0o666 & ~mask)
        os.replace(whole.name, paths[-1])
    return paths


def _planned(imported: Imported, name: str, arena: str, options: Dict[str, Any]) -> Tuple[Program, Imported]:
    """The planned program, whose entry has this name, and the model with this entry."""
    text = re.sub(rf"@{re.escape(imported.entry)}(?=[(\s])", f"@{name}", imported.text)
    imported = dataclasses.replace(imported, text=text, entry=name)
    # A function that its callers must give memory cannot fall back to the heap.
    placed = {"arena": "alloc"} if arena == "heap" else {"arena": "argument", "require": "placed"}
    program = plan(text, name=name, from_tensors=True, **{"results": "out-params", **placed, **options})
    return program, imported


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _variable(built: Built) -> List[str]:
    """The arena of all models, as text of an assembler."""
    if built.greatest_arena_bytes is None:
        raise MemplanError("a global arena needs a greatest value for each free size, such as 'f32[B:1..64, 8]'")
    return [".bss", f".globl {built.name}_arena", f".balign {built.arena_alignment}", f"{built.name}_arena:",
            f".zero {built.greatest_arena_bytes}", '.section .note.GNU-stack,"",%progbits']


def _compile_weights(built: Built, blob: bytes, folder: str, path: str) -> None:
    file = os.path.join(folder, "weights")
    with open(file, "wb") as out:
        out.write(blob)
    section = '.data' if built.weights_are_written else '.section .rodata,"a"'
    toolchain.assemble([
        section, f".globl {built.name}_weights", f".balign {ALIGNMENT}",
        f"{built.name}_weights:", f'.incbin "{file}"', '.section .note.GNU-stack,"",%progbits'], path)


def _interface(imported: Imported, program: Program, name: str, arena: str,
               layout: Dict[str, Tuple[int, bool]]) -> Interface:
    """`layout` has the place of each weight, and whether a model overwrites it."""
    types = signature(program.text, name)
    for argument, kind in zip(imported.arguments, types.arguments):
        if unnamed(argument, kind):
            raise MemplanError(f"'{argument.name}' has a free size without a name, such as 2 * B + 1: give that "
                               "size a name of its own")
    taken: List[str] = ["arena", "weights"]

    def named(label: str) -> str:
        taken.append(identifier(label, taken))
        return taken[-1]

    sizes: Dict[str, Tuple[str, str, int, Optional[int], int]] = {}
    for argument in imported.arguments:
        for size in argument.sizes:
            if size and size.name not in sizes:
                sizes[size.name] = (named(size.name), size.name, size.least, size.greatest, size.multiple)
    arguments: List[Optional[Value]] = []
    for argument, kind in zip(imported.arguments, types.arguments):
        place, is_written = layout.get(argument.name, (0, False)) if argument.is_weight else (0, False)
        arguments.append(Value(named(argument.name), argument.name, kind, _size_names(argument, kind), offset=place,
                               is_written=is_written,
                               is_state=imported.is_in_place and argument.new_value is not None))
    inputs = tuple(v for a, v in zip(imported.arguments, arguments) if v and not a.is_weight)
    held = tuple(v for a, v in zip(imported.arguments, arguments) if v and a.is_weight)
    results = _results(imported, program, types.arguments, types.results, named, arguments)
    totals = json.loads(program.report)["totals"]
    whole = [a for a in program.arenas if a.loop is None]
    free = any(a.sizes for a in whole)
    planned = next((a for a in whole if a.sizes), whole[0] if whole else None)
    order = _arena_sizes(program, imported, name) if arena != "heap" else ()
    return Interface(
        name, tuple(arguments), inputs, results, held, tuple(sizes.values()),
        sum(a.arena_size for a in whole) if not free else None,
        max([a.report["alignment"] for a in whole], default=1),
        (planned.report.get("sizes", {}).get("arena", "") if planned else ""),
        tuple(sizes[key][0] for key in order), _greatest(program, imported),
        None if free or totals["ram"]["unknown"] else totals["ram"]["bytes"], totals["rom"]["bytes"])


def _size_names(argument: Argument, kind: Shaped) -> Tuple[str, ...]:
    free = argument.sizes or (None,) * len(kind.shape)
    return tuple("" if extent is not None else size.name if size else "?"
                 for size, extent in zip(free, kind.shape))


def _results(imported: Imported, program: Program, arguments: Sequence[Shaped], returned: Sequence[Shaped],
             named: Any, values: List[Optional[Value]]) -> Tuple[Value, ...]:
    """Results of constant size are arguments behind the model's own, with the arena among them; the
    others are returned. Adds the former, and None for the arena, to `values`."""
    types = signature(imported.text, imported.entry)
    states = {a.new_value: a.name for a in imported.arguments if a.new_value is not None}
    numbers = [n for n in range(len(types.results) + len(states))
               if not (imported.is_in_place and n in states)][:len(types.results)]
    names = [imported.results[n] if n < len(imported.results) else f"result{n}" for n in numbers]
    static = _is_static(program, imported, types)
    behind = arguments[len(imported.arguments):]
    given = iter([kind for kind in behind if "memplan.arena" not in kind.attributes])
    left = iter(returned)
    formulas = iter([b.formula for a in program.arenas for b in a.unplanned if "returned" in b.reason])
    found: List[Value] = []
    for number, label, is_placed in zip(numbers, names, static):
        kind = next(given if is_placed else left)
        is_taken = any(a.name == label for a in imported.arguments)
        found.append(Value(
            named(f"new_{label}" if is_taken else label), label, kind,
            tuple("" if size is not None else "?" for size in kind.shape), is_placed=is_placed,
            new_value_of="" if imported.is_in_place else states.get(number, ""),
            formula="" if is_placed else next(formulas, "")))
    placed = iter([value for value in found if value.is_placed])
    values += [None if "memplan.arena" in kind.attributes else next(placed) for kind in behind]
    return tuple(found)


def _is_static(program: Program, imported: Imported, own: Signature) -> List[bool]:
    """Of each result of the imported program, whether it became an argument: those of constant size did."""
    placed = [None not in kind.shape for kind in own.results]
    types = signature(program.text, imported.entry)
    added = [kind for kind in types.arguments[len(imported.arguments):]
             if "memplan.arena" not in kind.attributes]
    if placed.count(True) != len(added) or placed.count(False) != len(types.results):
        raise MemplanError("the model returns an argument or one value twice, which C cannot be given; "
                           "let it return a copy")
    return placed


def _arena_sizes(program: Program, imported: Imported, name: str) -> Tuple[str, ...]:
    """The sizes that the function NAME.arena_bytes takes, in its order."""
    with tempfile.TemporaryDirectory(prefix="memplan-") as folder:
        path = os.path.join(folder, "memory.h")
        run_pipeline(program.text, f"builtin.module(memplan-emit-header{{file={path}}})")
        with open(path, encoding="utf-8") as file:
            found = re.search(rf"{name}_arena_bytes\(([^)]*)\)", file.read())
    words = re.findall(r"argument(\d+)_size(\d+)", found.group(1)) if found else []
    order = []
    for argument, dimension in words:
        size = imported.arguments[int(argument)].sizes[int(dimension)]
        if size is None:
            raise MemplanError(f"the arena depends on a size of argument {argument} that has no name")
        order.append(size.name)
    return tuple(order)


def _greatest(program: Program, imported: Imported) -> Optional[int]:
    """The arenas' bytes where each free size is as great as it may be."""
    free = {size.name: size for argument in imported.arguments for size in argument.sizes if size}
    total = 0
    for arena in program.arenas:
        if arena.loop is not None:
            continue
        bounds = [free[name].greatest if name in free else None for name in arena.sizes]
        if None in bounds:
            return None
        try:
            total += arena.arena_bytes(*[bound or 0 for bound in bounds]) if arena.sizes else arena.arena_size
        except ValueError:
            return None
    return total


def _json(built: Built) -> Dict[str, Any]:
    """One function is on the top level, several ones are a list."""
    functions = [_json_of(one) for one in built.functions]
    weights = {"kind": built.weights_kind, "bytes": built.weight_bytes, "alignment": ALIGNMENT}
    arena = {"place": built.arena, "bytes": built.arena_bytes, "greatest_bytes": built.greatest_arena_bytes,
             "alignment": built.arena_alignment}
    whole = {"format": "memplan.build", "version": 1, "name": built.name, "ram_bytes": built.ram_bytes,
             "rom_bytes": built.rom_bytes}
    if len(functions) > 1:
        return {**whole, "weights": weights, "arena": arena, "functions": functions}
    return {**whole, **functions[0], "weights": {**weights, "values": functions[0]["weights"]},
            "arena": {**arena, "formula": built.functions[0].arena_formula},
            "ram_bytes": built.ram_bytes, "rom_bytes": built.rom_bytes}


def _json_of(interface: Interface) -> Dict[str, Any]:
    def described(value: Value) -> Dict[str, Any]:
        shape = [size if size is not None else name for size, name in zip(value.kind.shape, value.sizes)]
        return {"name": value.name, "label": value.label, "type": value.kind.element, "shape": shape,
                "bytes": value.bytes, **({"formula": value.formula} if value.formula else {})}

    return {
        "name": interface.name, "symbol": f"_mlir_ciface_{interface.name}",
        "inputs": [{**described(value), "is_state": value.is_state} for value in interface.inputs],
        "results": [{**described(value), "is_copied": not value.is_placed, "new_value_of": value.new_value_of}
                    for value in interface.results],
        "sizes": [{"name": name, "label": label, "least": least, "greatest": greatest, "multiple": multiple}
                  for name, label, least, greatest, multiple in interface.sizes],
        "weights": [{**described(value), "offset": value.offset, "is_state": value.is_state}
                    for value in interface.weights],
        "arena": {"bytes": interface.arena_bytes, "formula": interface.arena_formula,
                  "greatest_bytes": interface.greatest_arena_bytes, "alignment": interface.arena_alignment},
        "ram_bytes": interface.ram_bytes, "rom_bytes": interface.rom_bytes}
