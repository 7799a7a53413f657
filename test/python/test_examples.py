# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples with frameworks run, and print what they say."""
import os
import re
import subprocess
import sys

import pytest

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples",
                      "frameworks")


@pytest.mark.parametrize("name, packages, said", [
    ("decode", ["torch", "iree.compiler"], r"@step: \d+ buffers, arena .*bytes"),
    ("resnet_onnx", ["torch", "onnx", "onnxscript", "iree.compiler"],
     r"@main: \d+ weights, \d+ buffers, arena .* bytes, page of \d+ bytes"),
    ("jax_train", ["jax", "iree.compiler"], r"@\w+: \d+ buffers, arena \d+ bytes, bound \d+"),
    ("executorch_plan", ["executorch"], r"ExecuTorch: \d+ bytes\nmemplan: \d+ bytes\nequal"),
    ("tflm_plan", ["tflite_micro"], r"equal\n4 tensors, arena 128 bytes, bound 128"),
])
def test_example(name, packages, said):
    for package in packages:
        pytest.importorskip(package)
    done = subprocess.run([sys.executable, "-W", "ignore", os.path.join(FOLDER, f"{name}.py")],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert re.search(said, done.stdout), done.stdout
