# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""jax_train.py: a training step of JAX with its gradients, and its plan.

Compares the arena with the memory that XLA takes for the same function. Needs jax and
iree-base-compiler.
"""
import jax
import jax.numpy as np

import memplan
from memplan.importers import jax as importer


def loss(weights, x, y):
    for weight in weights[:-1]:
        x = np.tanh(x @ weight)
    return ((x @ weights[-1] - y) ** 2).mean()


def step(weights, x, y):
    """The loss and the next weights."""
    value, gradients = jax.value_and_grad(loss)(weights, x, y)
    return value, [weight - 0.1 * gradient for weight, gradient in zip(weights, gradients)]


def arguments():
    sizes = [64, 256, 256, 8]
    keys = jax.random.split(jax.random.key(0), len(sizes) + 1)
    weights = [jax.random.normal(key, shape) / 16
               for key, shape in zip(keys, zip(sizes, sizes[1:]))]
    return weights, jax.random.normal(keys[-2], (32, 64)), jax.random.normal(keys[-1], (32, 8))


def main():
    lowered = jax.jit(step).lower(*arguments())
    imported = importer.from_object("step", lowered, None, (), "step")
    # Temporaries lie in the memory of gradients that are not written yet.
    program = memplan.plan(imported.text, from_tensors=True, results="lend")
    for arena in program.arenas:
        print(f"@{arena.function}: {len(arena.buffers)} buffers, arena {arena.arena_size} bytes, "
              f"bound {arena.lower_bound}, with the results")
    memory = lowered.compile().memory_analysis()
    if memory is not None:
        print(f"XLA: {memory.temp_size_in_bytes} bytes of temporaries, "
              f"{memory.output_size_in_bytes} of results")


if __name__ == "__main__":
    main()
