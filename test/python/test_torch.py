# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traced modules of PyTorch."""
import pytest

torch = pytest.importorskip("torch")
fx = pytest.importorskip("torch.fx")
import memplan.torch  # noqa: E402


def plan(function, *inputs, **options):
    return memplan.torch.plan(fx.symbolic_trace(function), inputs, **options)


def live(result):
    return {buffer.id: buffer.ranges for buffer in result.problem.buffers}


X = torch.arange(64, dtype=torch.float32)  # 256 bytes


def test_temporaries_have_places_and_what_is_returned_has_none():
    result = plan(lambda x: (x + 1).exp().abs() * 2, X)
    # x=0 add=1 exp=2 abs=3 mul=4 output=5
    assert live(result) == {"add": ((1, 3),), "exp": ((2, 4),), "abs_1": ((3, 5),)}
    assert result.arena_size == result.lower_bound == 512
    assert result.returned == (("mul", 256),)
    assert result.input_bytes == 256
    assert result.by_strategy["naive"] == 768
    assert "arena 512 bytes" in str(result)


def test_a_view_keeps_its_storage_alive():
    def function(x):
        a = x + 1
        top = a.view(8, 8)[0]
        b = x * 2
        return (b.sum() + top.sum()) * 1

    result = plan(function, X)
    names = list(result.nodes)
    # Views have no buffer; a is live until the use of its view.
    assert "view" not in live(result) and "getitem" not in live(result)
    uses = [i for i, name in enumerate(names) if name.startswith("sum")]
    assert live(result)["add"] == ((1, uses[1] + 1),)


def test_ops_in_place_make_no_buffer():
    def function(x):
        a = x + 1
        a.relu_()
        torch.add(a, 1, out=a)
        return a * 2

    result = plan(function, X)
    assert list(live(result)) == ["add"]
    assert result.arena_size == 256


def test_a_returned_view_returns_its_storage():
    result = plan(lambda x: (x + 1).view(8, 8), X)
    assert live(result) == {}
    assert result.returned == (("add", 256),)
    assert result.arena_size == 0


def test_a_returned_input_is_an_input():
    result = plan(lambda x: (x, x + 1), X)
    assert result.returned == (("add", 256),)
    assert result.input_bytes == 256


def test_results_of_one_op_have_lives_of_their_own():
    def function(x):
        pair = torch.topk(x, 16)
        values = pair[0]
        return values.exp() + 1

    result = plan(function, X)
    ranges = live(result)
    start = list(result.nodes).index("topk")
    # The indices are dead as soon as they are made.
    sizes = {b.id: b.size for b in result.problem.buffers}
    assert sizes["topk"] == 64 and sizes["topk.1"] == 128
    assert ranges["topk.1"] == ((start, start + 1),)
    assert ranges["topk"][0][1] > start + 1


def test_chunks_of_one_storage_are_views():
    def function(x):
        parts = torch.split(x + 1, [32, 32])
        return torch.cat([parts[1], parts[0]]) * 2

    assert set(live(plan(function, X))) == {"add", "cat"}


def test_parameters_have_no_place():
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(64, 64)

        def forward(self, x):
            return torch.relu(self.layer(x)) + self.layer.bias

    result = plan(Model(), X)
    assert result.parameter_bytes == 64 * 64 * 4 + 256
    assert set(live(result)) == {"layer", "relu"}


def test_a_tensor_is_one_input():
    module = fx.symbolic_trace(lambda x: (x + 1).exp() * 2)
    assert memplan.torch.plan(module, X.reshape(8, 8)).arena_size == 512


def test_what_is_not_traced_or_not_taken_is_refused():
    with pytest.raises(TypeError, match="Linear is neither a traced module"):
        memplan.torch.plan(torch.nn.Linear(2, 2), (X,))
    with pytest.raises(TypeError, match="2 inputs for a module that takes 1"):
        plan(lambda x: x + 1, X, X)


def test_options_go_to_the_solver():
    result = plan(lambda x: (x + 1).exp() * 2, X, strategy="naive", alignment=1024,
                  compare=["exact"])
    assert result.arena_size == 1024 + 256
    assert set(result.by_strategy) == {"exact"}


class Exported(torch.nn.Module):
    """A view, a result of several, a buffer that is overwritten, an input that is returned."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)
        self.register_buffer("count", torch.zeros(4, 8))

    def forward(self, x):
        y = self.layer(x)
        z = y.view(-1, 4).t().relu()
        self.count.add_(1)
        a, b = y.chunk(2, 1)
        return z, a.sin() + b, self.count * 2, x


def test_plan_of_exported_program():
    program = torch.export.export(Exported().eval(), (torch.randn(4, 8),))
    for form in (program, program.run_decompositions()):
        plan = memplan.torch.plan(form)
        ranges = {b.id: b.ranges for b in plan.problem.buffers}
        time = {name: i for i, name in enumerate(plan.nodes)}
        linear = "linear" if "linear" in time else "addmm"
        # The views of y keep it alive; z, the sum and the product are returned.
        assert ranges[linear][0][0] == time[linear]
        assert ranges[linear][0][1] > time["sin"]
        assert {name for name, _ in plan.returned} >= {"relu", "mul"}
        assert plan.input_bytes == 128
        assert plan.parameter_bytes == 256 + 32 + 128
        assert plan.arena_size <= sum(b.size for b in plan.problem.buffers)
        assert "<html" in plan.to_html().lower()


def test_plan_of_free_sizes():
    program = torch.export.export(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(),
                                                      torch.nn.Linear(16, 8)).eval(),
                                  (torch.randn(5, 8),),
                                  dynamic_shapes=({0: torch.export.Dim("B", min=2)},))
    plan = memplan.torch.plan(program)
    assert [b.size for b in plan.problem.buffers] == [5 * 64, 5 * 64]
    assert all("64*" in formula for formula in plan.formulas.values())
    assert len(plan.formulas) == 2


def test_plan_of_something_else():
    with pytest.raises(TypeError, match="neither a traced module"):
        memplan.torch.plan(torch.nn.Linear(2, 2), (torch.randn(2, 2),))
