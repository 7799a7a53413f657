# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that `build` wrote, called through their C headers; and the comparison of a model with its
framework and of the built one with both."""
import ctypes
import json
import os
import subprocess
import tempfile

import numpy

from memplan.importers import import_model
from memplan.running import toolchain
from memplan.running.build import build
from memplan.running.check import Checker


def _aligned(count):
    memory = numpy.zeros(count + 64, "u1")
    start = -memory.ctypes.data % 64
    return memory[start:start + count]


class Linked:
    """A built model in this process."""

    def __init__(self, folder, name):
        with open(os.path.join(folder, f"{name}.json"), encoding="utf-8") as file:
            self.made = json.load(file)
        values = self.made["inputs"] + self.made["results"]
        given = [f"p[{n}]" for n in range(len(values))] + [f"n[{n}]" for n in range(len(self.made["sizes"]))]
        self.has_arena = self._has_arena(folder, name)
        given += ["arena"] if self.has_arena else []
        free = self.made["arena"]["bytes"] is None
        sizes = self._sizes_of_arena(folder, name) if self.has_arena and free else []
        places = [next(n for n, size in enumerate(self.made["sizes"]) if size["name"] == word) for word in sizes]
        need = f"{name}_arena_bytes({', '.join(f'n[{n}]' for n in places)})" if sizes else \
            str(self.made["arena"]["bytes"] or 0)
        source = os.path.join(folder, "call.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(f'#include "{name}.h"\n'
                       f"int64_t need(int64_t *n) {{ (void)n; return {need}; }}\n"
                       f"void call(void **p, int64_t *n, void *arena) {{ (void)p; (void)n; (void)arena;\n"
                       f"  {name}({', '.join(given)}); }}\n")
        path = os.path.join(folder, "call.so")
        objects = [os.path.join(folder, file) for file in (f"{name}.o", f"{name}_weights.o")]
        subprocess.run([toolchain.find("clang"), "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", folder, source,
                        *filter(os.path.exists, objects), "-lm", "-o", path], check=True)
        self.loaded = ctypes.CDLL(path)
        self.loaded.need.restype = ctypes.c_int64

    @staticmethod
    def _has_arena(folder, name):
        with open(os.path.join(folder, f"{name}.h"), encoding="utf-8") as file:
            return file.read().split(f"static inline void {name}(")[1].split(")")[0].endswith("void *arena")

    @staticmethod
    def _sizes_of_arena(folder, name):
        with open(os.path.join(folder, f"{name}.h"), encoding="utf-8") as file:
            text = file.read()
        words = text.split(f"static inline int64_t {name}_arena_bytes(")[1].split(")")[0]
        return [word.split()[-1] for word in words.split(",")]

    def __call__(self, inputs, results):
        """`results` are arrays of the shapes of the results without states; returns the results."""
        sizes = {}
        for described, array in zip(self.made["inputs"], inputs):
            for word, extent in zip(described["shape"], array.shape):
                if isinstance(word, str):
                    sizes[word] = extent
        numbers = (ctypes.c_int64 * max(len(self.made["sizes"]), 1))(
            *[sizes[size["label"]] for size in self.made["sizes"]])
        made = [_aligned(max(array.nbytes, 1)) for array in results]
        given = [numpy.ascontiguousarray(array) for array in inputs]
        pointers = (ctypes.c_void_p * max(len(given) + len(made), 1))(*[array.ctypes.data for array in given + made])
        arena = _aligned(max(self.loaded.need(numbers), 1))
        self.loaded.call(pointers, numbers, ctypes.c_void_p(arena.ctypes.data))
        return [array[:like.nbytes].view(like.dtype).reshape(like.shape) for array, like in zip(made, results)]


class Built(Linked):
    """A model that is built and called."""

    def __init__(self, model):
        self.folder = tempfile.TemporaryDirectory()
        build([("built", import_model(model))], self.folder.name, name="built")
        super().__init__(self.folder.name, "built")


def compare(model, inputs=(), tolerance=None, weights="arguments", state=(), arena="argument"):
    """Checks the model beside its framework for its sizes, and the built one beside the planned one, bit for
    bit. Returns a line for each size; raises AssertionError for a difference."""
    imported = import_model(model, inputs, weights=weights)
    checker = Checker(imported, tolerance=tolerance, state=state)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        build([("built", imported)], folder, name="built", state=state, arena=arena)
        for outcome in checker.outcomes():
            if outcome.refusal:
                lines.append(f"{outcome.sizes}: refused: {outcome.refusal}")
                continue
            worst = max((found.value / max(found.allowed / (tolerance or 1e-5), 1e-30) for _, found in outcome.differences),
                        default=0)
            assert outcome.is_equal, (outcome.sizes, [str(found) for _, found in outcome.differences])
            # A model with a state begins anew.
            checker.compiled.reset()
            linked = Linked(folder, "built")
            want = checker.compiled._executable(*checker.compiled.arguments_for([a.copy() for a in checker.given]))
            got = linked([a.copy() for a in checker.given], want)
            for one, other in zip(got, want):
                assert one.tobytes() == other.tobytes(), f"{outcome.sizes}: the built model computes something else"
            lines.append(f"{outcome.sizes or ''} {worst:.1e} of {outcome.arena_bytes + outcome.result_bytes} bytes")
    return lines
