# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C API (memplan-c/Core.h, memplan-c/Module.h) for ctypes.

Calls release the GIL: ctypes does that for every function of a CDLL. Objects of
the library are owned by Handle.
"""
from __future__ import annotations

import ctypes
import os
import re
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p)
from pathlib import Path
from typing import Any, Callable, Optional

OK = 0
#: MemplanFormat and MemplanPageKind.
CSV, JSON, MAP, SVG, HTML, TEXT = range(6)
PLAN_PAGE, PROFILE_PAGE = range(2)
#: MemplanSoftKind.
SOFT_BYTES, SOFT_BANK = range(2)


class Range(Structure):
    _fields_ = [("start", c_int64), ("end", c_int64)]


class Buffer(Structure):
    _fields_ = [("id", c_void_p), ("id_length", c_size_t), ("size", c_int64),
                ("alignment", c_int64), ("ranges", POINTER(Range)), ("range_count", c_size_t),
                ("pinned_offset", c_int64)]


class Size(Structure):
    _fields_ = [("name", c_char_p), ("value", c_int64)]


class SoftConflict(Structure):
    _fields_ = [("first", c_size_t), ("second", c_size_t), ("weight", c_int64), ("kind", c_int)]


ProgressFunction = CFUNCTYPE(None, c_int64, c_int64, c_int64, c_void_p)


class SolveOptions(Structure):
    _fields_ = [("strategy", c_char_p), ("effort", c_char_p), ("node_limit", c_int64),
                ("time_limit_ms", c_int64), ("seed", c_uint64), ("threads", c_uint32),
                ("minimize", c_int), ("stop", c_void_p), ("progress", ProgressFunction), ("user_data", c_void_p)]


class MemoryOptions(Structure):
    _fields_ = [("hold", c_char_p), ("release", c_char_p), ("exclude", c_char_p),
                ("in_place", c_int)]


class PartitionOptions(Structure):
    _fields_ = [("strategy", c_char_p), ("recompute", c_char_p), ("primals_are_held", c_int),
                ("keep_peak", c_int), ("order_steps", c_int64), ("budget", c_int64)]


class Diagnostic(Structure):
    _fields_ = [("severity", c_int), ("message", c_char_p), ("file", c_char_p),
                ("line", c_uint32), ("column", c_uint32)]


def _folders() -> list[Path]:
    """The folders to search for the libraries: the package (in a wheel), then the lib
    folders above it (in an installed tree)."""
    package = Path(__file__).resolve().parent
    folders = [package / "lib"]
    for parent in list(package.parents)[:4]:
        folders += [parent, *sorted(parent.glob("*-linux-gnu"))]
    return folders


def find(name: str) -> Optional[Path]:
    """The file in the folders of the package and above it."""
    return next((folder / name for folder in _folders() if (folder / name).exists()), None)


def _load(name: str) -> ctypes.CDLL:
    path = find(name)
    try:
        # Without a path: in the folders of the system.
        return ctypes.CDLL(os.fspath(path) if path else name)
    except OSError as error:
        needed = re.search(r"lib(MLIR|LLVM)[^:]*\.so[^:]*", str(error))
        if needed:
            package = "libmlir-22" if needed.group(1) == "MLIR" else "libllvm22"
            raise ImportError(
                f"{name} needs {needed.group()} of LLVM 22, which this machine does not have: "
                f"install it, on Debian and Ubuntu with 'apt install {package}' "
                "(from apt.llvm.org), or set LD_LIBRARY_PATH to its folder") from None
        if path:
            raise ImportError(str(error)) from None
        raise ImportError(
            f"{error}. It is looked for beside the package, in the lib folders above it, "
            "and where the system looks: set LD_LIBRARY_PATH to the folder that has it "
            "(build/lib in a source tree)") from None


def path_of(library: ctypes.CDLL) -> str:
    """The file of a library, wherever the system found it."""
    class _Info(Structure):
        _fields_ = [("file", c_char_p), ("base", c_void_p), ("symbol", c_char_p), ("at", c_void_p)]
    info = _Info()
    found = ctypes.CDLL(None).dladdr(ctypes.cast(library.memplanVersion, c_void_p), byref(info))
    if not found:
        raise OSError(f"the file of {library._name} is not found")
    return os.fsdecode(info.file)


def _declare(library: ctypes.CDLL, name: str, result: Any, *arguments: Any) -> None:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = list(arguments)


def _load_core() -> ctypes.CDLL:
    library = _load("libMemPlanC.so")
    size_out = POINTER(c_size_t)
    object_out = POINTER(c_void_p)
    for name, result, arguments in (
        ("memplanLastError", c_char_p, ()),
        ("memplanVersion", c_char_p, ()),
        ("memplanTextFree", None, (c_void_p,)),
        ("memplanProblemCreate", c_void_p, ()),
        ("memplanProblemDestroy", None, (c_void_p,)),
        ("memplanProblemParse", c_int, (c_char_p, c_size_t, object_out)),
        ("memplanProblemAddBuffer", c_int, (c_void_p, c_char_p, c_size_t, c_int64, c_int64,
                                            POINTER(Range), c_size_t, size_out)),
        ("memplanBufferField", c_char_p, (c_size_t, POINTER(c_int64))),
        ("memplanProblemSetBufferField", c_int, (c_void_p, c_size_t, c_char_p, c_int64)),
        ("memplanProblemGetBufferField", c_int, (c_void_p, c_size_t, c_char_p, POINTER(c_int64))),
        ("memplanProblemSetField", c_int, (c_void_p, c_char_p, c_int64)),
        ("memplanProblemAddConflict", c_int, (c_void_p, c_size_t, c_size_t)),
        ("memplanProblemAddOverlap", c_int, (c_void_p, c_size_t, c_size_t, c_int64, c_int64)),
        ("memplanProblemAddSoftConflict", c_int, (c_void_p, SoftConflict)),
        ("memplanProblemSoftConflictCount", c_size_t, (c_void_p,)),
        ("memplanProblemGetSoftConflict", c_int, (c_void_p, c_size_t, POINTER(SoftConflict))),
        ("memplanProblemAddAllOrNone", c_int, (c_void_p, c_size_t, c_size_t)),
        ("memplanProblemAllOrNoneCount", c_size_t, (c_void_p,)),
        ("memplanProblemGetAllOrNone", c_int, (c_void_p, c_size_t, size_out, size_out)),
        ("memplanProblemBufferCount", c_size_t, (c_void_p,)),
        ("memplanProblemGetBuffer", c_int, (c_void_p, c_size_t, POINTER(Buffer))),
        ("memplanProblemLowerBound", c_int, (c_void_p, POINTER(c_int64))),
        ("memplanIssuesDestroy", None, (c_void_p,)),
        ("memplanIssuesCount", c_size_t, (c_void_p,)),
        ("memplanIssuesMessage", c_char_p, (c_void_p, c_size_t)),
        ("memplanIssuesBuffers", POINTER(c_uint32), (c_void_p, c_size_t, size_out)),
        ("memplanCheck", c_int, (c_void_p, c_size_t, object_out)),
        ("memplanPlanCreate", c_int, (c_void_p, POINTER(c_int64), c_size_t, object_out)),
        ("memplanPlanDestroy", None, (c_void_p,)),
        ("memplanPlanStatus", c_int, (c_void_p,)),
        ("memplanPlanOffsets", POINTER(c_int64), (c_void_p, size_out)),
        ("memplanPlanArenaSize", c_int64, (c_void_p,)),
        ("memplanPlanLowerBound", c_int64, (c_void_p,)),
        ("memplanPlanPenalty", c_int64, (c_void_p,)),
        ("memplanPlanPenaltyBound", c_int64, (c_void_p,)),
        ("memplanPlanNodes", c_int64, (c_void_p,)),
        ("memplanPlanStrategy", c_char_p, (c_void_p,)),
        ("memplanPlanMessage", c_char_p, (c_void_p,)),
        ("memplanStatusName", c_char_p, (c_int,)),
        ("memplanVerify", c_int, (c_void_p, c_void_p, c_size_t, object_out)),
        ("memplanStopCreate", c_void_p, ()),
        ("memplanStopDestroy", None, (c_void_p,)),
        ("memplanStop", None, (c_void_p,)),
        ("memplanSolveOptionsInit", None, (POINTER(SolveOptions),)),
        ("memplanSolve", c_int, (c_void_p, POINTER(SolveOptions), object_out)),
        ("memplanReport", c_int, (c_void_p, c_void_p, c_int, object_out, size_out)),
        ("memplanArenaBytes", c_int, (c_char_p, c_size_t, c_char_p, c_char_p, POINTER(Size),
                                      c_size_t, POINTER(c_int64))),
        ("memplanPage", c_int, (c_int, c_char_p, c_size_t, object_out, size_out)),
        ("memplanGraphParse", c_int, (c_char_p, c_size_t, object_out)),
        ("memplanGraphDestroy", None, (c_void_p,)),
        ("memplanGraphFormat", c_int, (c_void_p, object_out, size_out)),
        ("memplanGraphName", c_char_p, (c_void_p,)),
        ("memplanGraphOpCount", c_size_t, (c_void_p,)),
        ("memplanGraphProfile", c_int, (c_void_p, POINTER(MemoryOptions), c_int, object_out,
                                        size_out)),
        ("memplanGraphPairProfile", c_int, (c_void_p, c_void_p, POINTER(MemoryOptions), c_int,
                                            object_out, size_out)),
        ("memplanGraphProblem", c_int, (c_void_p, c_char_p, c_size_t, POINTER(MemoryOptions),
                                        c_int64, object_out)),
        ("memplanGraphPartition", c_int, (c_void_p, c_char_p, c_char_p, object_out, object_out,
                                          object_out)),
        ("memplanPartitionOptionsInit", None, (POINTER(PartitionOptions),)),
        ("memplanGraphDecidePartition", c_int, (c_void_p, POINTER(PartitionOptions), object_out,
                                                size_out)),
    ):
        # A library that was built without op graphs lacks these.
        if hasattr(library, name) or not name.startswith(("memplanGraph", "memplanPartition")):
            _declare(library, name, result, *arguments)
    return library


core = _load_core()


def _load_module() -> ctypes.CDLL:
    library = _load("libMemPlanMLIRC.so")
    for name, result, arguments in (
        ("memplanRun", c_int, (c_char_p, c_size_t, c_char_p, c_size_t, c_char_p, c_size_t,
                               POINTER(c_void_p))),
        ("memplanRunDestroy", None, (c_void_p,)),
        ("memplanRunSucceeded", c_int, (c_void_p,)),
        ("memplanRunText", c_void_p, (c_void_p, POINTER(c_size_t))),
        ("memplanRunReport", c_void_p, (c_void_p, POINTER(c_size_t))),
        ("memplanRunDiagnosticCount", c_size_t, (c_void_p,)),
        ("memplanRunDiagnostic", c_int, (c_void_p, c_size_t, POINTER(Diagnostic))),
    ):
        _declare(library, name, result, *arguments)
    return library


_module: Optional[ctypes.CDLL] = None


def module() -> ctypes.CDLL:
    """The library that needs MLIR; loaded at the first call."""
    global _module
    if _module is None:
        _module = _load_module()
    return _module


class Handle:
    """Owns an object of the library and destroys it."""

    def __init__(self, pointer: Optional[int], destroy: Callable[[int], None]) -> None:
        self.pointer = pointer
        self._destroy = destroy
        if not pointer:
            raise MemoryError("out of memory")

    def __del__(self) -> None:
        # A failed copy has no pointer.
        pointer = getattr(self, "pointer", None)
        if pointer:
            self._destroy(pointer)
            self.pointer = None


def last_error() -> str:
    return text(core.memplanLastError())


def require(result: int) -> None:
    """Raises the exception for the result of a call unless it is MEMPLAN_OK."""
    if result == OK:
        return
    raise (MemoryError if result == 3 else ValueError)(last_error())


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "surrogateescape")


def data(value: str) -> bytes:
    return value.encode("utf-8", "surrogateescape")


def word(value: str) -> bytes:
    """The text for a parameter that ends at its first NUL; ValueError if it has one."""
    if "\0" in value:
        raise ValueError(f"{value!r} has a null character")
    return data(value)


def make(call: Callable[..., int], *arguments: Any, destroy: Callable[[int], None]) -> Handle:
    """Calls a function that returns an object through its last parameter."""
    pointer = c_void_p()
    require(call(*arguments, byref(pointer)))
    return Handle(pointer.value, destroy)


def take_text(call: Callable[..., int], *arguments: Any) -> str:
    """Calls a function that returns a text and its length through its last parameters."""
    pointer, length = c_void_p(), c_size_t()
    require(call(*arguments, byref(pointer), byref(length)))
    try:
        return text(ctypes.string_at(pointer.value or 0, length.value))
    finally:
        core.memplanTextFree(pointer)


def page(kind: int, json: str) -> str:
    """The HTML page of a report or a profile in JSON."""
    encoded = data(json)
    return take_text(core.memplanPage, kind, encoded, len(encoded))
