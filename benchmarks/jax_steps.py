# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax_steps.py: the memory of training steps of JAX, with and without results=lend.

Each step returns the loss and its gradients. Prints a row for each: the arena and the
results, what they are together with results=lend, the most that is live at once, and
XLA's memory for the same function. Needs jax and iree-base-compiler.
"""
import json

import jax
import jax.numpy as np

import memplan
from memplan.importers import jax as importer

WIDTH, HEADS, LAYERS = 64, 4, 3


def normalize(x):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def layer(x, weights):
    batch, tokens, width = x.shape

    def split(a):
        return a.reshape(batch, tokens, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    q, k, v = map(split, np.split(normalize(x) @ weights["qkv"], 3, axis=-1))
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(width / HEADS)
    scores = np.where(np.tril(np.ones((tokens, tokens), bool)), scores, -1e9)
    mixed = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    x = x + mixed @ weights["out"]
    return x + jax.nn.gelu(normalize(x) @ weights["up"]) @ weights["down"]


def transformer(weights, x, y):
    for own in weights:
        x = layer(x, own)
    return ((x - y) ** 2).mean()


def convolve(x, kernel, stride):
    return jax.nn.relu(jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))


def network(weights, x, y):
    for kernel, stride in zip(weights, (1, 2, 2)):
        x = convolve(x, kernel, stride)
    return ((x.mean((1, 2)) @ weights[3] - y) ** 2).mean()


def steps():
    shapes = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH),
              "down": (4 * WIDTH, WIDTH)}
    yield ("transformer", transformer,
           [{name: np.zeros(shape) for name, shape in shapes.items()} for _ in range(LAYERS)],
           np.zeros((4, 32, WIDTH)), np.zeros((4, 32, WIDTH)))
    kernels = [(3, 3, 3, 16), (3, 3, 16, 32), (3, 3, 32, 64), (64, 10)]
    yield ("convolution network", network, [np.zeros(shape) for shape in kernels],
           np.zeros((4, 32, 32, 3)), np.zeros((4, 10)))


def main():
    for name, loss, *arguments in steps():
        lowered = jax.jit(jax.value_and_grad(loss)).lower(*arguments)
        text = importer.from_object("step", lowered, None, (), "step").text
        alone = json.loads(memplan.plan(text, from_tensors=True).report)["totals"]
        lent = json.loads(memplan.plan(text, from_tensors=True, results="lend").report)["totals"]
        # One arena for all is as large as what is live at once.
        one = memplan.plan(text, from_tensors=True, results="arena", arena="argument")
        arena, results = alone["arena_bytes"], alone["results"]["bytes"]
        together = lent["arena_bytes"] + lent["unplanned_bytes"]
        live = json.loads(one.report)["totals"]["arena_bytes"]
        memory = lowered.compile().memory_analysis()
        print(f"| {name} | {arena} | {results} | {(arena + results) / live:.3f} | {together} | "
              f"{together / live:.3f} | {live} | {memory.temp_size_in_bytes} | "
              f"{memory.output_size_in_bytes} |")


if __name__ == "__main__":
    main()
