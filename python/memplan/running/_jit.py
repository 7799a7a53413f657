# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that LLVM's library compiles in this process: where no compiler is installed, that
library still is, because MLIR needs it. MLIR's own execution engine is the same, but has no interface for C in a
shared library."""
from __future__ import annotations

import ctypes
import os
import platform
import sys
from typing import Any, Optional, Sequence

from ..core import MemplanError

_TARGETS = {"x86_64": "X86", "aarch64": "AArch64", "arm64": "AArch64", "riscv64": "RISCV"}


def load() -> Optional[Any]:
    """libLLVM of version 22; None if there is none, or none for this machine."""
    target = _TARGETS.get(platform.machine())
    names = ["libLLVM.so.22.1", "/usr/lib/llvm-22/lib/libLLVM.so.22.1", "/usr/local/opt/llvm@22/lib/libLLVM.dylib"]
    for name in names if target else ():
        try:
            found = ctypes.CDLL(name)
        except OSError:
            continue
        for part in ("TargetInfo", "Target", "TargetMC", "AsmPrinter"):
            getattr(found, f"LLVMInitialize{target}{part}")()
        return found
    return None


class Jit:
    """The functions of a program in LLVM IR, as attributes. `libraries` are shared ones that it calls."""

    def __init__(self, llvm: Any, ir: str, libraries: Sequence[str] = ()) -> None:
        self._llvm = llvm
        for name in ("LLVMContextCreate", "LLVMCreateMemoryBufferWithMemoryRangeCopy", "LLVMCreatePassBuilderOptions",
                     "LLVMOrcCreateNewThreadSafeContextFromLLVMContext", "LLVMOrcCreateNewThreadSafeModule",
                     "LLVMOrcLLJITGetMainJITDylib", "LLVMRunPasses",
                     "LLVMOrcLLJITAddLLVMIRModule", "LLVMOrcLLJITLookup", "LLVMOrcCreateLLJIT",
                     "LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess",
                     "LLVMOrcCreateDynamicLibrarySearchGeneratorForPath"):
            getattr(llvm, name).restype = ctypes.c_void_p
        llvm.LLVMOrcLLJITGetGlobalPrefix.restype = ctypes.c_char
        data = ir.encode("utf-8", "surrogateescape")
        context = ctypes.c_void_p(llvm.LLVMContextCreate())
        buffer = ctypes.c_void_p(llvm.LLVMCreateMemoryBufferWithMemoryRangeCopy(data, ctypes.c_size_t(len(data)), b"program"))
        module, message = ctypes.c_void_p(), ctypes.c_char_p()
        if llvm.LLVMParseIRInContext(context, buffer, ctypes.byref(module), ctypes.byref(message)):
            raise MemplanError(f"LLVM cannot read the program: {(message.value or b'').decode()[:300]}")
        options = ctypes.c_void_p(llvm.LLVMCreatePassBuilderOptions())
        self._check(llvm.LLVMRunPasses(module, b"default<O1>", None, options))
        llvm.LLVMDisposePassBuilderOptions(options)
        self._jit = ctypes.c_void_p()
        self._check(llvm.LLVMOrcCreateLLJIT(ctypes.byref(self._jit), None))
        main = ctypes.c_void_p(llvm.LLVMOrcLLJITGetMainJITDylib(self._jit))
        prefix = ctypes.c_char(llvm.LLVMOrcLLJITGetGlobalPrefix(self._jit))

        def add(make: Any, *arguments: Any) -> None:
            generator = ctypes.c_void_p()
            self._check(make(ctypes.byref(generator), *arguments))
            llvm.LLVMOrcJITDylibAddGenerator(main, generator)

        for path in libraries:
            add(llvm.LLVMOrcCreateDynamicLibrarySearchGeneratorForPath, os.fsencode(path), prefix, None, None)
        add(llvm.LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess, prefix, None, None)
        owner = ctypes.c_void_p(llvm.LLVMOrcCreateNewThreadSafeContextFromLLVMContext(context))
        whole = ctypes.c_void_p(llvm.LLVMOrcCreateNewThreadSafeModule(module, owner))
        llvm.LLVMOrcDisposeThreadSafeContext(owner)
        self._check(llvm.LLVMOrcLLJITAddLLVMIRModule(self._jit, main, whole))

    def _check(self, error: Optional[int]) -> None:
        if error:
            self._llvm.LLVMGetErrorMessage.restype = ctypes.c_char_p
            text = self._llvm.LLVMGetErrorMessage(ctypes.c_void_p(error)).decode()
            raise MemplanError(f"LLVM cannot compile the program: {text[:300]}")

    def __getattr__(self, name: str) -> Any:
        address = ctypes.c_uint64()
        self._check(self._llvm.LLVMOrcLLJITLookup(self._jit, ctypes.byref(address), name.encode()))
        function = ctypes.CFUNCTYPE(None)(address.value)
        setattr(self, name, function)
        return function

    def __del__(self) -> None:
        jit = self.__dict__.get("_jit")
        if jit and not sys.is_finalizing():
            self._llvm.LLVMOrcDisposeLLJIT.restype = ctypes.c_void_p
            self._llvm.LLVMOrcDisposeLLJIT(jit)
