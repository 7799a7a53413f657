# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memplan.torch.partition as the partition function of AOTAutograd."""
import functools

import pytest

torch = pytest.importorskip("torch")
compile_ = pytest.importorskip("functorch.compile")
import memplan.torch  # noqa: E402


class Block(torch.nn.Module):
    """A transformer block and a head, with dropout."""

    def __init__(self, width=16, dropout=0.0):
        super().__init__()
        self.norm1 = torch.nn.LayerNorm(width)
        self.norm2 = torch.nn.LayerNorm(width)
        self.qkv = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)
        self.up = torch.nn.Linear(width, 4 * width)
        self.down = torch.nn.Linear(4 * width, width)
        self.dropout = torch.nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        scores = torch.softmax(q @ k.transpose(-2, -1) * 0.25, dim=-1)
        x = x + self.dropout(self.out(scores @ v))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm2(x))))


class Convolutions(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Conv2d(3, 8, 3, padding=1)
        self.b = torch.nn.Conv2d(8, 8, 3, padding=1)
        self.head = torch.nn.Linear(8 * 16, 4)

    def forward(self, x):
        x = torch.relu(self.a(x))
        x = torch.relu(self.b(x)) + x
        x = torch.nn.functional.max_pool2d(x, 2)
        return self.head(x.flatten(1))


def train(model, inputs, partition, steps=3):
    """Losses and gradients of some steps, from the same start and random state."""
    torch.manual_seed(1)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    compiled = compile_.aot_module(model, fw_compiler=compile_.nop, partition_fn=partition)
    seen = []
    torch.manual_seed(7)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = compiled(inputs).square().mean()
        loss.backward()
        seen.append(loss.detach().clone())
        seen += [parameter.grad.clone() for parameter in model.parameters()]
        optimizer.step()
    return seen


def equal(a, b):
    assert len(a) == len(b)
    return all(x.dtype == y.dtype and torch.equal(x, y) for x, y in zip(a, b))


MODELS = [
    (Block(), torch.linspace(-1, 1, 2 * 8 * 16).reshape(2, 8, 16)),
    (Block(dropout=0.5), torch.linspace(-1, 1, 2 * 8 * 16).reshape(2, 8, 16)),
    (Convolutions(), torch.linspace(-1, 1, 2 * 3 * 8 * 8).reshape(2, 3, 8, 8)),
]
NAMES = ["block", "dropout", "convolutions"]


@pytest.mark.parametrize("model,inputs", MODELS, ids=NAMES)
@pytest.mark.parametrize("options", [{}, {"strategy": "default"}, {"cost_model": "torch-compat"},
                                     {"primals_are_held": False}, {"recompute": "expensive"}],
                         ids=lambda options: "-".join(map(str, options.values())) or "usual")
def test_gradients_are_those_of_the_default_partition(model, inputs, options):
    reference = train(model, inputs, compile_.default_partition)
    results = []
    ours = functools.partial(memplan.torch.partition, report=results.append, **options)
    assert equal(reference, train(model, inputs, ours))
    assert len(results) == 1 and results[0]["format"] == "memplan.partition"


def saved_bytes(model, inputs, **options):
    results = []
    train(model, inputs, functools.partial(memplan.torch.partition, report=results.append,
                                           **options), steps=1)
    return results[0]


@pytest.mark.parametrize("model,inputs", MODELS, ids=NAMES)
def test_a_minimum_cut_saves_less_and_proves_it(model, inputs):
    least = saved_bytes(model, inputs)
    default = saved_bytes(model, inputs, strategy="default")
    assert least["saved_unique_bytes"] < default["saved_unique_bytes"]
    assert least["cut_capacity"] == least["flow"]
    assert least["pair_peak"] <= default["pair_peak"]


def test_random_ops_are_not_run_again():
    model, inputs = MODELS[1]
    result = saved_bytes(model, inputs, recompute="expensive")
    assert "native_dropout" in result["forward"] or any(
        "dropout" in op or "bernoulli" in op for op in result["forward"])
    assert not any("dropout" in op or "bernoulli" in op or "rand" in op
                   for op in result["recomputed"])


def test_functions_of_several_results_and_unused_inputs():
    def function(x, y, unused):
        values, indices = torch.max(x, dim=1)
        return values * y, x.sum()

    def gradients(partition):
        x = torch.linspace(-1, 1, 12).reshape(3, 4).requires_grad_()
        y = torch.linspace(1, 2, 3).requires_grad_()
        compiled = compile_.aot_function(function, fw_compiler=compile_.nop,
                                         partition_fn=partition)
        a, b = compiled(x, y, torch.ones(2))
        (a.sum() + 3 * b).backward()
        return [x.grad, y.grad]

    assert equal(gradients(compile_.default_partition), gradients(memplan.torch.partition))


def test_a_later_version_says_how_many_outputs_there_are():
    # PyTorch 2 passes num_fwd_outputs and the static inputs, which outlive a step.
    seen = {}

    def as_later(joint, inputs):
        count = joint._out_spec.children_specs[0].num_leaves
        del joint._out_spec
        seen["modules"] = memplan.torch.partition(
            joint, inputs, num_fwd_outputs=count, static_lifetime_input_indices=[0, 1],
            primals_are_held=False)
        return seen["modules"]

    model, inputs = MODELS[2]
    reference = train(model, inputs, compile_.default_partition, steps=1)
    assert equal(reference, train(model, inputs, as_later, steps=1))
    forward, backward = seen["modules"]
    assert isinstance(forward, torch.fx.GraphModule)
    assert isinstance(backward, torch.fx.GraphModule)


def test_wrong_options_are_refused():
    model, inputs = MODELS[0]
    with pytest.raises(ValueError, match="'best' is not default or min-cut"):
        train(model, inputs, functools.partial(memplan.torch.partition, strategy="best"))
