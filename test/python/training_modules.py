# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules that a careless partition trains wrongly, each with what it is there for."""
from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import library
from torch.utils.checkpoint import CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts


@dataclass
class Case:
    make: Callable[[], nn.Module]
    inputs: Callable[[int], Tuple[Any, ...]]
    trap: str
    loss: Callable[[Any], torch.Tensor] = lambda out: out.square().mean()
    #: "whole": AOTAutograd's aot_module, without dynamo; "ops": torch.compile, op by op.
    routes: Tuple[str, ...] = ("whole", "ops")
    context: Callable[[], Any] = contextlib.nullcontext
    #: Dimensions of the first input that may be of any size.
    free: Tuple[int, ...] = ()
    #: Calls of the forward function before those of the backward one.
    forwards: int = 1
    #: What happens to the module between the two.
    between: Callable[[nn.Module], None] = lambda module: None
    #: What happens to inputs and results there.
    change: Callable[[Any, Any], None] = lambda inputs, out: None
    backwards: int = 1
    dynamo: Dict[str, Any] = field(default_factory=dict)


CASES: Dict[str, Case] = {}


def case(name, **options):
    def add(make):
        assert name not in CASES
        CASES[name] = Case(make=make, **options)
        return make
    return add


def randn(*shape, **options):
    return lambda k: (torch.randn(*shape, generator=torch.Generator().manual_seed(k), **options),)


def ints(high, *shape):
    return lambda k: (torch.randint(high, shape, generator=torch.Generator().manual_seed(k)),)


class Lambda(nn.Module):
    """Two layers with a function between."""

    def __init__(self, function, width=32, buffers=()):
        super().__init__()
        self.a, self.b, self.function = nn.Linear(width, width), nn.Linear(width, width), function
        for name, value in dict(buffers).items():
            self.register_buffer(name, value)

    def forward(self, x):
        return self.b(self.function(self, self.a(x)))


# ---------------------------------------------------------------- arguments that are overwritten

def _clone_then_overwrite(m, x):
    y = x.sin() * m.buf.clone()
    with torch.no_grad():
        m.buf.mul_(0.5)
    return y


@case("clone_then_overwrite", inputs=randn(16, 32), trap="the copy must not be made again")
def _():
    return Lambda(_clone_then_overwrite, buffers={"buf": torch.full((32,), 2.0)})


def _made_then_overwrite(m, x):
    y = x.sin() * m.buf.exp()
    with torch.no_grad():
        m.buf.add_(1.0)
    return y * m.buf.cos()


@case("made_then_overwrite", inputs=randn(16, 32), trap="what is made of the old value is not made again")
def _():
    return Lambda(_made_then_overwrite, buffers={"buf": torch.full((32,), 0.3)})


def _view_then_overwrite(m, x):
    y = x.sin() * m.buf.view(2, 16).t().reshape(32).clone() * m.buf[3:4].clone()
    with torch.no_grad():
        m.buf[1:5].copy_(y.detach().mean(0)[1:5])
    return y


@case("view_then_overwrite", inputs=randn(16, 32), trap="views of the argument; a part is written")
def _():
    return Lambda(_view_then_overwrite, buffers={"buf": torch.linspace(1, 2, 32)})


def _cast_then_overwrite(m, x):
    y = x * m.buf.to(torch.float32) + m.buf.double().sum().float()
    with torch.no_grad():
        m.buf += 1
    return y


@case("cast_then_overwrite", inputs=randn(16, 32), trap="a counter of integers is read in a product")
def _():
    return Lambda(_cast_then_overwrite, buffers={"buf": torch.ones(32, dtype=torch.int64)})


@case("state_of_two_steps", inputs=randn(4, 32), forwards=2,
      trap="a hidden state is carried in a buffer; two forward calls")
class State(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(64, 32), nn.Linear(32, 32)
        self.register_buffer("h", torch.zeros(4, 32))

    def forward(self, x):
        h = torch.tanh(self.a(torch.cat([x, self.h.clone()], 1)))
        with torch.no_grad():
            self.h.copy_(h)
        return self.b(h)


@case("buffer_changes_between", inputs=randn(16, 32),
      between=lambda m: m.buf.zero_(), trap="the program changes a buffer before the backward function")
def _():
    return Lambda(lambda m, x: (x * m.buf.exp()).tanh() * m.buf.cos(),
                  buffers={"buf": torch.full((32,), 0.5)})


@case("bias_of_norm_in_eval", inputs=randn(64, 8, 4, 4), trap="running statistics are read, not written")
def _():
    net = nn.Sequential(nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU())
    net[1].eval()
    return net


@case("norm_in_two_forwards", inputs=randn(64, 16), forwards=2, free=(0,),
      trap="the second forward overwrites what the first one read")
def _():
    return nn.Sequential(nn.Linear(16, 32), nn.BatchNorm1d(32), nn.Tanh(), nn.Linear(32, 4))


class MutatedInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)

    def forward(self, x, state):
        y = torch.tanh(self.a(x)) * state.sin()
        state.mul_(0.9).add_(y.detach(), alpha=0.1)
        return y * state


@case("mutated_input", trap="an input is read, overwritten and read again",
      inputs=lambda k: (*randn(16, 32)(k), torch.full((16, 32), 0.5)))
def _():
    return MutatedInput()


class Counted(torch.autograd.Function):
    """Adds to one row of `seen`, and its backward adds the gradient to another."""

    @staticmethod
    def forward(ctx, x, seen, other, in_forward):
        if in_forward:
            seen[0] += 1
        ctx.seen, ctx.other = seen, other
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        ctx.seen[1] += gradient.abs().mean(0)
        ctx.other.mul_(0.5).add_(ctx.seen.mean())
        return gradient.clone(), None, None, None


class WrittenInBoth(nn.Module):
    def __init__(self, in_function):
        super().__init__()
        self.a, self.in_function = nn.Linear(32, 32), in_function
        self.register_buffer("seen", torch.ones(2, 32))
        self.register_buffer("other", torch.full((3,), 0.5))

    def forward(self, x, seen=None):
        seen = self.seen if seen is None else seen
        if not self.in_function:
            seen[0].add_(1)
        y = Counted.apply(self.a(x).sin(), seen, self.other, self.in_function)
        return y.cos() * self.other.cos()[0] * seen.sin()[0]


for _where in ("function", "module"):
    # Without dynamo PyTorch cannot return what the backward function overwrites.
    case(f"written_in_both_by_{_where}", inputs=randn(16, 32), routes=("ops",),
         trap="the forward and the backward function write a row of one buffer, the backward one a second buffer")(
             lambda where=_where: WrittenInBoth(where == "function"))
    case(f"argument_written_in_both_by_{_where}", routes=("ops",), trap="the same with an argument of the caller",
         inputs=lambda k: (*randn(16, 32)(k), torch.ones(2, 32)))(
             lambda where=_where: WrittenInBoth(where == "function"))


class States(nn.Module):
    """Returns states beside the logits: what they are made of need not be kept."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 4)

    def forward(self, x):
        x = x * 0.5
        h = self.a(torch.tanh(x).exp())
        g = self.b(torch.tanh(h * 0.5).exp())
        return g, h.view(4, -1), self.c(torch.tanh(g * 0.5).exp()), torch.tanh(h.mean()) + 1.0


def _clamp(out):
    with torch.no_grad():
        out[0].clamp_(max=0.1)


def _numpy(out):
    for part in out[:2]:
        part.detach().numpy()[:] = 0


CHANGES = {
    "scale": lambda out: out[0].mul_(2), "clamp": _clamp, "rows": lambda out: out[0][:, 0].zero_(),
    "view": lambda out: out[1][1:3].mul_(3), "numpy": _numpy,
    "data": lambda out: [part.data.zero_() for part in out[:2]], "scalar": lambda out: out[3].data.mul_(3)}
for _name, _change in CHANGES.items():
    case(f"result_changed_by_{_name}", inputs=randn(16, 32), loss=lambda out: out[2].square().mean() + out[3],
         trap="the program changes results before the backward function",
         change=lambda inputs, out, change=_change: change(out))(States)

case("arguments_changed", inputs=randn(16, 32), loss=lambda out: out[2].square().mean() + out[3],
     between=lambda m: [p.data.mul_(3) for p in (m.a.bias, m.b.bias, m.c.bias)],
     change=lambda inputs, out: inputs[0].data.zero_(),
     trap="the program changes an input with a gradient and biases")(States)


# ---------------------------------------------------------------- random numbers

@case("dropout", inputs=randn(32, 64), free=(0,), trap="masks are drawn once")
def _():
    return nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Dropout(0.3), nn.Linear(128, 64), nn.Dropout(0.5),
                         nn.Tanh(), nn.AlphaDropout(0.1), nn.FeatureAlphaDropout(0.2))


def _noise(m, x):
    return x * torch.rand_like(x) + torch.randn(x.shape) * torch.bernoulli(torch.sigmoid(x.detach()))


@case("noise", inputs=randn(16, 32), trap="ops that draw, with and without operands")
def _():
    return Lambda(_noise)


def _unused_noise(m, x):
    torch.rand(3)
    return x * torch.rand_like(x)


@case("unused_noise", inputs=randn(16, 32), trap="a draw that nobody uses moves the generator")
def _():
    return Lambda(_unused_noise)


@library.custom_op("memplan_tests::noisy", mutates_args=(), tags=(torch.Tag.nondeterministic_seeded,))
def noisy(x: torch.Tensor) -> torch.Tensor:
    return x + torch.rand_like(x)


noisy.register_fake(lambda x: torch.empty_like(x))
noisy.register_autograd(lambda ctx, gradient: gradient * 1.0)


@case("custom_random", inputs=randn(16, 32), trap="a user's random op, known by its tag alone")
def _():
    return Lambda(lambda m, x: torch.ops.memplan_tests.noisy(x).sin() * x)


@library.custom_op("memplan_tests::count", mutates_args=("total",))
def count(x: torch.Tensor, total: torch.Tensor) -> torch.Tensor:
    total += x.mean(0)
    return x * 2.0


count.register_fake(lambda x, total: torch.empty_like(x))


@case("custom_mutation", inputs=randn(16, 32), trap="a user's op that writes, known by its schema alone")
def _():
    return Lambda(lambda m, x: (torch.ops.memplan_tests.count(x.detach(), m.total) + x * m.total).sin(),
                  buffers={"total": torch.zeros(32)})


CALLS = [0]


@library.custom_op("memplan_tests::secret", mutates_args=())
def secret(x: torch.Tensor) -> torch.Tensor:
    CALLS[0] += 1  # Its schema and its tags do not say so.
    return x * float(CALLS[0] % 3 + 1)


secret.register_fake(lambda x: torch.empty_like(x))
secret.register_autograd(lambda ctx, gradient: gradient * 1.0)


@case("custom_unknown", inputs=randn(16, 32), trap="a user's op of which nothing is known")
def _():
    return Lambda(lambda m, x: torch.ops.memplan_tests.secret(x.tanh()).sin() * x)


# ---------------------------------------------------------------- checkpoint

class Blocks(nn.Module):
    def __init__(self, dropout, policy=None):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Dropout(dropout),
                                                  nn.Linear(64, 32)) for _ in range(3))
        self.options = {} if policy is None else {
            "context_fn": lambda: create_selective_checkpoint_contexts(policy)}

    def forward(self, x):
        for block in self.blocks:
            x = x + checkpoint(block, x, use_reentrant=False, **self.options)
        return x


def _policy(ctx, op, *args, **kwargs):
    if op is torch.ops.aten.addmm.default:
        return CheckpointPolicy.MUST_SAVE
    return CheckpointPolicy.MUST_RECOMPUTE


@case("checkpoint_dropout", inputs=randn(16, 32), routes=("ops",), free=(0,),
      trap="a mask in a region that is made again")
def _():
    return Blocks(0.2)


@case("checkpoint_policy", inputs=randn(16, 32), routes=("ops",), trap="MUST_SAVE and MUST_RECOMPUTE")
def _():
    return Blocks(0.0, _policy)


# Known by its schema alone.
@library.custom_op("memplan_tests::counted", mutates_args=())
def counted(x: torch.Tensor) -> torch.Tensor:
    CALLS[0] += 1
    return x.sin()


counted.register_fake(lambda x: torch.empty_like(x))
counted.register_autograd(lambda ctx, gradient: gradient * ctx.saved_tensors[0].cos(),
                          setup_context=lambda ctx, inputs, output: ctx.save_for_backward(inputs[0]))


@case("checkpoint_user_op", inputs=randn(16, 32), routes=("ops",), trap="a user's op in a region runs again")
def _():
    return Lambda(lambda m, x: checkpoint(
        lambda v: torch.ops.memplan_tests.counted(v.tanh()).exp(), x, use_reentrant=False))


@case("checkpoint_norm", inputs=randn(16, 32), routes=("ops",),
      trap="a norm in a region runs again without its statistics, which were overwritten")
class CheckpointedNorm(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(32, 32), nn.Linear(32, 8)
        self.norm = nn.BatchNorm1d(32)

    def forward(self, x):
        return self.b(checkpoint(lambda v: self.norm(self.a(v)).relu(), x, use_reentrant=False))


@case("checkpoint_buffer", inputs=randn(16, 32), routes=(),
      trap="a region reads a buffer that is overwritten before it runs again")
class CheckpointedBuffer(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)
        self.register_buffer("scale", torch.ones(32))

    def forward(self, x):
        y = checkpoint(lambda v: torch.sin(self.a(v)) * self.scale.clone(), x, use_reentrant=False)
        with torch.no_grad():
            self.scale.mul_(0.9).add_(y.mean(0))
        return y * self.scale.clone()


# ---------------------------------------------------------------- aliases

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(50, 32)
        self.o = nn.Linear(32, 50, bias=False)
        self.o.weight = self.e.weight

    def forward(self, i):
        return self.o(self.e(i).tanh())


@case("tied", inputs=ints(50, 4, 9), routes=("ops",), free=(0, 1), trap="one weight in two places")
def _():
    return Tied()


def _total(out):
    parts = [t for t in torch.utils._pytree.tree_leaves(out) if isinstance(t, torch.Tensor)]
    return sum((t.float() * (i + 1)).sin().sum() for i, t in enumerate(parts) if t.is_floating_point())


class Outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)

    def forward(self, x):
        y = self.a(x).tanh()
        z = (y + 1).sin()
        return y, y.view(-1), z[1:], x, x.t(), y.argmax(1), {"d": z.detach(), "n": None}, 3


@case("outputs_that_alias", inputs=randn(16, 32), loss=_total, routes=("ops",),
      trap="results that are views of each other and of inputs, integers, without gradients")
def _():
    return Outputs()


class Masks(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)
        self.register_buffer("mask", torch.ones(2, 96))

    def forward(self, x):
        blocks = self.mask.view(2, 12, 8)
        band = torch.einsum("blq,blk->blqk", blocks[:, 2:], blocks[:, :-2])
        return self.a(x).tanh(), blocks, band, self.mask.view(2, 96, 1), self.mask.view(2, 1, 96)


@case("views_as_results", inputs=randn(16, 32), loss=lambda out: out[0].sum(), routes=("ops",),
      trap="several results are views of one buffer")
def _():
    return Masks()


class Views(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.linspace(-1, 1, 3 * 32 * 32).reshape(3, 32, 32))

    def forward(self, x):
        q, k, v = (x @ w for w in self.w.unbind(0))
        y = torch.stack([q, k], 1).flatten(0, 1)[::2] * v
        a, b = y.split([10, 22], 1)
        return torch.cat([b.expand(2, -1, -1).sum(0), a.flip(0)], 1)


@case("views_of_arguments", inputs=randn(16, 32), free=(0,), trap="parts of one parameter, split and stacked")
def _():
    return Views()


class InPlace(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(32, 32), nn.Linear(32, 32)

    def forward(self, x):
        y = F.relu(self.a(x), inplace=True)
        y = y * 1.5
        y[:, ::2] = 0
        y[:, 1:9].mul_(2).add_(1)
        return self.b(y).add_(y).clamp_(-1, 1)


@case("in_place", inputs=randn(16, 32), free=(0,), trap="ops in place on slices")
def _():
    return InPlace()


# ---------------------------------------------------------------- control flow, regions, sizes

class Cond(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)

    def forward(self, x):
        y = self.a(x)
        return torch.cond(y.sum() > 0, lambda v: v.sin() * v, lambda v: v.cos(), (y,)) * y.tanh()


@case("cond", inputs=randn(16, 32), routes=("ops",), trap="a branch that is taken by data")
def _():
    return Cond()


class Region(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(32, 64), nn.Linear(64, 32)

    def forward(self, x):
        @torch.compiler.nested_compile_region
        def part(v, w):
            return torch.sigmoid(v) * w.tanh()
        y = self.a(x)
        return self.b(part(part(y, y + 1), y).exp())


@case("region", inputs=randn(16, 32), routes=("ops",), trap="two calls of a region")
def _():
    return Region()


class RegionOfLayers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(32, 32) for _ in range(2))
        self.norm = nn.LayerNorm(32)

    def forward(self, x):
        @torch.compiler.nested_compile_region
        def block(v, w):
            return self.norm(v) + F.dropout(F.gelu(F.linear(v, w)), 0.2)
        for layer in self.layers:
            x = block(x, layer.weight)
        return x


@case("region_of_layers", inputs=randn(16, 32), routes=("ops",), trap="a region that is given parameters")
def _():
    return RegionOfLayers()


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(32, 2)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(32, 64), nn.SiLU(), nn.Linear(64, 32))
                                     for _ in range(2))

    def forward(self, x):
        p = self.gate(x).softmax(-1)
        y = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            rows = torch.nonzero(p.argmax(-1) == i).squeeze(1)
            y = y.index_add(0, rows, expert(x[rows]) * p[rows, i:i + 1])
        return y + x


@case("experts", inputs=randn(24, 32), routes=("ops",), trap="sizes that only the run knows",
      dynamo={"capture_dynamic_output_shape_ops": True})
def _():
    return Experts()


class Checked(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)

    def forward(self, x, n):
        k = n.item()
        torch._check(k > 0)
        torch._check(k <= x.shape[0])
        return self.a(x).sin()[:k].exp() * k


@case("asserts", routes=("ops",), trap="an assertion about data, a size that data gives",
      inputs=lambda k: (*randn(16, 32)(k), torch.tensor(5 + k)), dynamo={"capture_scalar_outputs": True})
def _():
    return Checked()


# ---------------------------------------------------------------- kinds of layers

@case("lstm", inputs=randn(6, 4, 16), loss=_total, dynamo={"allow_rnn": True}, routes=("whole",),
      trap="two layers, a tuple of results")
def _():
    return nn.LSTM(16, 24, num_layers=2)


@case("gru", inputs=randn(6, 4, 16), loss=_total, routes=("whole",), trap="gates that share products")
def _():
    return nn.GRU(16, 24, num_layers=2, dropout=0.2)


@case("transposed", inputs=randn(2, 8, 8, 8), free=(0,), trap="a transposed convolution, pooling with indices")
def _():
    return nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.SiLU(), nn.MaxPool2d(2),
                         nn.ConvTranspose2d(16, 8, 2, stride=2), nn.InstanceNorm2d(8, affine=True), nn.Hardswish())


@case("bag", inputs=ints(30, 6, 5), trap="an embedding bag has results that are kept together")
def _():
    return nn.Sequential(nn.EmbeddingBag(30, 16, mode="mean"), nn.Linear(16, 8), nn.LayerNorm(8))


class Attention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.qkv, self.out, self.dropout = nn.Linear(32, 96), nn.Linear(32, 32), dropout

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, 4, c // 4).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(q, k, v, dropout_p=self.dropout, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(b, t, c))


@case("attention", inputs=randn(2, 16, 32), free=(0, 1), trap="tagged random though it draws nothing")
def _():
    return Attention(0.0)


@case("attention_dropout", inputs=randn(2, 16, 32), trap="and here it does draw")
def _():
    return Attention(0.2)


@case("half", inputs=randn(16, 32, dtype=torch.bfloat16), loss=_total, trap="a small type")
def _():
    return nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 8)).bfloat16()


@case("autocast", inputs=randn(16, 32), loss=_total, routes=("ops",), free=(0,),
      context=lambda: torch.autocast("cpu", torch.bfloat16), trap="copies of weights in another type")
def _():
    return nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 8))


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        y = x * x * scale
        ctx.save_for_backward(x)
        ctx.y, ctx.scale = y, scale
        return y

    @staticmethod
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        return gradient * 2 * x * ctx.scale + 0 * ctx.y, None


@case("function", inputs=randn(16, 32), routes=("ops",), trap="a user's function that stashes a tensor")
def _():
    return Lambda(lambda m, x: Square.apply(x.tanh(), 0.5).sin())


def _parts_without_gradient(m, x):
    with torch.no_grad():
        w = (x * 2).softmax(-1)
    return x * w + x.detach().exp()


@case("without_gradient", inputs=randn(16, 32), free=(0,), trap="parts that get no gradient")
def _():
    return Lambda(_parts_without_gradient)


@case("two_backwards", inputs=randn(16, 32), backwards=2, trap="the backward function runs twice")
def _():
    return Lambda(lambda m, x: F.gelu(x).exp().tanh())


def _result_with_new_data(m, x):
    m.s = m.s * 0.5
    y = x * m.s.exp()
    m.s.data = m.s.data * 3
    return y


@case("result_with_new_data", inputs=randn(16, 32), routes=("ops",), trap="a result gets new data")
def _():
    return Lambda(_result_with_new_data, buffers={"s": torch.ones(32)})


def _state_as_a_result(m, x):
    m.s = (m.s + x.detach().mean(0)) * 0.5
    return x * m.s.exp()


@case("changed_result", inputs=randn(16, 32), routes=("ops",), between=lambda m: m.s.mul_(2),
      trap="a result without a gradient is changed before the backward function")
def _():
    return Lambda(_state_as_a_result, buffers={"s": torch.ones(32)})


@case("strides", inputs=randn(8, 16), trap="a copy of an argument whose rows are one row")
def _():
    return Lambda(lambda m, x: x.sin() * m.buf.sigmoid() + m.buf.cos() * x, width=16,
                  buffers={"buf": torch.randn(16, generator=torch.Generator().manual_seed(6)).expand(8, 16)})


# ---------------------------------------------------------------- more kinds

class Loop(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)

    def forward(self, x):
        from torch._higher_order_ops import while_loop
        y = self.a(x)
        with torch.no_grad():
            _, z = while_loop(lambda i, v: i < 3, lambda i, v: (i + 1, v.sin()), (torch.tensor(0), y.detach()))
        return y * z.cos()


@case("while_loop", inputs=randn(16, 32), routes=("ops",), trap="a loop that is one op")
def _():
    return Loop()


class DrawsBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, gradient):
        x, = ctx.saved_tensors
        return gradient * x.cos() * (1 + 0.1 * torch.rand(x.shape))


@case("draws_backward", inputs=randn(16, 32), routes=("ops",), backwards=2,
      between=lambda m: torch.manual_seed(9), trap="the backward function draws as well, twice")
def _():
    return Lambda(lambda m, x: DrawsBackward.apply(F.dropout(DrawsBackward.apply(x.tanh()), 0.2)) * x)


@library.custom_op("memplan_tests::several", mutates_args=())
def several(x: torch.Tensor) -> list[torch.Tensor]:
    return [x.sin(), x.cos(), x * 2]


several.register_fake(lambda x: [torch.empty_like(x) for _ in range(3)])
several.register_autograd(lambda ctx, gradients: gradients[0] + gradients[1] + gradients[2] * 2)


@case("list_of_results", inputs=randn(16, 32), trap="an op with a list of results")
def _():
    return Lambda(lambda m, x: sum(t * t for t in torch.ops.memplan_tests.several(x.tanh())))


@library.custom_op("memplan_tests::say", mutates_args=())
def say(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


say.register_fake(lambda x: torch.empty_like(x))
say.register_autograd(lambda ctx, gradient: gradient.clone())
torch._higher_order_ops.effects._register_effectful_op(
    torch.ops.memplan_tests.say.default, torch._higher_order_ops.effects._EffectType.ORDERED)


@case("effects", inputs=randn(16, 32), routes=("ops",), trap="effects in order, with tokens")
def _():
    return Lambda(lambda m, x: torch.ops.memplan_tests.say(x.tanh()).sin() * torch.ops.memplan_tests.say(x.exp()))


@case("spectral_norm", inputs=randn(8, 16), routes=("ops",), trap="vectors of an iteration are overwritten")
def _():
    return nn.utils.parametrizations.spectral_norm(nn.Linear(16, 16))


def _quantized(m, x):
    with torch.no_grad():
        m.lo.copy_(torch.minimum(m.lo, x.min()))
        m.hi.copy_(torch.maximum(m.hi, x.max()))
    s = (m.hi - m.lo).clone() / 255
    y = x + ((x / s).round() * s - x).detach()
    with torch.no_grad():
        m.n += 1
    return y * s * m.n.clone().float()


@case("quantized", inputs=randn(8, 16), trap="ranges are updated, read, and updated again")
def _():
    return Lambda(_quantized, width=16, buffers={"lo": torch.zeros(()), "hi": torch.zeros(()),
                                                 "n": torch.zeros((), dtype=torch.int64)})


class MutatedView(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(16, 16)

    def forward(self, x, state):
        view = state[1:5]
        z = self.a(x)[1:5].sin() * view.clone()
        view.mul_(2)
        state[6].zero_()
        return z * state[1:5].cos().clone(), state.sum()


@case("mutated_view", loss=_total, trap="an input is overwritten through a view",
      inputs=lambda k: (*randn(8, 16)(k), torch.ones(8, 16)))
def _():
    return MutatedView()


@case("often", inputs=randn(8, 16), backwards=3, forwards=2, trap="several forward and backward calls")
def _():
    return nn.Sequential(nn.Linear(16, 16), nn.Dropout(0.3), nn.SiLU(), nn.Linear(16, 16))


@case("sorted", inputs=randn(8, 32), trap="indices, scans and sorts")
def _():
    return Lambda(lambda m, x: torch.sort(x, -1)[0] * torch.topk(x, 32, -1)[0] + x.gather(1, x.argsort(1))
                  + x.cumsum(1) + x.cummax(1)[0])


def _some_gradients():
    net = nn.Sequential(nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 16), nn.LayerNorm(16))
    net[0].weight.requires_grad_(False)
    net[2].bias.requires_grad_(False)
    return net


case("some_gradients", inputs=randn(8, 16), trap="frozen parameters")(_some_gradients)


# ---------------------------------------------------------------- and more

class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.student = nn.Linear(32, 32)
        self.register_buffer("teacher", torch.eye(32))
        self.register_buffer("center", torch.zeros(32))

    def forward(self, x):
        with torch.no_grad():
            self.teacher.lerp_(self.student.weight, 0.1)
            y = F.linear(x, self.teacher)
        wanted = (y - self.center.clone()).softmax(-1)
        with torch.no_grad():
            self.center.mul_(0.9).add_(y.mean(0) * 0.1)
        return wanted * F.log_softmax(self.student(x), -1) * self.teacher.clone().sum()


@case("teacher", inputs=randn(16, 32), routes=("ops",), trap="a second set of weights follows the first one")
def _():
    return Teacher()


@library.custom_op("memplan_tests::write_both", mutates_args=("a", "b"))
def write_both(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    a.mul_(2)
    b.add_(1)
    return (a.sum() + b.sum()).reshape(1)


write_both.register_fake(lambda a, b: torch.empty(1))


def _write_both(m, x):
    copy = x.detach().clone()
    scale = torch.ops.memplan_tests.write_both(copy, m.buf)
    return x.tanh() * copy * scale * m.buf.clone()


@case("several_written", inputs=randn(16, 32), trap="an op writes an argument and a value of the graph")
def _():
    return Lambda(_write_both, buffers={"buf": torch.zeros(32)})


@case("nested_checkpoints", inputs=randn(16, 32), routes=("ops",), trap="a region inside of a region")
def _():
    return Lambda(lambda m, x: checkpoint(
        lambda v: F.dropout(checkpoint(lambda w: w.sin().exp(), v.tanh(), use_reentrant=False), 0.3) * v,
        x, use_reentrant=False))


@case("samples", inputs=randn(16, 32), routes=("ops",), trap="random choices of several kinds")
def _():
    return Lambda(lambda m, x: F.gumbel_softmax(x, hard=True) * x[torch.randperm(16)]
                  + x.gather(1, torch.multinomial(x.detach().softmax(-1), 32)) + F.rrelu(x, training=True)
                  * torch.bernoulli(x.detach().sigmoid()))


def _scan(m, x):
    from torch._higher_order_ops.scan import scan
    _, y = scan(lambda c, v: ((c * 0.5 + v).sin(), (c * v).cos()), torch.zeros_like(x[0]), x.tanh(), dim=0)
    return y * x


@case("scan", inputs=randn(8, 32), routes=("ops",), trap="a recurrence that is one op")
def _():
    return Lambda(_scan)


@case("masked", inputs=randn(16, 32), routes=("ops",), loss=lambda out: out.square().mean(),
      dynamo={"capture_dynamic_output_shape_ops": True}, trap="as many elements as data says")
def _():
    return Lambda(lambda m, x: x * (x[x > 0].exp().mean() + x.masked_select(x < 0).sin().mean()))


@case("jacobian", inputs=randn(8, 32), routes=("ops",), trap="gradients inside of the model")
def _():
    return Lambda(lambda m, x: torch.func.jacrev(lambda v: v.tanh().cumsum(0))(x[0]).sum(0)
                  * torch.func.vmap(lambda v: v.sin() * v.sum())(x))


def _hooked(m, x):
    y = x.sin()
    y.register_hook(lambda gradient: gradient * 2)
    return y.exp()


@case("hook", inputs=randn(16, 32), routes=("ops",), trap="a hook changes a gradient")
def _():
    return Lambda(_hooked)


@case("subclass", inputs=randn(16, 32), routes=("ops",), trap="a parameter that is two tensors")
def _():
    from torch.testing._internal.two_tensor import TwoTensor
    model = Lambda(lambda m, x: x.sin() @ m.w.sin())
    model.w = nn.Parameter(TwoTensor(torch.eye(32), torch.ones(32, 32)))
    return model


@case("channels_last", routes=("ops",),
      inputs=lambda k: (randn(2, 8, 8, 8)(k)[0].to(memory_format=torch.channels_last),),
      trap="strides that are not those of the sizes")
def _():
    return nn.Sequential(nn.Conv2d(8, 16, 3, padding=1), nn.SiLU(), nn.AvgPool2d(2), nn.Dropout2d(0.3),
                         nn.Conv2d(16, 8, 1)).to(memory_format=torch.channels_last)


@case("encoder", inputs=randn(2, 8, 32), loss=_total, routes=("ops",), free=(0,), trap="a layer as libraries have it")
def _():
    return nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True, norm_first=True)


class Renormed(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Embedding(40, 16, max_norm=1.0, padding_idx=2)
        self.o = nn.Linear(16, 8)

    def forward(self, i):
        return self.o(self.e(i).tanh())


@case("renormed", inputs=ints(40, 8, 6), loss=_total, routes=("ops",),
      trap="a parameter that the forward function overwrites, and that gets a gradient")
def _():
    return Renormed()


@case("attention_groups", inputs=randn(2, 8, 32), free=(0, 1), trap="rotations, fewer keys than queries")
class Groups(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.kv, self.o = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 32)
        self.register_buffer("inverse", 100.0 ** -(torch.arange(0, 8, 2) / 8), persistent=False)

    def rotate(self, x):
        angle = torch.outer(torch.arange(x.shape[2]).float(), self.inverse)
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1).flatten(-2)

    def forward(self, x):
        b, t, _ = x.shape
        q = self.q(x).view(b, t, 4, 8).transpose(1, 2)
        k, v = self.kv(x).view(b, t, 2, 2, 8).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(self.rotate(q), self.rotate(k), v, is_causal=True, enable_gqa=True)
        return x + self.o(y.transpose(1, 2).flatten(2))


class Codes(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(16, 8), nn.Linear(8, 16)
        self.register_buffer("code", torch.randn(12, 8))
        self.register_buffer("count", torch.ones(12))

    def forward(self, x):
        z = self.a(x)
        distance = z.square().sum(1, keepdim=True) - 2 * z @ self.code.t().clone() + self.code.square().sum(1)
        nearest = distance.argmin(1)
        one = F.one_hot(nearest, 12).float()
        q = self.code.clone()[nearest]
        with torch.no_grad():
            self.count.mul_(0.9).add_(one.sum(0), alpha=0.1)
            self.code.mul_(0.9).add_(one.t() @ z / self.count[:, None], alpha=0.1)
        return self.b(z + (q - z).detach()) + F.mse_loss(z, q) + distance.mean()


@case("codes", inputs=randn(32, 16), trap="a table of codes is read for the gradient, then moved")
def _():
    return Codes()


@case("spectrum", inputs=randn(8, 32), loss=lambda out: out[0].square().mean() + out[1].abs().sin().mean(),
      trap="complex numbers")
class Spectrum(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)
        self.w = nn.Parameter(torch.randn(17, dtype=torch.complex64) * 0.1)

    def forward(self, x):
        y = torch.fft.rfft(self.a(x).tanh())
        return torch.fft.irfft(y * self.w, n=32).sin() * x, y


@case("losses", inputs=randn(12, 8), loss=lambda out: out, routes=("ops",), trap="losses with targets of integers")
class Losses(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 6)
        self.register_buffer("weight", torch.linspace(0.5, 1.5, 6))

    def forward(self, x):
        y, target = self.a(x), x.argmax(1) % 6
        ctc = F.ctc_loss(y.view(4, 3, 6).log_softmax(-1), torch.tensor([[1, 2], [2, 1], [5, 4]]),
                         torch.tensor([4, 4, 4]), torch.tensor([2, 2, 1]), zero_infinity=True)
        return ctc + F.huber_loss(y, x[:, :6]) + F.cross_entropy(
            y, target, label_smoothing=0.1, weight=self.weight, ignore_index=2)


@case("routed", inputs=randn(24, 16), trap="experts are chosen by topk and scatter")
class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(16, 4)
        self.up = nn.Parameter(torch.randn(4, 16, 32) * 0.1)
        self.down = nn.Parameter(torch.randn(4, 32, 16) * 0.1)

    def forward(self, x):
        p, i = self.gate(x).softmax(-1).topk(2, -1)
        weight = torch.zeros(x.shape[0], 4).scatter(1, i, p / p.sum(-1, keepdim=True))
        h = F.gelu(torch.einsum("nd,edf->nef", x, self.up))
        return torch.einsum("nef,efd,ne->nd", h, self.down, weight) + x
