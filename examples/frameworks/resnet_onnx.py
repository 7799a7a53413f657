# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""resnet_onnx.py: a residual network as an ONNX file with a free batch, and its plan.

Writes the page that shows the arena beside the model. Needs torch, onnx, onnxscript and
iree-base-compiler.
"""
import os
import tempfile

import torch

import memplan
from memplan.importers import import_model


class Block(torch.nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = torch.nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = torch.nn.BatchNorm2d(outputs)
        self.second = torch.nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = torch.nn.BatchNorm2d(outputs)
        self.short = torch.nn.Conv2d(inputs, outputs, 1, stride, bias=False)

    def forward(self, x):
        y = torch.relu(self.norm(self.first(x)))
        return torch.relu(self.norm2(self.second(y)) + self.short(x))


def network():
    return torch.nn.Sequential(
        torch.nn.Conv2d(3, 16, 3, 2, 1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        Block(16, 16, 1), Block(16, 32, 2), Block(32, 64, 2),
        torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(64, 10)).eval()


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "resnet.onnx")
        torch.onnx.export(network(), (torch.zeros(2, 3, 64, 64),), path, input_names=["image"],
                          dynamic_shapes=({0: torch.export.Dim("batch", min=1, max=256)},),
                          dynamo=True, verbose=False)
        imported = import_model(path)
        program = memplan.plan(imported.text, from_tensors=True)
        page = os.path.join(folder, "resnet.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(program.to_html())
        weights = sum(argument.is_weight for argument in imported.arguments)
        for arena in program.arenas:
            print(f"@{arena.function}: {weights} weights, {len(arena.buffers)} buffers, arena "
                  f"{arena.arena_size} bytes, page of {os.path.getsize(page)} bytes")


if __name__ == "__main__":
    main()
