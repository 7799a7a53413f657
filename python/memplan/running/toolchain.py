# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a planned program to machine code: memplan's own passes, then the programs of LLVM 22."""
from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from typing import List, Optional, Sequence

from ..core import MemplanError
from ..program import run_pipeline
from . import _jit
from ._jit import Jit

#: The packages of Debian and Ubuntu (from apt.llvm.org).
_PACKAGES = {"clang": "clang-22", "mlir-translate": "mlir-22-tools", "llc": "llvm-22"}
_FOLDERS = ("/usr/lib/llvm-22/bin", "/usr/local/opt/llvm@22/bin")
#: Libraries of MLIR with what lowered programs may call: copies of strided memrefs, and conversions
#: of narrow floats where the machine has none.
_LIBRARIES = ("mlir_c_runner_utils", "mlir_float16_utils")


class ToolFailure(MemplanError):
    """A program of LLVM that is missing or fails."""


def find(name: str) -> Optional[str]:
    """The path of a program of LLVM 22: MEMPLAN_CLANG and the like, `name-22`, or `name` in the
    folders of LLVM 22."""
    given = os.environ.get("MEMPLAN_" + name.upper().replace("-", "_"))
    if given:
        return shutil.which(given)
    return shutil.which(f"{name}-22") or shutil.which(name, path=os.pathsep.join(_FOLDERS)) or \
        shutil.which(name)


def need(name: str, why: str) -> str:
    path = find(name)
    if not path:
        raise ToolFailure(f"{why} needs {name} of LLVM 22, which is not installed: on Debian and Ubuntu "
                          f"'apt install {_PACKAGES[name]}' (from apt.llvm.org)")
    return path


def _call(command: Sequence[str], text: Optional[str] = None) -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True,
                          encoding="utf-8", errors="surrogateescape")
    if done.returncode:
        said = (done.stderr.strip() or f"exit status {done.returncode}").split("\n")
        raise ToolFailure(f"{os.path.basename(command[0])} failed: {' '.join(said[:3])[:600]}")
    return done.stdout


def llvm_ir(text: str, *, steps: Sequence[str] = ()) -> str:
    """LLVM IR of a program on memrefs, whose functions get entries for C. `steps` are passes that
    run before it is lowered."""
    translate = need("mlir-translate", "lowering a program")
    passes = ["func.func(llvm-request-c-wrappers)", *steps, "memplan-to-llvm"]
    lowered = run_pipeline(text, f"builtin.module({','.join(passes)})").text
    return _call([translate, "--mlir-to-llvmir"], lowered)


def has_compiler() -> bool:
    return bool(_find_compiler())


def _find_compiler() -> str:
    """The compiler of LLVM IR; llc does where there is no clang. "" if there is none."""
    clang = find("clang")
    if clang and re.search(r"version 2[2-9]\.", _call([clang, "--version"])):
        return clang
    llc = find("llc")
    if llc and shutil.which("cc"):
        return llc
    return ""


def _compiler() -> str:
    found = _find_compiler()
    if found:
        return found
    raise ToolFailure("compiling a program needs clang of LLVM 22, which is not installed: on Debian and "
                      f"Ubuntu 'apt install {_PACKAGES['clang']}' (from apt.llvm.org); llc of LLVM 22 with cc "
                      "does as well")


def _object(ir: str, path: str, level: int, flags: Sequence[str]) -> None:
    compiler = _compiler()
    source = path + ".ll"
    with open(source, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(ir)
    try:
        if "llc" in os.path.basename(compiler):
            _call([compiler, f"-O{level}", "-filetype=obj", "-relocation-model=pic", *flags, source, "-o", path])
        else:
            _call([compiler, f"-O{level}", "-c", "-fPIC", "-Wno-override-module", *flags, source, "-o", path])
    finally:
        os.unlink(source)


def compile_object(ir: str, path: str, *, level: int = 2, flags: Sequence[str] = ()) -> None:
    """Writes an object file; `flags` go to the compiler, such as --target."""
    _object(ir, path, level, flags)


def join_objects(objects: Sequence[str], path: str) -> None:
    """Writes one object file that has all of them."""
    if len(objects) == 1:
        shutil.copyfile(objects[0], path)
    else:
        _call([find("clang") or shutil.which("cc") or "cc", "-r", "-nostdlib", *objects, "-o", path])


def jit(ir: str, *, libraries: Sequence[str] = ()) -> Jit:
    """The program, compiled by LLVM's library in this process; `libraries` are shared ones that it needs."""
    llvm = _jit.load()
    if llvm is None:
        _compiler()
    found = _library_folder()
    more = [os.path.join(found, f"lib{_LIBRARIES[1]}.so")] if found else []
    return Jit(llvm, ir, [*libraries, *more])


def _library_folder() -> Optional[str]:
    folders = ["/usr/lib/llvm-22/lib", *os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)]
    return next((folder for folder in folders
                 if os.path.exists(os.path.join(folder, f"lib{_LIBRARIES[1]}.so"))), None)


def compile_shared(ir: str, path: str, *, level: int = 1, libraries: Sequence[str] = ()) -> None:
    """Writes a shared library; `libraries` are paths of further ones that it needs."""
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "program.o")
        compile_object(ir, made, level=level)
        linker = find("clang") or shutil.which("cc") or "cc"
        command = [linker, "-shared", made, *libraries, "-o", path, "-lm"]
        command += [f"-Wl,-rpath,{os.path.dirname(library)}" for library in libraries]
        found = _library_folder()
        if found:
            command += [f"-L{found}", f"-Wl,-rpath,{found}", f"-l{_LIBRARIES[1]}"]
        _call(command)


def assemble(lines: Sequence[str], path: str, flags: Sequence[str] = ()) -> None:
    """Writes an object file of an assembler's text."""
    compiler = find("clang") or shutil.which("cc")
    if not compiler:
        need("clang", "an object with the weights")
    _call([compiler or "cc", "-c", "-x", "assembler", *flags, "-", "-o", path], "\n".join(lines) + "\n")
