# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ten networks of the kinds that are in use, small and with random weights; each function returns a
module, its example arguments and its free sizes."""
import functools

import torch
from torch import nn
from torch.nn import functional

MODELS = []


def model(function):
    """Weights and inputs are the same in each process."""
    @functools.wraps(function)
    def seeded():
        torch.manual_seed(11)
        module, arguments, shapes = function()
        return module.eval(), arguments, shapes

    MODELS.append(function.__name__)
    return seeded


def dim(name, least=1, greatest=64):
    return torch.export.Dim(name, min=least, max=greatest)


class Residual(nn.Module):
    def __init__(self, inner, skip=None):
        super().__init__()
        self.inner, self.skip = inner, skip or nn.Identity()

    def forward(self, x):
        return self.skip(x) + self.inner(x)


@model
def resnet():
    def block(given, made, stride):
        skip = nn.Sequential(nn.Conv2d(given, made, 1, stride), nn.BatchNorm2d(made)) if stride > 1 else None
        return nn.Sequential(Residual(nn.Sequential(
            nn.Conv2d(given, made, 3, stride, 1), nn.BatchNorm2d(made), nn.ReLU(), nn.Conv2d(made, made, 3, 1, 1),
            nn.BatchNorm2d(made)), skip), nn.ReLU())
    net = nn.Sequential(nn.Conv2d(3, 8, 7, 2, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(3, 2, 1), block(8, 8, 1),
                        block(8, 16, 2), block(16, 16, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 10))
    return net, (torch.randn(2, 3, 32, 32),), ({0: dim("B")},)


@model
def convnext():
    class Last(nn.Module):
        """Normalizes channels, which are the last dimension then."""
        def __init__(self, width):
            super().__init__()
            self.norm, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x):
            x = self.norm(x.permute(0, 2, 3, 1))
            return self.down(functional.gelu(self.up(x))).permute(0, 3, 1, 2)

    net = nn.Sequential(nn.Conv2d(3, 8, 4, 4), *(Residual(nn.Sequential(
        nn.Conv2d(8, 8, 7, padding=3, groups=8), Last(8))) for _ in range(2)), nn.Conv2d(8, 16, 2, 2),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.LayerNorm(16), nn.Linear(16, 5))
    return net, (torch.randn(2, 3, 32, 32),), ({0: dim("B")},)


@model
def mobilenet():
    def inverted(given, made, stride):
        wide = 4 * given
        inner = nn.Sequential(nn.Conv2d(given, wide, 1), nn.BatchNorm2d(wide), nn.Hardswish(),
                              nn.Conv2d(wide, wide, 3, stride, 1, groups=wide), nn.BatchNorm2d(wide), nn.Hardswish(),
                              nn.Conv2d(wide, made, 1), nn.BatchNorm2d(made))
        return Residual(inner) if stride == 1 and given == made else inner
    net = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.ReLU6(), inverted(8, 8, 1), inverted(8, 16, 2), inverted(16, 16, 1),
                        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 7))
    return net, (torch.randn(2, 3, 24, 24),), ({0: dim("B")},)


@model
def vit():
    class Vit(nn.Module):
        def __init__(self):
            super().__init__()
            self.patch, self.token = nn.Conv2d(3, 16, 8, 8), nn.Parameter(torch.randn(1, 1, 16))
            self.place = nn.Parameter(torch.randn(1, 17, 16))
            layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True, activation="gelu")
            self.encoder, self.head = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), nn.Linear(16, 6)

        def forward(self, x):
            x = self.patch(x).flatten(2).transpose(1, 2)
            x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
            return self.head(self.encoder(x)[:, 0])
    return Vit(), (torch.randn(2, 3, 32, 32),), ({0: dim("B")},)


@model
def translator():
    """An encoder and a decoder, with free lengths."""
    class Translator(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(20, 16)
            self.inner = nn.Transformer(16, 2, 1, 1, 32, batch_first=True)
            self.head = nn.Linear(16, 20)

        def forward(self, source, target):
            places = torch.arange(target.shape[1])
            mask = torch.where(places[None] <= places[:, None], 0.0, -1e9)
            return self.head(self.inner(self.words(source), self.words(target), tgt_mask=mask, tgt_is_causal=False))
    return Translator(), (torch.randint(20, (1, 5)), torch.randint(20, (1, 7))), \
        ({1: dim("S", 2)}, {1: dim("T", 2)})


@model
def lstm():
    class Tagger(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm, self.head = nn.LSTM(6, 8, 2, batch_first=True, bidirectional=True), nn.Linear(16, 4)

        def forward(self, x):
            return self.head(self.lstm(x)[0])
    return Tagger(), (torch.randn(3, 6, 6),), None


@model
def gru():
    """One step, whose state is an argument that it overwrites."""
    class Step(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.head = nn.GRUCell(6, 8), nn.Linear(8, 3)

        def forward(self, x, state):
            state.copy_(self.cell(x, state))
            return self.head(state)
    return Step(), (torch.randn(2, 6), torch.randn(2, 8)), ({0: dim("B")}, {0: dim("B")})


@model
def unet():
    class Unet(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.down = nn.Conv2d(1, 8, 3, padding=1), nn.Conv2d(8, 16, 3, 2, 1)
            self.up, self.join, self.head = nn.ConvTranspose2d(16, 8, 2, 2), nn.Conv2d(16, 8, 3, padding=1), nn.Conv2d(8, 2, 1)

        def forward(self, x):
            one = self.first(x).relu()
            two = self.down(one).relu()
            return self.head(self.join(torch.cat([one, self.up(two)], 1)).relu())
    return Unet(), (torch.randn(2, 1, 16, 16),), ({0: dim("B")},)


@model
def diffusion():
    """A block that takes a time and attends to a text."""
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.conv, self.time = nn.GroupNorm(4, 16), nn.Conv2d(16, 16, 3, padding=1), nn.Linear(8, 16)
            self.attention = nn.MultiheadAttention(16, 2, kdim=12, vdim=12, batch_first=True)

        def forward(self, x, time, text):
            angles = time[:, None] * torch.exp(-torch.arange(4.0))
            shift = self.time(torch.cat([angles.sin(), angles.cos()], 1))
            y = self.conv(functional.silu(self.norm(x))) + shift[:, :, None, None]
            rows = y.flatten(2).transpose(1, 2)
            rows = rows + self.attention(rows, text, text, need_weights=False)[0]
            return x + rows.transpose(1, 2).reshape(x.shape)
    return Block(), (torch.randn(2, 16, 8, 8), torch.rand(2), torch.randn(2, 5, 12)), \
        ({0: dim("B")}, {0: dim("B")}, {0: dim("B"), 1: dim("S", 2)})


@model
def deformable():
    """Samples where it says itself."""
    class Deformable(nn.Module):
        def __init__(self):
            super().__init__()
            self.offset, self.conv = nn.Conv2d(3, 2, 3, padding=1), nn.Conv2d(3, 4, 3, padding=1)

        def forward(self, x):
            base = functional.affine_grid(torch.eye(2, 3)[None].expand(x.shape[0], -1, -1), list(x.shape),
                                          align_corners=False)
            grid = base + 0.1 * self.offset(x).permute(0, 2, 3, 1).tanh()
            return self.conv(functional.grid_sample(x, grid, align_corners=False, padding_mode="border"))
    return Deformable(), (torch.randn(2, 3, 9, 9),), ({0: dim("B")},)
