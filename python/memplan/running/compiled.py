# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model as a function of numpy's arrays."""
from __future__ import annotations

import re
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union, overload

from ..core import MemplanError
from ..importers import Imported, import_model
from ..importers._model import Argument
from ..program import Program, plan
from ._signature import Shaped, dtype_of, signature
from ._shared import Scratch, Weights
from ._states import with_states
from .executable import Executable


def input_numbers(imported: Imported) -> List[int]:
    """Which arguments are no weights."""
    return [n for n, argument in enumerate(imported.arguments) if not argument.is_weight]


def check_inputs(imported: Imported, types: Sequence[Shaped], inputs: Sequence[Any]) -> Dict[str, int]:
    """The free sizes by name and by place. Raises ValueError for arrays that the program does not take."""
    numbers = input_numbers(imported)
    if len(inputs) != len(numbers):
        names = ", ".join(imported.arguments[n].name for n in numbers)
        raise ValueError(f"{len(inputs)} inputs were given, and the model takes {len(numbers)}: {names}")
    sizes: Dict[str, int] = {}
    for n, array in zip(numbers, inputs):
        _check_input(imported.arguments[n], types[n], array, sizes)
        # Arenas call sizes that are formulas, such as 2 * B, by their places.
        sizes.update((f"arg{n}_d{d}", array.shape[d]) for d, size in enumerate(types[n].shape) if size is None)
    return sizes


def unnamed(argument: Argument, kind: Shaped) -> List[int]:
    """The dimensions of free size that have no name."""
    return [d for d, size in enumerate(kind.shape)
            if size is None and not (argument.sizes and argument.sizes[d])]


def _check_input(argument: Argument, kind: Shaped, array: Any, sizes: Dict[str, int]) -> None:
    what = f"input '{argument.name}'"
    wanted = dtype_of(kind)
    if array.dtype != wanted and not (array.dtype.kind == "u" and wanted.kind == "i" and
                                      array.dtype.itemsize == wanted.itemsize):
        raise ValueError(f"{what} has elements of {array.dtype}; expected is {wanted}")
    shape = ", ".join("?" if size is None else str(size) for size in kind.shape)
    if len(array.shape) != len(kind.shape) or any(
            size not in (None, given) for size, given in zip(kind.shape, array.shape)):
        raise ValueError(f"{what} has the shape {list(array.shape)}; expected is [{shape}]")
    for free, given in zip(argument.sizes, array.shape):
        if free is None:
            continue
        if sizes.setdefault(free.name, given) != given:
            raise ValueError(f"{what} has {free.name} = {given}, and another input {sizes[free.name]}")
        if given < free.least or (free.greatest is not None and given > free.greatest) or \
                given % free.multiple:
            bounds = f"{free.least} to {'any' if free.greatest is None else free.greatest}"
            steps = f" in steps of {free.multiple}" if free.multiple > 1 else ""
            raise ValueError(f"{what} has {free.name} = {given}; expected is {bounds}{steps}")


class Group:
    """Models that never run at once."""

    def __init__(self, models: Sequence[Imported], states: Sequence[str] = ()) -> None:
        self.models = with_states(models, states)
        self.weights, self.scratch, self._count = Weights(self.models), Scratch(), 0

    def next(self) -> int:
        """The number of the next model."""
        self._count += 1
        return self._count - 1


class Compiled:
    """A model that is planned and compiled; call it with an array for each input.

    Sizes that the model leaves free are those of the arrays. A state that is a buffer of the model is kept
    from call to call; one that is an input, such as a cache, is overwritten with its new value, so its
    array must be contiguous and share no memory with other inputs. With `state="results"` new values are
    results, and inputs are not overwritten.
    """

    def __init__(self, imported: Imported, *, state: Union[str, Sequence[str]] = (), observe: bool = False,
                 level: int = 1, name: str = "", group: Optional["Group"] = None, **options: Any) -> None:
        if group is None:
            group = Group([imported], [state] if isinstance(state, str) else state)
        self._group, self._number = group, group.next()
        imported = group.models[self._number]
        self.imported = imported
        #: The planned program, with its arenas and report.
        self.program: Program = plan(imported.text, name=name, from_tensors=True, **options)
        self._executable = Executable(self.program.text, imported.entry, observe=observe, level=level)
        types = signature(self.program.text, imported.entry).arguments
        self._types, self._arenas = types[:len(imported.arguments)], types[len(imported.arguments):]
        self._weights = {a.name: self._group.weights.memory(self._number, a.name)
                         for a in imported.arguments if a.is_weight}
        #: The argument of each result that is a new value.
        self._states = {a.new_value: n for n, a in enumerate(imported.arguments) if a.new_value is not None}

    @property
    def inputs(self) -> List[str]:
        """The names of the inputs."""
        return [self.imported.arguments[n].name for n in input_numbers(self.imported)]

    @property
    def peak_bytes(self) -> int:
        """What the last call had allocated at most; with `observe` only."""
        return self._executable.peak_bytes

    @property
    def result_bytes(self) -> int:
        """What the last call allocated for results; those that are arguments have no allocation."""
        return self._executable.result_bytes

    def arena_bytes(self, **sizes: int) -> int:
        """The bytes of all arenas of the model at these sizes. Raises ValueError for a missing one."""
        def named(symbol: str) -> Dict[str, int]:
            """An arena calls sizes of one name in several arguments B, B_2 and so on."""
            name = symbol if symbol in sizes else re.sub(r"_\d+$", "", symbol)
            return {symbol: sizes[name]} if name in sizes else {}

        total = 0
        for arena in self.program.arenas:
            values = {key: value for symbol in arena.sizes for key, value in named(symbol).items()}
            total += arena.arena_bytes(**values) if arena.sizes else arena.arena_size
        return total

    def reset(self) -> None:
        """Gives states the values that they have in the model."""
        self._group.weights.reset()

    def arguments_for(self, inputs: Sequence[Any]) -> List[Any]:
        """The arguments of the program: weights and inputs in its order, and the arena of several models."""
        import numpy
        arrays = [numpy.asarray(array) for array in inputs]
        sizes = check_inputs(self.imported, self._types, arrays)
        if self.imported.is_in_place:
            self._check_states(inputs, arrays)
        given = iter(arrays)
        own = [self._weights[a.name] if a.is_weight else next(given) for a in self.imported.arguments]
        return own + [self._group.scratch.array(self.arena_bytes(**sizes)) for _ in self._arenas]

    def _check_states(self, inputs: Sequence[Any], arrays: Sequence[Any]) -> None:
        """Raises ValueError for an input that cannot be overwritten."""
        import numpy
        for place, n in enumerate(input_numbers(self.imported)):
            argument, array = self.imported.arguments[n], arrays[place]
            if argument.new_value is None:
                continue
            if array is not inputs[place] or not (array.flags.c_contiguous and array.flags.writeable):
                raise ValueError(f"input '{argument.name}' is overwritten: it must be a contiguous array of numpy "
                                 "that may be written")
            if any(numpy.may_share_memory(array, other) for k, other in enumerate(arrays) if k != place):
                raise ValueError(f"input '{argument.name}' is overwritten, and shares memory with another one")

    def with_states(self, arguments: Sequence[Any], returned: Sequence[Any]) -> List[Any]:
        """All results of the model: those that the program returned, and copies of states in arguments."""
        results = list(returned)
        if self.imported.is_in_place:
            for number, n in sorted(self._states.items()):
                results.insert(number, arguments[n].copy())
        return results

    def _run(self, inputs: Sequence[Any]) -> Tuple[List[Any], List[Any]]:
        """The arguments after the call, and what the program returns."""
        arguments = self.arguments_for(inputs)
        results = self._executable(*arguments)
        if not self.imported.is_in_place:
            for number, n in self._states.items():
                if self.imported.arguments[n].is_weight:
                    arguments[n][...] = results[number]
        return arguments, results

    def results_of(self, inputs: Sequence[Any]) -> List[Any]:
        """All results of the model, states among them."""
        return self.with_states(*self._run(inputs))

    def __call__(self, *inputs: Any) -> Any:
        """The result, or a tuple of several ones, without states that are kept."""
        _, results = self._run(inputs)
        if not self.imported.is_in_place:
            kept = [number for number, n in self._states.items() if self.imported.arguments[n].is_weight]
            results = [value for number, value in enumerate(results) if number not in kept]
        return results[0] if len(results) == 1 else tuple(results)


@overload  # No model is a list.
def compile(model: List[Any], inputs: Sequence[str] = (), **options: Any) -> List[Compiled]:  # type: ignore[misc]
    ...


@overload
def compile(model: Any, inputs: Sequence[str] = (), **options: Any) -> Compiled:
    ...


def compile(model: Any, inputs: Sequence[str] = (), *, state: Union[str, Sequence[str]] = (), **options: Any) -> Any:
    """Imports a model as importers.import_model does, plans and compiles it. `model` may also be
    a module of PyTorch, an exported program or a function of JAX itself. Further options are
    those of Compiled and plan(); `observe=True` counts what calls allocate.

        unet = memplan.compile("unet.onnx")
        y = unet(x)

    Of a list of models each is compiled. They share one arena, of the greatest need, equal weights, and
    states that are one buffer of a module, so only one of them may run at a time.

        prefill, decode = memplan.compile(["prefill.pt2", "decode.pt2"])

    Raises ImportFailure, DiagnosticError or ToolFailure, which name what is missing.
    """
    models = model if isinstance(model, list) else [model]
    if len(models) > 1 and inputs:
        raise MemplanError("inputs are those of one model; give functions that return models with their example "
                           "arguments")
    imported = [import_model(one, inputs) for one in models]
    if not isinstance(model, list):
        return Compiled(imported[0], state=state, name=model if isinstance(model, str) else "model", **options)
    group = Group(imported, [state] if isinstance(state, str) else state)
    options = {"arena": "argument", "require": "placed", **options}
    return [Compiled(one, name=name if isinstance(name, str) else "model", group=group, **options)
            for name, one in zip(models, imported)]
