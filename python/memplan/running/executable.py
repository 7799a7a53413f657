# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on memrefs, planned or not, in this process, with arrays of numpy."""
from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from typing import Any, Dict, List, Optional

from ..program import runtime_library
from . import toolchain
from ._signature import DTYPES, dtype_of, signature


def _descriptor_type(rank: int) -> Any:
    fields: List[Any] = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
                         ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"Descriptor{rank}", (ctypes.Structure,), {"_fields_": fields})


def _to_descriptor(array: Any) -> Any:
    value = _descriptor_type(array.ndim)()
    value.allocated = value.aligned = array.ctypes.data
    value.offset = 0
    if array.ndim:
        value.sizes[:] = array.shape
        value.strides[:] = [stride // array.itemsize for stride in array.strides]
    return value


def _from_descriptor(value: Any, rank: int, element: str) -> Any:
    """A copy of what the descriptor describes."""
    import numpy
    dtype = numpy.dtype(DTYPES[element])
    shape = tuple(value.sizes) if rank else ()
    if 0 in shape:
        return numpy.zeros(shape, dtype)
    strides = tuple(value.strides) if rank else ()
    span = 1 + sum((n - 1) * stride for n, stride in zip(shape, strides))
    data = (ctypes.c_char * (span * dtype.itemsize)).from_address(
        value.aligned + value.offset * dtype.itemsize)
    flat = numpy.frombuffer(data, dtype)
    return numpy.lib.stride_tricks.as_strided(
        flat, shape, [stride * dtype.itemsize for stride in strides]).copy()


_free = ctypes.CDLL(None).free
_free.argtypes, _free.restype = [ctypes.c_void_p], None


class _Counts(ctypes.Structure):
    """MemplanCounts of memplan-c/Runtime.h."""
    _fields_ = [*((name, ctypes.c_uint64) for name in
                  ("allocations", "frees", "births", "deaths", "uses", "usesOfDead", "dropped")),
                *((name, ctypes.c_int64) for name in
                  ("liveBytes", "peakBytes", "liveSlotBytes", "peakSlotBytes")),
                ("findings", ctypes.c_uint64)]


class Executable:
    """The function @entry of a program on memrefs, compiled. Raises ToolFailure where a program of
    LLVM is missing.

    With `observe`, `peak_bytes` is the most that the last call had allocated at one time:
    arenas, results and what is not planned (memplan-instrument).
    """

    def __init__(self, text: str, entry: str = "main", *, observe: bool = False, level: int = 1) -> None:
        self.signature = signature(text, entry)
        self._symbol, self._observe = f"_mlir_ciface_{entry}", observe
        self._folder = tempfile.TemporaryDirectory(prefix="memplan-")
        self._path = os.path.join(self._folder.name, "program.so")
        self._calls = 0
        steps = ["memplan-instrument{uses=false}"] if observe else []
        self._ir = toolchain.llvm_ir(text, steps=steps)
        self._is_shared = toolchain.has_compiler()
        if self._is_shared:
            toolchain.compile_shared(self._ir, self._path, level=level,
                                     libraries=[runtime_library(static=True)] if observe else [])
        self._library = self._load()
        self.peak_bytes = self.result_bytes = 0

    def __call__(self, *arrays: Any) -> List[Any]:
        """Calls it with an array for each argument, which it may overwrite as far as the program
        does. The results are arrays of their own."""
        import numpy
        given = [array if array.flags.c_contiguous else numpy.ascontiguousarray(array) for array in arrays]
        if len(given) != len(self.signature.arguments):
            raise TypeError(f"the program takes {len(self.signature.arguments)} arrays, not {len(given)}")
        library = self._fresh() if self._observe else self._library
        results = self.signature.results
        block = type("Results", (ctypes.Structure,), {"_fields_": [
            (f"r{n}", _descriptor_type(len(kind.shape))) for n, kind in enumerate(results)]})()
        descriptors = [_to_descriptor(array) for array in given]
        pointers = [ctypes.byref(value) for value in descriptors]
        if results:
            pointers.insert(0, ctypes.byref(block))
        getattr(library, self._symbol)(*pointers)
        if self._observe:
            counts = _Counts()
            library.memplanObserveCounts(ctypes.byref(counts), ctypes.c_size_t(ctypes.sizeof(counts)))
            self.peak_bytes = counts.peakBytes
        found = []
        #: The bytes of each allocation that a result is in.
        allocated: Dict[Optional[int], int] = {}
        for n, kind in enumerate(results):
            value = getattr(block, f"r{n}")
            array = _from_descriptor(value, len(kind.shape), kind.element)
            found.append(array.view(dtype_of(kind)) if kind.element in ("bf16", "i1") else array)
            allocated[value.allocated] = max(array.nbytes, allocated.get(value.allocated, 0))
        # A result is the caller's, unless it is an argument or a constant; two may be one allocation.
        for address in {None, 0xdeadbeef, *(value.allocated for value in descriptors)}:
            allocated.pop(address, None)
        self.result_bytes = sum(allocated.values())
        for address in allocated:
            _free(address)
        return found

    def _load(self) -> Any:
        """The program with counts of its own: a library that is copied is loaded once more."""
        path = os.path.join(self._folder.name, f"loaded{self._calls}.so")
        if self._is_shared or self._observe:
            shutil.copyfile(self._path if self._is_shared else runtime_library(), path)
        return ctypes.CDLL(path) if self._is_shared else \
            toolchain.jit(self._ir, libraries=[path] if self._observe else [])

    def _fresh(self) -> Any:
        """The program, whose counts begin with 0."""
        self._calls += 1
        if self._calls > 1:
            self._library = self._load()
        return self._library
