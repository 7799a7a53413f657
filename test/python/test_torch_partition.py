# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Partitions of training graphs: losses, gradients, buffers and random state equal those
of PyTorch's default partition, and of eager mode where that one is wrong."""
import contextlib
import functools

import pytest

torch = pytest.importorskip("torch")
import torch._dynamo  # noqa: E402
import torch._functorch.config as functorch_config  # noqa: E402
from functorch.compile import aot_module  # noqa: E402
from torch._dynamo.backends.common import aot_autograd  # noqa: E402
from torch._dynamo.backends.debugging import boxed_nop  # noqa: E402
from torch._functorch.partitioners import default_partition  # noqa: E402
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.fx.experimental.proxy_tensor import make_fx  # noqa: E402
from torch.utils._pytree import tree_leaves  # noqa: E402

import memplan.torch  # noqa: E402
from memplan.training import audit as _audit, joint as _joint, nodes as _nodes  # noqa: E402
from memplan.training.partition import PartitionError, PartitionWarning  # noqa: E402
from torch.utils.checkpoint import CheckpointPolicy  # noqa: E402
from training_modules import CALLS, CASES, Blocks, Case, Lambda  # noqa: E402

torch.set_num_threads(1)


def compiled(case, module, route, partition):
    if route == "whole":
        return aot_module(module, fw_compiler=boxed_nop, bw_compiler=boxed_nop, partition_fn=partition)
    options = {}
    if route == "decomposed":
        from torch._inductor import lowering  # noqa: F401  Some decompositions look for it.
        from torch._inductor.decomposition import select_decomp_table
        options["decompositions"] = select_decomp_table
    return torch.compile(module, backend=aot_autograd(
        fw_compiler=boxed_nop, bw_compiler=boxed_nop, partition_fn=partition,
        keep_inference_input_mutations=True, **options))


def train(case, route="ops", partition=None, steps=2, sizes=False):
    """What training makes: a list of tensors. Without a partition, in eager mode."""
    torch._dynamo.reset()
    CALLS[0] = 0
    torch.manual_seed(3)
    module = case.make().train()
    for part in module.modules():
        if isinstance(part, torch.nn.BatchNorm2d):
            part.eval()
    seen = []
    with torch._dynamo.config.patch(dict(case.dynamo)) if case.dynamo else contextlib.nullcontext(), \
            functorch_config.patch(enable_autograd_cache=False):
        model = compiled(case, module, route, partition) if partition else module
        for step in range(steps):
            torch.manual_seed(step)
            runs = []
            for turn in range(case.forwards):
                inputs = [x.clone() for x in case.inputs(step + 10 * turn)]
                if sizes and step:
                    first = inputs[0]
                    for d in case.free:
                        first = torch.cat([first, first.narrow(d, 0, first.shape[d] // 2)], d)
                    inputs[0] = first
                if inputs[0].is_floating_point():
                    inputs[0].requires_grad_()
                if sizes and partition and route == "ops":
                    for d in case.free:
                        torch._dynamo.mark_dynamic(inputs[0], d)
                with case.context():
                    out = model(*inputs)
                    runs.append((inputs, out, case.loss(out)))
            with torch.no_grad():
                case.between(module)
            for inputs, out, _ in runs:
                case.change(inputs, out)
            for inputs, out, loss in runs:
                for turn in range(case.backwards):
                    loss.backward(retain_graph=turn + 1 < case.backwards)
                seen += [loss.detach().clone(), *(x.detach().clone() for x in inputs)]
                seen += [t.detach().clone() for t in tree_leaves(out) if isinstance(t, torch.Tensor)]
                seen += [x.grad.clone() for x in inputs if x.is_floating_point() and x.grad is not None]
            seen += [b.clone() for b in module.buffers()]
            for p in module.parameters():
                if p.grad is not None:
                    seen.append(p.grad.clone())
                    with torch.no_grad():
                        p -= 0.05 * p.grad
                p.grad = None
            seen.append(torch.get_rng_state())
    return seen


def difference(a, b):
    if len(a) != len(b):
        return f"{len(a)} and {len(b)} tensors"
    for i, (x, y) in enumerate(zip(a, b)):
        if x.dtype != y.dtype or x.shape != y.shape or not torch.equal(x, y):
            return f"tensor {i} of {len(a)}, {x.dtype} {tuple(x.shape)}"
    return ""


ROUTES = [(name, route) for name, case in CASES.items() for route in case.routes]
BUDGETS = [None, 0.7, 0.4, 0.0]


pytestmark = pytest.mark.filterwarnings("ignore:memplan. a budget")


@pytest.mark.parametrize("name,route", ROUTES, ids=[f"{n}-{r}" for n, r in ROUTES])
def test_training_equals_the_default_partition(name, route):
    case = CASES[name]
    reference = train(case, route, default_partition)
    eager = train(case)
    for budget in BUDGETS:
        reports = []
        ours = train(case, route, functools.partial(memplan.torch.partition, budget=budget,
                                                    report=reports.append))
        assert not difference(reference, ours) or not difference(eager, ours), (
            f"budget {budget}: {difference(reference, ours)} (default and eager: "
            f"{difference(reference, eager)})")
        assert reports and not any(r.fell_back for r in reports)
        for made in reports:
            if made.budget_bytes is not None:
                assert made.kept_bytes <= max(made.budget_bytes, made.least_bytes)


DECOMPOSED = ["clone_then_overwrite", "view_then_overwrite", "dropout", "attention_dropout", "autocast", "half",
              "checkpoint_dropout", "checkpoint_user_op", "region_of_layers", "in_place", "transposed", "bag",
              "mutated_view", "quantized", "sorted", "experts", "cond", "teacher", "several_written"]


def test_a_copy_of_memory_that_is_read_by_its_address_is_left_to_the_default_partitioner():
    def make():
        def function(m, x):
            y = (x.sin() * m.buf.as_strided((8, 16), (1, 1), 20).exp()).exp()
            with torch.no_grad():
                m.buf.mul_(0.5)
            return y
        return Lambda(function, width=16, buffers={"buf": torch.linspace(0, 1, 100)[20:90]})

    case = Case(make, CASES["strides"].inputs, "an address")
    eager = train(case)
    for budget in (None, 0.0):
        with pytest.warns(PartitionWarning, match="by its address"):
            ours = train(case, "ops", functools.partial(memplan.torch.partition, budget=budget))
        assert not difference(eager, ours)


@pytest.mark.parametrize("name", DECOMPOSED)
def test_training_with_the_decompositions_of_inductor(name):
    case = CASES[name]
    reference = train(case, "decomposed", default_partition)
    for budget in (None, 0.3):
        reports = []
        ours = train(case, "decomposed", functools.partial(memplan.torch.partition, budget=budget,
                                                           report=reports.append))
        assert not difference(reference, ours) or not difference(train(case), ours)
        assert reports and not any(made.fell_back for made in reports)


def test_a_region_that_reads_what_is_overwritten_later():
    """Eager mode and the default partition run it again with the new content."""
    case, reports = CASES["checkpoint_buffer"], []
    with pytest.warns(PartitionWarning, match="clone.*is overwritten later"):
        ours = train(case, "ops", functools.partial(memplan.torch.partition, budget=0.5,
                                                    report=reports.append))
    assert reports[0].fell_back
    assert not difference(train(case, "ops", default_partition), ours)
    assert not difference(train(case), ours)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.free and "ops" in case.routes])
def test_one_graph_serves_all_sizes(name):
    case = CASES[name]
    calls = {"default": 0, "ours": 0}

    def counted(which, function):
        def partition(*arguments, **options):
            calls[which] += 1
            return function(*arguments, **options)
        return partition

    reference = train(case, "ops", counted("default", default_partition), sizes=True)
    for budget in (None, 0.4):
        calls["ours"] = 0
        ours = train(case, "ops", counted("ours", functools.partial(memplan.torch.partition, budget=budget)),
                     sizes=True)
        assert not difference(reference, ours)
        assert calls["ours"] == calls["default"]


def joint_of(name_or_case, route="ops", dynamic=False):
    """The first joint graph of a case, with the arguments of the partition function."""
    case = CASES[name_or_case] if isinstance(name_or_case, str) else name_or_case
    found = []

    def take(module, inputs, **options):
        found.append((module, inputs, dict(options), str(module.graph)))
        return default_partition(module, inputs, **options)

    train(case, route, take, steps=1, sizes=dynamic)
    return found[0]


def test_a_larger_budget_never_keeps_less_or_costs_more():
    for name in ("dropout", "attention", "transposed", "gru", "in_place"):
        module, inputs, options, _ = joint_of(name, CASES[name].routes[-1])
        before = None
        for budget in [k / 20 for k in range(21)]:
            reports = []
            memplan.torch.partition(module, inputs, budget=budget, keep_peak=False,
                                    report=reports.append, **options)
            made, = reports
            assert made.kept_bytes <= max(made.budget_bytes, made.least_bytes)
            if before:
                assert made.kept_bytes >= before.kept_bytes
                assert made.decision["recompute_cost"] <= before.decision["recompute_cost"]
            before = made
        assert before.decision["recompute_cost"] == 0 or before.kept_bytes <= before.default_kept_bytes


def test_a_budget_is_bytes_or_a_share():
    module, inputs, options, _ = joint_of("dropout")
    reports = []
    ours = functools.partial(memplan.torch.partition, module, inputs, report=reports.append, **options)
    ours(budget=0.6)
    ours(budget=reports[0].budget_bytes)
    assert reports[0].kept_bytes == reports[1].kept_bytes
    with pytest.warns(PartitionWarning, match="a budget of 1 bytes is infeasible: at least [0-9]+ bytes"):
        ours(budget=1)
    reports.clear()
    ours(budget=10**9)
    ours(budget=2**64 + 5)
    assert reports[0].kept_bytes == reports[1].kept_bytes == reports[0].default_kept_bytes
    for wrong in (1.5, -1, -0.5):
        with pytest.raises(ValueError):
            ours(budget=wrong)
    with pytest.raises(TypeError):
        ours(budget="60%")


@pytest.mark.parametrize("rows", [24, 50000])
def test_a_size_that_data_gives_counts_with_the_most_it_can_be(rows):
    case = Case(lambda: Lambda(lambda m, x: x[torch.nonzero(x[:, 0] > 0).squeeze(1)].sin()),
                lambda step: (torch.ones(rows, 32),), "nonzero", dynamo={"capture_dynamic_output_shape_ops": True})
    reports = []
    train(case, "ops", functools.partial(memplan.torch.partition, budget=1.0, report=reports.append), steps=1)
    # The rows, their sines and their numbers are kept, at most all of them.
    assert reports[0].default_kept_bytes == rows * (2 * 32 * 4 + 8)


def test_the_partition_of_no_budget_keeps_the_peak_within_a_budget():
    # To draw masks again costs the states of the generator, more than the masks.
    case = Case(lambda: Blocks(0.3), lambda step: (torch.ones(32, 32),), "states of the generator")
    reports = []
    train(case, "decomposed", functools.partial(
        memplan.torch.partition, budget=0.9, report=reports.append), steps=1)
    assert reports[0].kept_bytes <= reports[0].budget_bytes < reports[0].default_kept_bytes
    assert not [note for note in reports[0].notes if "above the" in note]


def test_the_joint_graph_is_not_changed():
    for name in ("clone_then_overwrite", "checkpoint_policy", "experts"):
        module, inputs, options, text = joint_of(name)
        before = str(module.graph)
        tags = [dict(n.meta) for n in module.graph.nodes]
        memplan.torch.partition(module, inputs, **options)
        assert str(module.graph) == before
        assert [dict(n.meta) for n in module.graph.nodes] == tags


def test_an_overwritten_argument_is_never_read_later():
    module, inputs, options, _ = joint_of("clone_then_overwrite")
    forward, backward = memplan.torch.partition(module, inputs, budget=0.0, **options)
    assert not _audit.audit(forward, backward, options["num_fwd_outputs"])
    write, = (n for n in forward.graph.nodes if n.target is torch.ops.aten.copy_.default)
    order = list(forward.graph.nodes)
    assert all(order.index(read) <= order.index(write) for read in write.args[0].users)


def test_ops_that_never_run_again_are_named_or_found():
    module, inputs, options, _ = joint_of("function")
    names = lambda report: {entry.op for entry in report.run_again}  # noqa: E731
    reports = []
    ours = functools.partial(memplan.torch.partition, module, inputs, report=reports.append, budget=0.0,
                             **options)
    ours()
    assert "tanh" in names(reports[-1])
    for never in ("aten.tanh.default", "aten::tanh", torch.ops.aten.tanh, torch.ops.aten.tanh.default,
                  lambda node: node.name == "tanh"):
        ours(never_again=[never])
        assert "tanh" not in names(reports[-1]), never
    assert any("never runs again" in entry.why for entry in reports[-1].kept)
    ours(never_again=["aten.t"])  # A view costs nothing.
    assert not reports[-1].fell_back and reports[-1].run_again
    ours(never_again=[lambda node: True])
    assert not reports[-1].fell_back and all(entry.op == "t" for entry in reports[-1].run_again)


def test_policies_hold():
    module, inputs, options, _ = joint_of("checkpoint_policy")
    reports = []
    forward, backward = memplan.torch.partition(module, inputs, report=reports.append, **options)
    again = {entry.op for entry in reports[0].run_again}
    assert "addmm" not in again and "gelu" in again


def test_a_random_op_of_a_region_draws_again_from_the_same_state():
    case = Case(lambda: Blocks(0.2, lambda *_, **__: CheckpointPolicy.MUST_RECOMPUTE),
                CASES["checkpoint_dropout"].inputs, "")
    reports = []
    ours = train(case, "ops", functools.partial(memplan.torch.partition, report=reports.append, budget=0.5))
    assert not any(made.fell_back for made in reports)
    assert {"native_dropout"} <= {entry.op for entry in reports[0].run_again}
    states = [entry for entry in reports[0].kept if "state of the generator" in entry.why]
    assert len(states) == 3 and all(entry.bytes == torch.get_rng_state().numel() for entry in states)
    assert not difference(train(case, "ops", default_partition), ours)


def test_a_random_op_that_must_run_again_and_cannot_is_left_to_the_default_partitioner():
    case = Case(lambda: Blocks(0.2, lambda *_, **__: CheckpointPolicy.MUST_RECOMPUTE),
                CASES["checkpoint_dropout"].inputs, "")
    module, inputs, options, _ = joint_of(case)
    reports = []
    with pytest.warns(PartitionWarning, match="'native_dropout.*MUST_RECOMPUTE.*default partitioner"):
        with contextlib.suppress(AssertionError):  # The default partitioner needs a trace here.
            memplan.torch.partition(module, inputs, report=reports.append, never_again=["aten::native_dropout"],
                                    **options)


def test_a_region_keeps_no_more_than_by_default():
    seen = []

    def partition(module, inputs, **options):
        reports = []
        pair = memplan.torch.partition(module, inputs, report=reports.append, **options)
        seen.append((not inputs, reports[0]))
        return pair

    train(CASES["region"], "ops", partition, steps=1)
    assert [is_region for is_region, _ in seen] == [True, False]
    assert all(r.kept_bytes <= r.default_kept_bytes and not r.run_again for _, r in seen)


def test_a_result_that_is_copied_into_an_argument_is_not_free():
    module, inputs, options, _ = joint_of("renormed")
    reports = []
    memplan.torch.partition(module, inputs, budget=0.0, report=reports.append, **options)
    made, = reports
    # The table of 40 rows, which the caller copies back and releases.
    assert made.kept_bytes == made.least_bytes == 40 * 16 * 4


def test_a_norm_runs_again_without_statistics():
    module, inputs, options, _ = joint_of("checkpoint_norm")
    reports = []
    forward, backward = memplan.torch.partition(module, inputs, report=reports.append, **options)
    targets = {n.target for n in backward.graph.nodes}
    assert torch.ops.aten._native_batch_norm_legit.no_stats in targets
    assert reports[0].kept_bytes == 0


def test_columns_of_convolutions_are_counted():
    def scratch(*shapes, **options):
        x, w = (torch.empty(shape) for shape in shapes)
        graph = torch.fx.Graph()
        nodes = [graph.placeholder(name) for name in "xw"]
        nodes[0].meta["val"], nodes[1].meta["val"] = x, w
        arguments = (None, options.get("stride", [1, 1]), [1, 1], [1, 1], False, [0, 0], options.get("groups", 1))
        node = graph.call_function(torch.ops.aten.convolution.default, (*nodes, *arguments))
        node.meta["val"] = made = torch.ops.aten.convolution.default(x, w, *arguments)
        if "backward" in options:
            back = graph.call_function(torch.ops.aten.convolution_backward.default, (
                node, *nodes, [w.shape[0]], *arguments[1:], [True, True, True]))
            back.meta["val"] = (x, w, made.sum((0, 2, 3)))
            return _nodes.scratch_bytes(back, channels_last=options["backward"])
        return _nodes.scratch_bytes(node, options.get("channels_last", False))

    assert scratch((1, 16, 16, 16), (8, 16, 3, 3)) == 16 * 9 * 16 * 16 * 4
    assert scratch((2, 8, 16, 16), (8, 8, 3, 3)) == 4 * (2 * 2 * 8 * 16 * 16 + 8 * 8 * 9)
    assert scratch((2, 8, 16, 16), (8, 8, 1, 1)) == 0
    # By channel, with channels last: 256 places at a time, of kernels that are not small.
    assert scratch((2, 16, 16, 16), (16, 1, 7, 7), groups=16, backward=True) == 256 * 16 * 49 * 4 + 16 * 49 * 4
    # Measured with fewer places than 256: 12 shapes are within 256 bytes.
    assert scratch((2, 32, 8, 8), (32, 1, 5, 5), groups=32, backward=True) == (256 + 1) * 32 * 25 * 4
    assert scratch((2, 16, 16, 16), (16, 1, 7, 7), groups=16, backward=False) < 256 * 16 * 49 * 4
    assert scratch((2, 16, 16, 16), (16, 1, 3, 3), groups=16, backward=True) < 256 * 16 * 9 * 4


def test_conversions_of_operands_are_counted():
    module, inputs, options, _ = joint_of("cast_then_overwrite")
    product = next(n for n in module.graph.nodes if n.target is torch.ops.aten.add.Tensor)
    values = [n.meta["val"] for n in product.all_input_nodes]
    wanted = sum(v.numel() * 4 for v in values if v.dim() and v.dtype is not torch.float32)
    assert _nodes.scratch_bytes(product) == wanted
    mode = values[0].fake_mode
    with mode:
        a, b = torch.empty(8, 4), torch.empty(8, 4, dtype=torch.bool)
    graph = torch.fx.Graph()
    x, y = graph.placeholder("x"), graph.placeholder("y")
    x.meta["val"], y.meta["val"] = a, b
    both = graph.call_function(torch.ops.aten.mul.Tensor, (x, y))
    both.meta["val"] = a
    assert _nodes.scratch_bytes(both) == 8 * 4 * 4
    copy = graph.call_function(torch.ops.aten._to_copy.default, (y,), {"dtype": torch.float32})
    copy.meta["val"] = a
    assert _nodes.scratch_bytes(copy) == 0


def test_offload_tags_are_kept_with_a_warning():
    module, inputs, options, _ = joint_of("dropout")
    policy = torch.utils.checkpoint.CheckpointPolicy
    node = next(n for n in module.graph.nodes if n.target is torch.ops.aten.gelu.default)
    node.meta["recompute"] = policy.MUST_CPU_OFFLOAD
    with pytest.warns(PartitionWarning, match="'gelu'.*kept where it is"):
        forward, backward = memplan.torch.partition(module, inputs, **options)
    assert "gelu" not in {n.name for n in backward.graph.nodes if n.op == "call_function"}


def test_the_budget_of_a_region_holds():
    module, inputs, options, _ = joint_of("dropout")
    for node in module.graph.nodes:
        node.meta["memory_budget"] = 0.5
    reports = []
    memplan.torch.partition(module, inputs, report=reports.append, **options)
    assert reports[0].budget_bytes == reports[0].default_kept_bytes // 2


def test_what_is_not_known_is_left_to_the_default_partitioner():
    module, inputs, options, _ = joint_of("dropout")
    node = next(n for n in module.graph.nodes if n.target is torch.ops.aten.gelu.default)
    node.op = "call_module"
    reports = []
    before = str(module.graph)
    with pytest.raises(Exception):
        # The default partitioner cannot do it either, but it is asked.
        with pytest.warns(PartitionWarning, match="'gelu'.*default partitioner"):
            memplan.torch.partition(module, inputs, report=reports.append, **options)
    assert str(module.graph) == before


#===----------------------------------------------------------------------===#
# The audit
#===----------------------------------------------------------------------===#

def split_by_default(name):
    module, inputs, options, _ = joint_of(name)
    forward, backward = default_partition(module, inputs, **options)
    return module, forward, backward, options["num_fwd_outputs"]


def test_the_audit_finds_a_read_of_an_overwritten_argument():
    module, forward, backward, outputs = split_by_default("clone_then_overwrite")
    assert not _audit.audit(forward, backward, outputs)
    copy = next(n for n in forward.graph.nodes if n.target is torch.ops.aten.clone.default)
    output = next(n for n in forward.graph.nodes if n.op == "output")
    output.replace_input_with(copy, copy.args[0])
    found = _audit.audit(forward, backward, outputs)
    assert any("which the forward function overwrites" in text for text in found), found


def test_the_audit_finds_a_second_draw():
    module, forward, backward, outputs = split_by_default("noise")
    draw = next(n for n in forward.graph.nodes if "rand_like" in n.name)
    node = next(n for n in backward.graph.nodes if n.op == "call_function")
    with backward.graph.inserting_before(node):
        again = backward.graph.create_node("call_function", draw.target, (node.args[0],), name=draw.name)
        again.meta = dict(draw.meta)
    assert any("draws in both functions" in text for text in _audit.audit(forward, backward, outputs))


def test_the_audit_finds_a_read_behind_a_write():
    module, forward, backward, outputs = split_by_default("clone_then_overwrite")
    nodes = list(forward.graph.nodes)
    write = next(n for n in nodes if n.target is torch.ops.aten.copy_.default)
    read = next(n for n in nodes if n.target is torch.ops.aten.clone.default)
    for user in [n for n in nodes if n.op == "call_function" and n is not write]:
        if user is read:
            write.args[0].append(write)  # Right behind the arguments.
    found = _audit.audit(forward, backward, outputs)
    assert any("after copy_ overwrote it" in text for text in found), found


def test_the_audit_finds_a_write_into_a_copy():
    module, inputs, options, _ = joint_of("written_in_both_by_module")
    forward, backward = memplan.torch.partition(module, inputs, **options)
    count = options["num_fwd_outputs"]
    assert not _audit.audit(forward, backward, count)
    written = {n.args[0].name for n in backward.graph.nodes if n.target is torch.ops.aten.copy_.default}
    output = next(n for n in forward.graph.nodes if n.op == "output")
    target = next(n for n in output.args[0][count:] if n.name in written)
    with forward.graph.inserting_before(output):
        copied = forward.graph.call_function(torch.ops.aten.clone.default, (target,))
    with target.meta["val"].fake_mode:
        copied.meta["val"] = target.meta["val"].clone()
    output.args = ((*output.args[0][:count], *(copied if n is target else n for n in output.args[0][count:])),)
    found = _audit.audit(forward, backward, count)
    assert any(f"writes {copied.name}, which is no argument" in text for text in found), found


def test_the_audit_finds_a_size_before_a_tensor():
    module, inputs, options, _ = joint_of("dropout", dynamic=True)
    forward, backward = memplan.torch.partition(module, inputs, **options)
    output = next(n for n in forward.graph.nodes if n.op == "output")
    count = options["num_fwd_outputs"]
    values = list(output.args[0])
    assert isinstance(values[-1].meta["val"], torch.SymInt)
    output.args = (tuple(values[:count] + [values[-1]] + values[count:-1]),)
    assert any("before the tensor" in text for text in _audit.audit(forward, backward, count))


def test_a_wrong_partition_is_an_error(monkeypatch):
    module, inputs, options, _ = joint_of("clone_then_overwrite")
    monkeypatch.setattr(_joint.Joint, "is_overwritten", lambda self, memory: False)
    monkeypatch.setattr(_joint.Joint, "_find_default",
                        lambda self: {leaf.memory for leaf in self.values.values()})
    with pytest.raises(PartitionError, match="which the forward function overwrites"):
        memplan.torch.partition(module, inputs, budget=0.0, **options)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_fused_attention_of_a_gpu_may_be_kept(dropout):
    # It returns numbers and nothing besides tensors, which the graph has as constants.
    attention = torch.ops.aten._scaled_dot_product_flash_attention.default
    backward = torch.ops.aten._scaled_dot_product_flash_attention_backward.default

    def joint(primals, tangents):
        q, k, v = primals
        out, sums, *lengths, seed, offset, _ = attention(q, k, v, dropout, True)
        grads = backward(tangents[0], q, k, v, out, sums, *lengths, dropout, True, seed, offset)
        return [out.sin()], list(grads)

    with FakeTensorMode():
        tensors = [torch.empty(2, 4, 64, 32, device="cuda", dtype=torch.bfloat16) for _ in range(4)]
        module = make_fx(joint)(tensors[:3], tensors[3:])
    for node, name in zip(list(module.graph.nodes), ["primals_1", "primals_2", "primals_3", "tangents_1"]):
        node.target = name
    found = []
    memplan.torch.partition(module, [], num_fwd_outputs=1, report=found.append)
    assert not found[0].fell_back
    assert "_scaled_dot_product_flash_attention" in [kept.op for kept in found[0].kept]
    assert not found[0].run_again


def test_old_versions_are_refused(monkeypatch):
    monkeypatch.setattr(torch, "__version__", "2.10.1+cpu")
    with pytest.raises(memplan.MemplanError, match="PyTorch 2.10.1.cpu is too old.*2.11"):
        memplan.torch.partition(None, [], num_fwd_outputs=1)
