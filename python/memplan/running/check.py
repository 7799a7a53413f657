# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planned programs beside their models in their own frameworks."""
from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ..core import MemplanError
from ..importers import Imported
from ..program import plan, run_pipeline
from ._exposed import exposing, is_comparable, values_by_place
from ._values import Difference, choose_sizes, difference, free_sizes, random_inputs
from .compiled import Compiled, check_inputs, input_numbers, unnamed
from .executable import Executable
from .models import Model, Step

#: How many values inside of a model are compared at once.
_GROUP = 32
#: Limits of random integers that may be indices; the greatest that the framework takes is used.
_LIMITS = (10, 2, 1)


@dataclass(frozen=True)
class Outcome:
    """One run of the program and of the model."""
    sizes: Dict[str, int]
    #: By the name of each result.
    differences: Tuple[Tuple[str, Difference], ...]
    #: The most that the program had allocated at one time, in bytes, and what was planned: its
    #: arenas and results.
    observed_bytes: int
    arena_bytes: int
    result_bytes: int
    #: Why there was no run at these sizes.
    refusal: str = ""

    @property
    def is_equal(self) -> bool:
        return all(found.is_small for _, found in self.differences)


@dataclass(frozen=True)
class Parting:
    """Where a program and its model part."""
    #: The first op whose values differ; "" if none was found.
    place: str
    difference: Optional[Difference]
    #: How many ops before it were compared.
    compared: int
    #: True if the program without a plan computes something else.
    is_of_plan: bool

    def __str__(self) -> str:
        if self.is_of_plan:
            return "the program without a plan computes other values: this is a fault of memplan's plan"
        if not self.place:
            return f"no op was found at which they part: {self.compared} were compared"
        return f"they part at {self.place}: {self.difference}; {self.compared} ops before it agree"


class Checker:
    """Runs a model's program and the model with the same inputs."""

    def __init__(self, imported: Imported, *, tolerance: Optional[float] = None, seed: int = 0,
                 name: str = "", **options: Any) -> None:
        if imported.model is None:
            Model().framework()
        self.model: Any = imported.model
        self.framework: str = self.model.framework()
        self.tolerance, self.seed, self.options = tolerance, seed, options
        self.compiled = Compiled(imported, observe=True, name=name, **options)
        self.imported = self.compiled.imported
        self.types = self.compiled._types
        #: Of the last run, and of the last one with a difference.
        self.given: Sequence[Any] = ()
        self.inputs: Sequence[Any] = ()

    def outcomes(self, sizes: Optional[Sequence[Dict[str, int]]] = None,
                 inputs: Optional[Sequence[Any]] = None) -> Iterator[Outcome]:
        """One for these inputs, or one for each set of sizes with random inputs. Raises MemplanError
        if the framework refuses all of them."""
        numbers = input_numbers(self.imported)
        if inputs is None and any(unnamed(self.imported.arguments[n], self.types[n]) for n in numbers):
            # Only the framework knows which sizes belong together.
            inputs = self.model.examples()
            if len(inputs) != len(numbers) or any(array is None for array in inputs):
                raise MemplanError("the model has free sizes without names: give its inputs with --input FILE")
        if inputs is not None:
            check_inputs(self.imported, self.types, inputs)
        refusals = []
        is_run = False
        for values in [{}] if inputs is not None else sizes or choose_sizes(self.imported):
            try:
                given, want = self._reference(values) if inputs is None else (inputs, self._run(inputs))
            except MemplanError as error:
                refusals.append(str(error))
                yield Outcome(values, (), 0, 0, 0, str(error))
                continue
            is_run = True
            yield self._compare(values, given, want)
        if not is_run:
            raise MemplanError(refusals[0] if refusals else "there are no sizes to run the model with")

    def _run(self, inputs: Sequence[Any]) -> List[Any]:
        try:
            results: List[Any] = self.model.run([array.copy() for array in inputs])
        except MemplanError:
            raise
        except Exception as error:  # Whatever a framework raises.
            lines = str(error).strip().split("\n")
            raise MemplanError(f"{self.framework} refuses the inputs: {lines[0][:300]}") from None
        return results

    def _reference(self, sizes: Dict[str, int]) -> Tuple[List[Any], List[Any]]:
        """Random inputs that the framework takes, and its results."""
        examples = self.model.examples()
        for limit in _LIMITS:
            given = random_inputs(self.imported, self.types, sizes, self.seed, examples, limit)
            try:
                return given, self._run(given)
            except MemplanError:
                if limit == _LIMITS[-1]:
                    raise
        raise AssertionError

    def _compare(self, sizes: Dict[str, int], inputs: Sequence[Any], want: Sequence[Any]) -> Outcome:
        self.given = inputs
        places = check_inputs(self.imported, self.types, inputs)
        sizes = {name: places[name] for name in free_sizes(self.imported)} or sizes
        self.compiled.reset()
        got = self.compiled.results_of([array.copy() for array in inputs])
        if len(got) != len(want):
            raise MemplanError(f"the program has {len(got)} results, and {self.framework} {len(want)}")
        names = [*self.imported.results, *(f"result {n}" for n in range(len(self.imported.results), len(got)))]
        outcome = Outcome(sizes, tuple((name, difference(one, other, self.tolerance))
                                       for name, one, other in zip(names, got, want)),
                          self.compiled.peak_bytes, self.compiled.arena_bytes(**places),
                          self.compiled.result_bytes)
        if not outcome.is_equal:
            self.inputs = inputs
        return outcome

    def parting(self, say: Callable[[str], None] = lambda text: None) -> Parting:
        """The first op at which the program and the model part with the inputs of the last difference:
        values inside of the program are returned, group by group, in the model's order."""
        inputs, imported = self.inputs, self.imported
        arguments = self.compiled.arguments_for([array.copy() for array in inputs])
        unplanned = run_pipeline(imported.text, "builtin.module(memplan-bufferize)").text
        say("running the program without a plan")
        before = self.compiled.with_states(arguments, Executable(unplanned, imported.entry)(*arguments))
        self.compiled.reset()
        after = self.compiled.results_of([array.copy() for array in inputs])
        if any(one.tobytes() != other.tobytes() for one, other in zip(before, after)):
            return Parting("", None, 0, True)
        values = values_by_place(imported.text, imported.entry)
        try:
            given = list(self.model.steps([array.copy() for array in inputs]))
            # The last value of an op with several results may be any of them.
            counts = Counter(name for name, _ in given)
            steps: List[Step] = [(name, array) for name, array in given if counts[name] == 1 and
                                 name in values and is_comparable(values[name][1], array.shape, array.itemsize)]
        except Exception as error:  # Whatever a framework raises.
            say(f"{self.framework} gives no values of ops: {str(error)[:200]}")
            steps = []
        for first in range(0, len(steps), _GROUP):
            group = steps[first:first + _GROUP]
            say(f"comparing ops {first + 1} to {first + len(group)} of {len(steps)}")
            text = exposing(imported.text, imported.entry, [values[name] for name, _ in group])
            program = plan(text, from_tensors=True)
            self.compiled.reset()
            got = Executable(program.text, imported.entry)(
                *self.compiled.arguments_for([array.copy() for array in inputs]))
            for number, ((name, want), value) in enumerate(zip(group, got)):
                found = difference(value, want, self.tolerance)
                # Of another shape it is a value that only shares the name.
                if not found.problem and not found.is_small:
                    return Parting(name, found, first + number, False)
        return Parting("", None, len(steps), False)


def with_program(imported: Imported, text: str) -> Imported:
    """The model with another program, such as one that was written with --emit=mlir and changed."""
    return dataclasses.replace(imported, text=text)
