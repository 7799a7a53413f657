# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""_litert.py MODEL INPUTS RESULTS KERNELS: runs a .tflite model in a process of its own, because a
kernel that does not like a model ends the process.

INPUTS is an .npz file with arrays 0, 1, ... in the order of the model, or - for zeros. RESULTS gets
the results as r0, r1, ..., and all tensors as t0, t1, ... by their numbers. KERNELS is
BUILTIN_REF or BUILTIN_WITHOUT_DEFAULT_DELEGATES.
"""
import importlib
import sys

import numpy


def main(model: str, inputs: str, results: str, kernels: str) -> None:
    try:
        module = importlib.import_module("ai_edge_litert.interpreter")
    except ImportError:
        module = importlib.import_module("tensorflow.lite.python.interpreter")
    interpreter = module.Interpreter(
        model, experimental_op_resolver_type=getattr(module.OpResolverType, kernels),
        experimental_preserve_all_tensors=True)
    details = interpreter.get_input_details()
    if inputs != "-":
        held = numpy.load(inputs)
        arrays = [held[str(number)] for number in range(len(details))]
        for detail, array in zip(details, arrays):
            if tuple(detail["shape"]) != array.shape:
                interpreter.resize_tensor_input(detail["index"], array.shape)
    else:
        arrays = [numpy.zeros(detail["shape"], detail["dtype"]) for detail in details]
    interpreter.allocate_tensors()
    for detail, array in zip(details, arrays):
        interpreter.set_tensor(detail["index"], array.view(detail["dtype"]))
    interpreter.invoke()
    found = {f"r{n}": interpreter.get_tensor(detail["index"])
             for n, detail in enumerate(interpreter.get_output_details())}
    names = {}
    for detail in interpreter.get_tensor_details():
        try:
            found[f"t{detail['index']}"] = interpreter.get_tensor(detail["index"])
            names[detail["index"]] = detail["name"]
        except ValueError:  # It has no memory of its own.
            continue
    numpy.savez(results, names=numpy.array([names.get(n, "") for n in range(max(names, default=-1) + 1)]),
                **found)


if __name__ == "__main__":
    main(*sys.argv[1:])
