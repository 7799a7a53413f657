# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memplan.torch.compile: one line for users. What it reports is what autograd holds."""
import copy
import warnings

import pytest

torch = pytest.importorskip("torch")
import torch._dynamo  # noqa: E402
import torch._functorch.config as functorch_config  # noqa: E402
import torch._inductor.config as inductor_config  # noqa: E402
import torch.nn as nn  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch._dynamo.utils import counters  # noqa: E402

import memplan.torch  # noqa: E402
from memplan.training.partition import PartitionWarning  # noqa: E402
from training_modules import CASES  # noqa: E402

torch.set_num_threads(1)


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch.manual_seed(0)
    with inductor_config.patch(compile_threads=1):
        yield


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.GELU(), torch.nn.LayerNorm(256),
                               torch.nn.Linear(256, 256), torch.nn.GELU(), torch.nn.Linear(256, 8))


def gradients(model, module):
    module.zero_grad()
    model(torch.linspace(-1, 1, 32 * 64).reshape(32, 64)).square().mean().backward()
    return [p.grad.clone() for p in module.parameters()]


def test_compile_trains_and_reports():
    torch._dynamo.reset()
    module = network()
    wanted = gradients(module, module)
    model = memplan.torch.compile(module, budget=0.6, backend="aot_eager")
    assert "no graph was split" in str(model.report())
    assert all(torch.equal(a, b) for a, b in zip(wanted, gradients(model, module)))
    report = model.report()
    assert 0 < report.kept_bytes <= 0.6 * report.default_kept_bytes
    graph, = report.graphs
    assert sum(entry.bytes for entry in graph.kept) == graph.kept_bytes
    assert {"gelu"} <= {entry.op for entry in graph.run_again}
    assert f"keeps {graph.kept_bytes} bytes" in str(report) and "instead of" in str(report)
    assert "<html" in report.to_html()


def test_compile_takes_functions():
    torch._dynamo.reset()
    function = memplan.torch.compile(lambda x: x.sin().exp(), backend="aot_eager")
    x = torch.linspace(0, 1, 5, requires_grad=True)
    function(x).sum().backward()
    assert torch.equal(x.grad, x.detach().sin().exp() * x.detach().cos())
    assert len(function.report().graphs) == 1


def test_inductor_takes_the_partition():
    torch._dynamo.reset()
    module = network()
    wanted = gradients(module, module)
    with functorch_config.patch(enable_autograd_cache=False):
        model = memplan.torch.compile(module, budget=0.6, options={"fx_graph_cache": False})
        found = gradients(model, module)
    for a, b in zip(wanted, found):
        torch.testing.assert_close(a, b)
    assert model.report().kept_bytes <= 0.6 * model.report().default_kept_bytes


def test_the_uuid_tells_apart_what_behaves_differently():
    make = memplan.torch.Partitioner
    first = make(budget=0.5).uuid()
    assert first == make(budget=0.5).uuid()
    others = [make(budget=0.6), make(budget=None), make(budget=0.5, keep_peak=False),
              make(budget=0.5, never_again=["aten.mm.default"]),
              make(budget=0.5, never_again=[lambda node: node.name == "a"]),
              make(budget=0.5, never_again=[lambda node: node.name == "b"])]
    uuids = [first, *(other.uuid() for other in others)]
    assert len(set(uuids)) == len(uuids)
    bound = make(never_again=["x".startswith])
    assert bound.uuid() != bound.uuid()  # Its code is not seen.


def test_wrong_options_are_refused():
    for wrong in ({"budget": 2.0}, {"budget": -5}, {"recompute": "much"}, {"order_steps": 2**63}):
        with pytest.raises(ValueError):
            memplan.torch.compile(network(), **wrong)
    for wrong in ({"never_again": "aten.mm"}, {"never_again": [3]}, {"order_steps": "few"}):
        with pytest.raises(TypeError):
            memplan.torch.compile(network(), **wrong)
    with pytest.raises(ValueError, match="'eager' is not"):
        memplan.torch.compile(network(), backend="eager")


def test_modes_and_decorators():
    x = torch.linspace(-1, 1, 32 * 64).reshape(32, 64)
    model = memplan.torch.compile(network(), budget=0.6, mode="reduce-overhead", options={"shape_padding": False})
    model(x).sum().backward()
    assert len(model.report().graphs) == 1

    @memplan.torch.compile(budget=0.5, backend="aot_eager")
    def function(x):
        return x.sin().exp().cos()

    function(x.requires_grad_()).sum().backward()
    assert function.report().graphs[0].budget_bytes == function.report().default_kept_bytes // 2
    with pytest.raises(ValueError, match="those of the backend inductor"):
        memplan.torch.compile(network(), backend="aot_eager", mode="default")


def test_budgets_may_be_numbers_of_numpy():
    numpy = pytest.importorskip("numpy")
    for budget, plain in ((numpy.float32(0.5), 0.5), (numpy.float64(0.5), 0.5), (numpy.int64(70000), 70000)):
        torch._dynamo.reset()
        kept = []
        for given in (budget, plain):
            model = memplan.torch.compile(network(), budget=given, backend="aot_eager")
            gradients(model, model)
            kept.append(model.report().graphs[0].budget_bytes)
        assert kept[0] == kept[1]


def test_copies_have_the_report():
    for backend in ("aot_eager", "inductor"):
        model = memplan.torch.compile(network(), budget=0.6, backend=backend)
        gradients(model, model)
        copied = copy.deepcopy(model)
        assert str(copied.report()) == str(model.report())
        wanted, found = gradients(model, model), gradients(copied, copied)
        assert all(torch.equal(a, b) for a, b in zip(wanted, found))


def test_the_report_survives_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    texts = []
    for hits in (0, 1):
        torch._dynamo.reset()
        counters.clear()
        with functorch_config.patch(enable_autograd_cache=True), inductor_config.patch(fx_graph_cache=True):
            model = memplan.torch.compile(network(), budget=0.6)
            gradients(model, model)
        assert counters["aot_autograd"]["autograd_cache_hit"] == hits
        texts.append(str(model.report()))
    assert texts[0] == texts[1] and "instead of" in texts[0]


#===----------------------------------------------------------------------===#
# Bytes
#===----------------------------------------------------------------------===#

def held(model, results, *inputs):
    """Bytes of the storages that autograd holds for compiled graphs, without arguments and results; but
    with the storage of a result that is a part of it."""
    storages, todo, done = {}, [results.grad_fn], set()
    while todo:
        node = todo.pop()
        if node is None or node in done:
            continue
        done.add(node)
        todo += [following for following, _ in node.next_functions]
        if "CompiledFunction" in type(node).__name__:
            for tensor in node.saved_tensors:
                storages[tensor.untyped_storage()._cdata] = tensor.untyped_storage().nbytes()
    for tensor in (*model.parameters(), *model.buffers(), *inputs, results):
        storages.pop(tensor.untyped_storage()._cdata, None)
    if results.untyped_storage().nbytes() > results.nbytes:
        storages[results.untyped_storage()._cdata] = results.untyped_storage().nbytes()
    return sum(storages.values())


class Residual(nn.Module):
    """Inductor keeps weights and images with channels last."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.a, self.b = (nn.Conv2d(16, 16, 3, padding=1) for _ in range(2))
        self.na, self.nb = nn.BatchNorm2d(16), nn.BatchNorm2d(16)
        self.last = nn.Linear(16, 10)

    def forward(self, x):
        x = self.stem(x)
        x = x + self.nb(self.b(self.na(self.a(x)).relu()))
        return self.last(F.relu(x).mean((2, 3)))


class Loss(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(64, 10)

    def forward(self, x):
        return F.cross_entropy(self.a(x).tanh(), torch.arange(len(x)) % 10)


class Element(nn.Module):
    """The loss is a view."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(64, 80)

    def forward(self, x):
        return self.a(x).tanh()[0, 0]


class ByChannel(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 4, stride=4)
        self.a, self.norm, self.b = nn.Conv2d(16, 16, 7, padding=3, groups=16), nn.LayerNorm(16), nn.Linear(16, 16)

    def forward(self, x):
        x = self.stem(x)
        return (x + self.b(self.norm(self.a(x).permute(0, 2, 3, 1)).exp()).permute(0, 3, 1, 2)).tanh().mean((2, 3))


MODULES = {"layers": (lambda: network(), (32, 64)), "residual": (Residual, (4, 3, 16, 16)), "loss": (Loss, (100, 64)),
           "by_channel": (ByChannel, (2, 3, 32, 32)), "element": (Element, (200, 64)),
           "attention": (lambda: nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), (2, 16, 32))}


@pytest.mark.filterwarnings("ignore:memplan. a budget")
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
@pytest.mark.parametrize("name", MODULES)
def test_reported_bytes_are_those_that_autograd_holds(name, backend):
    make, shape = MODULES[name]
    for budget in (None, 0.4, 1.0):
        torch._dynamo.reset()
        x = torch.rand(shape)
        with functorch_config.patch(enable_autograd_cache=False), inductor_config.patch(fx_graph_cache=False):
            model = memplan.torch.compile(make(), budget=budget, backend=backend)
            results = model(x)
        graph, = model.report().graphs
        assert graph.kept_bytes == held(model, results, x) == graph.measured_bytes
        assert name != "element" or graph.kept_bytes == graph.default_kept_bytes == 200 * 80 * 4
        assert budget is None or graph.kept_bytes <= max(graph.budget_bytes, graph.least_bytes)


def test_bytes_are_the_most_they_can_be_where_only_data_knows():
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        model = memplan.torch.compile(lambda x: x[torch.nonzero(x[:, 0] > 0).squeeze(1)].sin(), budget=1.0,
                                      backend="aot_eager")
        model((torch.arange(64.0).reshape(8, 8) - 24).requires_grad_())
    graph, = model.report().graphs
    # The rows and their numbers; half of them are found.
    assert graph.kept_bytes == 8 * (8 * 4 + 8) == 2 * graph.measured_bytes
    assert f"keeps at most {graph.kept_bytes} bytes" in str(graph) and "sizes that only data gives" in str(graph)
    assert {entry.is_most for entry in graph.kept} == {True}


def test_what_the_default_partitioner_keeps_is_reported():
    case = CASES["checkpoint_buffer"]
    model = memplan.torch.compile(case.make(), budget=0.5, backend="aot_eager")
    with pytest.warns(PartitionWarning, match="is overwritten later"):
        model(*case.inputs(0))
    graph, = model.report().graphs
    assert graph.fell_back and graph.kept_bytes == graph.measured_bytes == 32 * 4
    assert "keeps 128 bytes\n" in str(graph)


def test_subclasses_count_as_the_tensors_of_which_they_are_made():
    case = CASES["subclass"]
    model = memplan.torch.compile(case.make(), budget=0.5, backend="aot_eager")
    model(*case.inputs(0))
    graph, = model.report().graphs
    assert graph.kept_bytes == graph.measured_bytes


class Histogram(nn.Module):
    """Inductor adds in the buffer itself."""

    def __init__(self):
        super().__init__()
        self.a = nn.Linear(32, 32)
        self.register_buffer("seen", torch.zeros(32))

    def forward(self, x):
        self.seen.index_add_(0, torch.arange(32), x.detach().mean(0))
        return self.a(x).tanh() * self.seen.clone()


def check_gradients_and_kept_bytes(step):
    """Of `step(compile)`, which returns the model and its gradients: the same with memplan on Inductor."""
    _, wanted = step(lambda module: module)
    with functorch_config.patch(enable_autograd_cache=False), inductor_config.patch(fx_graph_cache=False):
        model, found = step(lambda module: memplan.torch.compile(module, budget=0.5))
    for a, b in zip(wanted, found):
        torch.testing.assert_close(a, b)
    graph, = model.report().graphs
    assert graph.kept_bytes == graph.measured_bytes


@pytest.mark.parametrize("change", [lambda model, x: model(x), lambda model, x: model.seen.data.zero_(),
                                    lambda model, x: model.seen.detach().numpy().fill(3)])
def test_inductor_keeps_what_a_buffer_had(change):
    def step(make):
        torch.manual_seed(0)
        model, x = make(Histogram()), torch.linspace(-1, 1, 16 * 32).reshape(16, 32).requires_grad_()
        results = model(x)
        change(model, x)
        results.square().sum().backward()
        return model, [x.grad, *(p.grad for p in model.parameters())]

    check_gradients_and_kept_bytes(step)


def test_inductor_reads_views_of_an_argument_before_it_is_overwritten():
    """Inductor removes the copy of the codes, of which the gradient takes a view."""
    case = CASES["codes"]

    def step(make):
        torch.manual_seed(0)
        model, x = make(case.make()), case.inputs(0)[0].requires_grad_()
        case.loss(model(x)).backward()
        return model, [x.grad, *(p.grad for p in model.parameters())]

    check_gradients_and_kept_bytes(step)


@pytest.mark.parametrize("change", ["result", "view", "argument", "weight"])
def test_an_error_about_a_changed_tensor_names_the_way_out(change):
    layer = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    model = memplan.torch.compile(layer, backend="aot_eager")
    for _ in range(2):
        x = torch.rand(3, 4, requires_grad=True) * 1
        y = model(x)
        with torch.no_grad():
            {"result": y, "view": y[0], "argument": x, "weight": layer[0].weight}[change].add_(1)
        if change == "weight":  # The next layer needs it.
            y = model(y)
            with torch.no_grad():
                layer[0].weight.add_(1)
        with pytest.raises(RuntimeError, match="modified by an inplace[^~]*memplan: .* write `y = y . 1`"):
            y.sum().backward()


class Parts(nn.Module):
    """Four graphs; `repeats`: two graphs, each of which runs four times."""

    def __init__(self, repeats):
        super().__init__()
        self.parts, self.repeats = nn.ModuleList(Part() for _ in range(4)), repeats

    def forward(self, x):
        if self.repeats:
            for part in self.parts:
                x = part(x)
            return x
        x = self.parts[0].layers(x)
        torch._dynamo.graph_break()
        x = self.parts[1].layers(x)
        torch._dynamo.graph_break()
        x = self.parts[2].layers(x)
        torch._dynamo.graph_break()
        return self.parts[3].layers(x)


class Part(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 64))

    def forward(self, x):
        y = self.layers(x)
        torch._dynamo.graph_break()
        return x + y.sin()


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize("budget", [40000, 0.4, 0.9, 0.0])
def test_the_graphs_of_a_model_share_its_budget(budget, repeats):
    model = memplan.torch.compile(Parts(repeats), budget=budget, backend="aot_eager")
    x = torch.rand(32, 64)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        results = model(x)
        kept = held(model, results, x)
        results.sum().backward()
    report = model.report()
    assert report.measured_bytes == kept
    limit = budget if isinstance(budget, int) else int(budget * report.measured_default_bytes)
    said = [str(w.message) for w in caught if "budget of the model" in str(w.message)]
    if kept <= limit:
        assert not said
    else:
        assert f"budget of the model is {limit} bytes" in said[0] and f"keep {kept}" in said[0]


def test_a_peak_is_a_budget_too():
    def step(**options):
        torch._dynamo.reset()
        model = memplan.torch.compile(nn.Sequential(*(nn.Sequential(nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))
                                                      for _ in range(4))), backend="aot_eager", **options)
        model(torch.rand(128, 64)).sum().backward()
        return model.report().graphs[0]

    whole = step(budget=1.0)
    least = step(budget=0.3)
    assert least.peak < whole.peak
    peak = (whole.peak + least.peak) // 2
    made = step(peak=peak)
    assert made.peak <= peak and least.kept_bytes <= made.kept_bytes < whole.kept_bytes
    assert step(peak=2 * whole.peak).kept_bytes == whole.kept_bytes
    with pytest.warns(PartitionWarning, match="a peak of 1000 bytes is not reached: [0-9]+ is the lowest"):
        step(peak=1000)
    with pytest.raises(TypeError, match="a peak is a number of bytes, not 0.5"):
        step(peak=0.5)


def test_the_report_says_if_a_larger_budget_has_a_lower_peak():
    model = memplan.torch.compile(network(), budget=0.3, backend="aot_eager")
    gradients(model, model)
    graph, = model.report().graphs
    kept, peak = graph.less_for_more()
    assert peak < graph.peak and kept > graph.kept_bytes
    assert f"a larger budget has a lower peak: {kept} kept bytes, {peak} bytes" in str(graph)
