# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs on memrefs, planned or not, in this process, with numpy arrays."""
import ctypes
import os
import re
import shutil
import subprocess
import tempfile

import numpy

DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2", "bf16": "u2", "i64": "i8", "i32": "i4",
          "i16": "i2", "i8": "i1", "ui8": "u1", "i1": "u1", "index": "i8"}


def tool(name):
    """A tool of LLVM 22, or memplan-opt from MEMPLAN_OPT or PATH."""
    if name == "memplan-opt":
        return os.environ.get("MEMPLAN_OPT", name)
    folder = subprocess.run(["llvm-config-22", "--bindir"], capture_output=True, text=True,
                            check=True).stdout.strip()
    return shutil.which(name, path=folder) or name


def call(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:2])}: {done.stderr[:1500]}")
    return done.stdout


def descriptor(rank):
    fields = [("allocated", ctypes.c_void_p), ("aligned", ctypes.c_void_p),
              ("offset", ctypes.c_int64)]
    if rank:
        fields += [("sizes", ctypes.c_int64 * rank), ("strides", ctypes.c_int64 * rank)]
    return type(f"Descriptor{rank}", (ctypes.Structure,), {"_fields_": fields})


def to_descriptor(array):
    value = descriptor(array.ndim)()
    value.allocated = value.aligned = array.ctypes.data
    value.offset = 0
    if array.ndim:
        value.sizes[:] = array.shape
        value.strides[:] = [stride // array.itemsize for stride in array.strides]
    return value


def from_descriptor(value, rank, dtype):
    itemsize = numpy.dtype(dtype).itemsize
    shape = tuple(value.sizes) if rank else ()
    strides = tuple(s * itemsize for s in value.strides) if rank else ()
    count = int(numpy.prod(shape)) if rank else 1
    if count == 0:
        return numpy.zeros(shape, dtype)
    span = 1 + sum((n - 1) * s for n, s in zip(shape, value.strides)) if rank else 1
    data = (ctypes.c_char * (span * itemsize)).from_address(value.aligned
                                                            + value.offset * itemsize)
    flat = numpy.frombuffer(data, dtype=dtype)
    return numpy.lib.stride_tricks.as_strided(flat, shape, strides).copy()


def result_types(text, entry):
    """Rank and dtype of each memref that the function returns."""
    head = re.search(rf"func\.func (?:public )?@{re.escape(entry)}\((.*)$", text, re.M).group(1)
    results = head.split("->", 1)[1] if "->" in head else ""
    found = []
    for body in re.findall(r"memref<([^<>]*)>", results):
        *sizes, element = body.split(",")[0].split("x")
        found.append((len(sizes), DTYPES[element]))
    return found


class Native:
    """A program on memrefs, compiled."""

    def __init__(self, text, entry="main"):
        self.results = result_types(text, entry)
        with tempfile.TemporaryDirectory() as folder:
            pipeline = "builtin.module(func.func(llvm-request-c-wrappers),memplan-to-llvm)"
            llvm = call([tool("memplan-opt"), "-", f"--pass-pipeline={pipeline}"], text)
            ir = call([tool("mlir-translate"), "--mlir-to-llvmir"], llvm)
            path = os.path.join(folder, "program.so")
            with open(os.path.join(folder, "program.ll"), "w") as file:
                file.write(ir)
            libraries = subprocess.run(["llvm-config-22", "--libdir"], capture_output=True,
                                       text=True, check=True).stdout.strip()
            subprocess.run([tool("clang"), "-O1", "-shared", "-fPIC", "-Wno-override-module",
                            os.path.join(folder, "program.ll"), "-o", path, "-lm",
                            f"-L{libraries}", f"-Wl,-rpath,{libraries}",
                            "-lmlir_c_runner_utils", "-lmlir_float16_utils"], check=True)
            self.loaded = ctypes.CDLL(path)
        self.function = getattr(self.loaded, f"_mlir_ciface_{entry}")

    def __call__(self, *arguments):
        arguments = [numpy.ascontiguousarray(a) for a in arguments]
        descriptors = [to_descriptor(array) for array in arguments]
        fields = [(f"r{n}", descriptor(rank)) for n, (rank, _) in enumerate(self.results)]
        block = type("Results", (ctypes.Structure,), {"_fields_": fields})()
        pointers = [ctypes.byref(value) for value in descriptors]
        if self.results:
            pointers.insert(0, ctypes.byref(block))
        self.function(*pointers)
        return [from_descriptor(getattr(block, f"r{n}"), rank, dtype)
                for n, (rank, dtype) in enumerate(self.results)]
