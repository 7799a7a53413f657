# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""decode.py: one step of decoding of a small transformer, with a cache of free length.

The plan is for all lengths from 2 to 2048: its offsets are computed when the step runs.
Prints the bytes of the arena for some lengths. Needs torch and iree-base-compiler.
"""
import torch

import memplan
from memplan.importers import torch as importer

WIDTH, HEADS, LAYERS, WORDS = 64, 4, 2, 100


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.norm2 = torch.nn.LayerNorm(WIDTH), torch.nn.LayerNorm(WIDTH)
        self.qkv = torch.nn.Linear(WIDTH, 3 * WIDTH)
        self.out = torch.nn.Linear(WIDTH, WIDTH)
        self.up, self.down = torch.nn.Linear(WIDTH, 4 * WIDTH), torch.nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x, keys, values):
        q, k, v = (part.unflatten(-1, (HEADS, -1)).transpose(1, 2)
                   for part in self.qkv(self.norm(x)).chunk(3, -1))
        keys, values = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        scores = torch.softmax(q @ keys.transpose(-1, -2) / 4.0, -1)
        x = x + self.out((scores @ values).transpose(1, 2).flatten(2))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x)))), keys, values


class Decoder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(WORDS, WIDTH)
        self.layers = torch.nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = torch.nn.Linear(WIDTH, WORDS)

    def forward(self, word, *cache):
        x, grown = self.embed(word), []
        for layer, keys, values in zip(self.layers, cache[::2], cache[1::2]):
            x, keys, values = layer(x, keys, values)
            grown += [keys, values]
        return self.head(x), *grown


def model():
    """The module, example arguments and free sizes: what `python -m memplan plan
    decode:model` takes."""
    length = torch.export.Dim("length", min=2, max=2048)
    cache = [torch.zeros(1, HEADS, 16, WIDTH // HEADS) for _ in range(2 * LAYERS)]
    return (Decoder(), (torch.tensor([[1]]), *cache),
            {"word": None, "cache": tuple({2: length} for _ in cache)})


def main():
    module, arguments, shapes = model()
    exported = torch.export.export(module.eval(), arguments, dynamic_shapes=shapes)
    program = memplan.plan(importer.from_exported(exported, "step").text, from_tensors=True)
    for arena in program.arenas:
        print(f"@{arena.function}: {len(arena.buffers)} buffers, arena {arena.arena_size} bytes")


if __name__ == "__main__":
    main()
