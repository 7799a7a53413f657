# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module of many random programs, each a function that prints a checksum."""

import random
import re

from . import blocks, control, graph, helpers, statements, windows
from .body import Body
from .values import Object, Value

# How often each kind of statement is drawn; 0 leaves a kind out.
WEIGHTS = {
    "allocate": 6, "fill": 3, "read": 6, "store_one": 2, "combine": 4,
    "copy": 3, "concatenate": 1.5, "split": 1, "pad": 1.5,
    "view": 4, "select": 2, "dealloc": 4, "call": 3,
    "contract": 1.5,
    "call_tree": 1, "if": 4, "switch": 1, "affine_if": 1, "execute": 1,
    "for": 4, "while": 2, "ring": 1, "turns": 2, "parallel": 1,
    "nested_memref": 0.3, "opaque_use": 0.3, "global": 0.5, "window": 2,
    "same_indices": 1.5,
    # Out of ten: functions that are graphs of blocks, loops that are affine.
    "graph": 2, "affine": 3,
}

SIMPLE = {
    "allocate": statements.allocate, "fill": statements.fill,
    "read": statements.read, "store_one": statements.store_one,
    "combine": statements.combine, "copy": statements.copy,
    "concatenate": statements.concatenate, "split": statements.split,
    "pad": statements.pad,
    "view": statements.view, "select": statements.select,
    "dealloc": statements.free, "call": statements.call,
    "contract": statements.contract,
    "nested_memref": statements.nested_memref,
    "opaque_use": statements.opaque_use, "global": statements.global_,
    "window": windows.window, "same_indices": windows.same_indices,
}

NESTED = {
    "call_tree": control.call_tree, "if": control.if_,
    "switch": control.switch, "affine_if": control.affine_if,
    "execute": control.execute_region, "for": control.for_,
    "while": control.while_, "parallel": control.parallel,
    "ring": blocks.ring, "turns": blocks.turns,
}

# Weights that upstream's ownership-based deallocation accepts; it makes invalid IR of an
# affine.for that carries a memref.
FOR_DEALLOCATION = {
    "dealloc": 0, "graph": 0, "nested_memref": 0, "parallel": 0, "execute": 0,
    "affine": 0, "affine_if": 0, "ring": 0,
}

MAX_LINES = 150
ARGUMENTS = (0, 1, 2)


class Callee:
    """A generated private function."""

    def __init__(self, name, arguments, result, result_base):
        self.name = name
        self.arguments = arguments
        self.result = result
        self.result_base = result_base


class Module:
    """Generates the programs numbered `first`.. of one seed.

    Program i depends on (seed, i) and the weights only, not on its neighbours,
    except for the names of helpers and private functions.
    """

    def __init__(self, seed, first, count, weights=None, statements_each=14):
        self.weights = dict(WEIGHTS)
        self.weights.update(weights or {})
        self.helper_names = {}
        self.helper_texts = []
        self.externals = set()
        self.globals = {}
        self.max_lines = MAX_LINES
        self.private_texts = []
        self.functions = []
        self._number = 0
        self._inside_private = 0
        for i in range(first, first + count):
            self.program(seed, i, statements_each)

    def number(self):
        self._number += 1
        return self._number

    def helper(self, kind, type_):
        name = f"{kind}_{type_.name()}"
        if name not in self.helper_names:
            self.helper_names[name] = True
            self.helper_texts.append(helpers.MAKERS[kind](name, type_))
        return name

    def statement(self, body):
        """One random statement at the current point."""
        kinds = dict(SIMPLE)
        if body.depth < control.MAX_DEPTH and len(body.lines) < self.max_lines:
            kinds.update(NESTED)
        names = sorted(kinds)
        weights = [self.weights[name] for name in names]
        kinds[body.rng.choices(names, weights)[0]](body)

    def program(self, seed, index, budget):
        rng = random.Random(f"{seed}.{index}")
        self._number = 0
        self._program = index
        name = f"program_{index}"
        body = Body(self, rng, self.weights)
        body.numbers.append("%p")
        as_graph = rng.random() * 10 < self.weights["graph"]
        if as_graph:
            graph.generate(body)
        else:
            control.block(body, budget)
            self.finish(body)
            body.line("return")
        self.functions.append((name, self.text(
            f"  func.func @{name}(%p: i64) {{", body)))

    def finish(self, body):
        """Reads the remaining buffers, then frees some of them."""
        for value in list(body.values)[-6:]:
            if body.state.readable(value):
                body.checksum(value)
        if self.weights["dealloc"]:
            for value in list(body.values):
                if body.may_free(value) and body.chance(0.6):
                    body.line(f"memref.dealloc {value.name} : {value.type}")
                    body.state.kill(value.objects)

    def private_function(self, caller):
        """A new private function with a random body, or None below the deepest level."""
        if self._inside_private > 1:
            return None
        self._inside_private += 1
        body = Body(self, caller.rng, self.weights)
        body.types = caller.types
        body.numbers.append("%p")
        types = [body.plain_type() for _ in range(body.rng.randrange(3))]
        for i, type_ in enumerate(types):
            # Arguments may be the same buffer or a global, so they share one object
            # with the globals.
            body.values.append(Value(f"%a{i}", type_, [body.outside],
                                     base=False))
            body.state.initialised.add(body.outside)
        control.block(body, body.rng.randrange(2, 8))
        result = None
        if body.chance(0.5):
            result = body.readable_of(body.plain_type())
        if result is None:
            self.finish(body)
            body.line("return")
        else:
            body.line(f"return {result.name} : {result.type}")
        name = f"private_{self._program}_{self.number()}"
        args = ", ".join(["%p: i64"] + [
            f"%a{i}: {t}" for i, t in enumerate(types)])
        arrow = f" -> {result.type}" if result else ""
        self.private_texts.append(self.text(
            f"  func.func private @{name}({args}){arrow} {{", body))
        self._inside_private -= 1
        return Callee(name, types, result.type if result else None,
                      bool(result) and result.base)

    def text(self, head, body):
        return "\n".join([head] + ["  " + line for line in body.prologue()] +
                         ["  " + line for line in body.lines] + ["  }"])

    def called_from(self, roots):
        """The private functions that are called from these texts."""
        texts = self.helper_texts + self.private_texts
        owner = {name: text for text in texts
                 for name in re.findall(r"func\.func private @(\w+)", text)}
        wanted, work = set(), list(roots)
        while work:
            for name in re.findall(r"call @(\w+)", work.pop()):
                text = owner.get(name)
                if text is not None and text not in wanted:
                    wanted.add(text)
                    work.append(text)
        return [text for text in texts if text in wanted]

    def render(self, functions=None):
        """The module with the given programs; all by default."""
        functions = self.functions if functions is None else functions
        lines = ["module {"]
        for kind in sorted(self.externals):
            element = kind.lower()
            lines.append(
                f"  func.func private @printMemref{kind}(memref<*x{element}>) "
                "attributes {llvm.emit_c_interface}")
        lines += list(self.globals.values())
        lines.append(helpers.RUNNING_CHECKSUM)
        lines += self.called_from([text for _, text in functions])
        lines += [text for _, text in functions]
        lines.append("  func.func @main() {")
        for value in ARGUMENTS:
            lines.append(f"    %p{value} = arith.constant {value} : i64")
        for name, _ in functions:
            for value in ARGUMENTS:
                lines.append(f"    call @{name}(%p{value}) : (i64) -> ()")
            number = name.rpartition("_")[2]
            lines.append(f"    %n{number} = arith.constant {number} : i64")
            lines.append(f"    call @report(%n{number}) : (i64) -> ()")
        lines += ["    return", "  }", "}", ""]
        return "\n".join(lines)
