# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small residual network: the branches live beside each other, and most buffers share memory."""
import torch


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = torch.nn.Conv2d(channels, channels, 3, padding=1)
        self.second = torch.nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return (x + self.second(self.first(x).relu())).relu()


torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Conv2d(3, 16, 3, padding=1), Block(16), Block(16), Block(16),
                          torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten(), torch.nn.Linear(16, 10))
