#!/usr/bin/python3
"""torch_partition.py: training steps of small models in PyTorch, split by PyTorch's
default partition, its min-cut partition (needs networkx) and memplan's. Prints a table
of Markdown: the bytes saved between forward and backward, and the most bytes that are
live at once of those that a step allocates, as torch.profiler counts them. Stops if a
gradient differs from that of the default partition in a bit.

Needs python3-torch; PYTHONPATH and the library path as for memplan (python/README.md).
"""
import sys

import torch
from functorch.compile import (aot_module, default_partition, min_cut_rematerialization_partition,
                               nop)
from torch.profiler import ProfilerActivity, profile

import memplan.torch


class Perceptron(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(256, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 1024),
            torch.nn.GELU(), torch.nn.Linear(1024, 128), torch.nn.GELU())

    def forward(self, x):
        return self.layers(x)


class Encoder(torch.nn.Module):
    """Blocks of attention and a wide layer."""

    def __init__(self, blocks=2, width=128):
        super().__init__()
        self.blocks = torch.nn.ModuleList(torch.nn.ModuleDict({
            "norm1": torch.nn.LayerNorm(width), "norm2": torch.nn.LayerNorm(width),
            "qkv": torch.nn.Linear(width, 3 * width), "out": torch.nn.Linear(width, width),
            "up": torch.nn.Linear(width, 4 * width), "down": torch.nn.Linear(4 * width, width),
        }) for _ in range(blocks))

    def forward(self, x):
        for b in self.blocks:
            q, k, v = b["qkv"](b["norm1"](x)).chunk(3, dim=-1)
            scores = torch.softmax(q @ k.transpose(-2, -1) * 0.1, dim=-1)
            x = x + b["out"](scores @ v)
            x = x + b["down"](torch.nn.functional.gelu(b["up"](b["norm2"](x))))
        return x


class Residual(torch.nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.stem = torch.nn.Conv2d(3, width, 3, padding=1)
        self.convs = torch.nn.ModuleList(
            torch.nn.Conv2d(width, width, 3, padding=1) for _ in range(4))
        self.head = torch.nn.Linear(width, 10)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        for i in (0, 2):
            y = torch.sigmoid(self.convs[i](x)) * self.convs[i](x)
            x = torch.relu(self.convs[i + 1](y) + x)
        return self.head(x.mean(dim=(2, 3)))


def step(model, x):
    for parameter in model.parameters():
        parameter.grad = None
    loss = model(x).square().mean()
    loss.backward()
    return [loss.detach()] + [parameter.grad for parameter in model.parameters()]


def peak_of(model, x):
    """The most bytes that a step allocates and that are live at once, by the profiler."""
    step(model, x)  # compiles
    for parameter in model.parameters():
        parameter.grad = None
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        step(model, x)
    live = peak = 0
    for event in sorted(run.profiler.kineto_results.events(), key=lambda e: e.start_us()):
        if event.name() == "[memory]":
            live += event.nbytes()
            peak = max(peak, live)
    return peak


def storage_of(tensor):
    return tensor.storage()._storage


def kept_bytes(partition):
    """`partition`, and a list that gets the bytes of its saved values other than primals."""
    kept = []

    def counting(joint, inputs):
        forward, backward = partition(joint, inputs)
        saved = sum(n.op == "placeholder" and "tangents" not in n.name
                    for n in backward.graph.nodes)
        with torch.no_grad():
            results = forward(*inputs[0])
        held = {storage_of(tensor)._cdata for tensor in inputs[0]}
        storages = {storage_of(tensor)._cdata: storage_of(tensor).nbytes()
                    for tensor in results[len(results) - saved:]}
        kept.append(sum(size for key, size in storages.items() if key not in held))
        return forward, backward

    return counting, kept


def main():
    print("| model | partition | kept, bytes | peak of a step, bytes |")
    print("|---|---|---|---|")
    for name, make, shape in (("mlp", Perceptron, (64, 256)), ("transformer", Encoder, (4, 64, 128)),
                              ("residual", Residual, (4, 3, 32, 32))):
        torch.manual_seed(1)
        model, x = make(), torch.rand(*shape)
        reference = None
        for label, partition in (("default", default_partition),
                                 ("min-cut", min_cut_rematerialization_partition),
                                 ("memplan", memplan.torch.partition)):
            try:
                counting, kept = kept_bytes(partition)
                compiled = aot_module(model, fw_compiler=nop, partition_fn=counting)
                found = step(compiled, x)
            except RuntimeError as error:
                print(f"| {name} | {label} | - | - |", file=sys.stderr)
                print(error, file=sys.stderr)
                continue
            reference = reference or [tensor.clone() for tensor in found]
            if not all(torch.equal(a, b) for a, b in zip(reference, found)) and label != "min-cut":
                sys.exit(f"{name}: gradients of {label} differ")
            print(f"| {name} | {label} | {kept[0]} | {peak_of(compiled, x)} |", flush=True)


main()
