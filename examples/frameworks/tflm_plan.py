# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tflm_plan.py [IN OUT]: puts the offsets of memplan into a model of TensorFlow Lite Micro.

Without arguments it takes the model that the package tflite_micro brings along, and runs it
before and after.
"""
import os
import sys

import memplan.tflm


def main():
    if len(sys.argv) == 3:
        with open(sys.argv[1], "rb") as file:
            planned = memplan.tflm.plan(file.read())
        with open(sys.argv[2], "wb") as file:
            file.write(planned.model)
    else:
        import numpy
        import tflite_micro
        path = os.path.join(os.path.dirname(tflite_micro.runtime.__file__), "sine_float.tflite")
        with open(path, "rb") as file:
            model = file.read()
        planned = memplan.tflm.plan(model)
        outputs = []
        for data in (model, planned.model):
            interpreter = tflite_micro.runtime.Interpreter.from_bytes(data, arena_size=1 << 16)
            interpreter.set_input(numpy.float32([[0.5]]), 0)
            interpreter.invoke()
            outputs.append(interpreter.get_output(0).tobytes())
        print("equal" if outputs[0] == outputs[1] else "different")
    print(f"{sum(offset >= 0 for offset in planned.offsets)} tensors, arena {planned.arena_size} "
          f"bytes, bound {planned.lower_bound}")


if __name__ == "__main__":
    main()
