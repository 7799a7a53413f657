# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models that never run at once share: an arena, and weights."""
from __future__ import annotations

import hashlib
from typing import Any, Dict, List, Sequence, Set, Tuple

from ..core import MemplanError
from ..importers import Imported

#: Of each weight in a file or object, and of an arena, in bytes.
ALIGNMENT = 64


def _address(array: Any) -> Any:
    """The same for arrays of one memory."""
    return array.ctypes.data, array.shape, array.dtype.str


class Weights:
    """The values of the models' weights. Equal ones are one; of those that some model overwrites,
    only those that are one array in the framework, such as a cache of the module that two models are
    exported from."""

    def __init__(self, models: Sequence[Imported]) -> None:
        import numpy
        #: By model and name.
        self.arrays: List[Dict[str, Any]] = []
        self._written: Set[Any] = set()
        self._memory: Dict[Any, Any] = {}
        for imported in models:
            names = [argument.name for argument in imported.arguments if argument.is_weight]
            held = imported.model.weights() if imported.model and names else {}
            missing = [name for name in names if name not in held]
            if missing:
                raise MemplanError(f"the model gives no values for {', '.join(missing[:5])}")
            self.arrays.append({name: numpy.asarray(held[name]) for name in names})
            self._written.update(_address(held[argument.name]) for argument in imported.arguments
                                 if argument.is_weight and argument.new_value is not None and held[argument.name].size)

    def is_written(self, model: int, name: str) -> bool:
        return _address(self.arrays[model][name]) in self._written

    def key(self, model: int, name: str) -> Any:
        """The same for weights that are one."""
        import numpy
        array = self.arrays[model][name]
        if self.is_written(model, name):
            return _address(array)
        return array.shape, array.dtype.str, hashlib.sha256(numpy.ascontiguousarray(array).tobytes()).digest()

    def memory(self, model: int, name: str) -> Any:
        """The array for the program, which is another one than the framework's if it is overwritten."""
        import numpy
        key = self.key(model, name)
        if key not in self._memory:
            array = self.arrays[model][name]
            self._memory[key] = numpy.array(array, order="C") if self.is_written(model, name) else \
                numpy.ascontiguousarray(array)
        return self._memory[key]

    def reset(self) -> None:
        """Gives states the values that they have in the models."""
        for model, arrays in enumerate(self.arrays):
            for name, array in arrays.items():
                if self.is_written(model, name):
                    self.memory(model, name)[...] = array

    def blob(self) -> Tuple[bytes, List[Dict[str, int]]]:
        """All values, each at a multiple of ALIGNMENT, and by model and name the places."""
        import numpy
        blob = bytearray()
        found: Dict[Any, int] = {}
        places: List[Dict[str, int]] = []
        for model, arrays in enumerate(self.arrays):
            places.append({})
            for name, array in arrays.items():
                key = self.key(model, name)
                if key not in found:
                    found[key] = len(blob)
                    blob += numpy.ascontiguousarray(array).tobytes()
                    blob += bytes(-len(blob) % ALIGNMENT)
                places[-1][name] = found[key]
        return bytes(blob), places


class Scratch:
    """An arena that grows to the greatest need."""

    def __init__(self) -> None:
        self._held: Any = None

    def array(self, size: int) -> Any:
        """So many bytes at a multiple of ALIGNMENT."""
        import numpy
        if self._held is None or self._held.size < size:
            memory = numpy.empty(size + ALIGNMENT, "i1")
            start = -memory.ctypes.data % ALIGNMENT
            self._held = memory[start:start + size]
        return self._held[:size]
