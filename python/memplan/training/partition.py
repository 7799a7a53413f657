# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decides and makes the partition of a joint graph of PyTorch, or hands it to PyTorch's
default partitioner. The joint graph is not changed before success."""
from __future__ import annotations

import json
import numbers
import warnings
from ctypes import byref
from dataclasses import asdict, dataclass, field
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import torch
from torch._functorch.partitioners import default_partition
from torch._ops import HigherOrderOperator
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree

from .. import _native
from .._native import core
from ..core import MemplanError
from . import nodes as _nodes
from .audit import audit
from .joint import Joint, Leaf, Memory, Refusal
from .nodes import describe
from .split import split

#: Bytes, or a share of the bytes that the default partition keeps.
Budget = Union[int, float]

#: The most that the library takes.
_MOST = 2**63 - 1
_COST_CLASSES = ("free", "cheap", "medium", "expensive")


class PartitionError(MemplanError):
    """A partition would have trained wrongly."""


class PartitionWarning(UserWarning):
    """A part of what was asked for is not done."""


@dataclass(frozen=True)
class Kept:
    """A storage that is kept for the backward function."""
    name: str
    op: str
    bytes: int
    formula: Optional[str]
    why: str
    #: Only data gives the size: the bytes are the most that it can have.
    is_most: bool = False


@dataclass(frozen=True)
class RunAgain:
    name: str
    op: str
    flops: int
    #: The bytes that need not be kept as the op runs again.
    bytes: int


@dataclass
class GraphReport:
    """What was decided for one joint graph."""
    #: Ops of the joint graph.
    ops: int = 0
    #: The reason why PyTorch's default partitioner made the functions, or empty.
    fell_back: str = ""
    #: A nested region: the graph around it keeps what it keeps.
    is_region: bool = False
    #: The budget in bytes, and the fewest bytes that can be kept.
    budget_bytes: Optional[int] = None
    least_bytes: Optional[int] = None
    default_kept_bytes: int = 0
    kept_bytes: int = 0
    #: The part of both that results hold of which the model returns less than their storage.
    held_bytes: int = 0
    #: What autograd really held for the last call that was measured.
    measured_bytes: Optional[int] = None
    kept: List[Kept] = field(default_factory=list)
    run_again: List[RunAgain] = field(default_factory=list)
    run_again_flops: int = 0
    forward_peak: int = 0
    backward_peak: int = 0
    notes: List[str] = field(default_factory=list)
    #: The op graph (docs/opgraph.md) and the library's report, in JSON.
    opgraph: str = ""
    decision: Dict[str, Any] = field(default_factory=dict)
    #: The options of the decision.
    options: Dict[str, Any] = field(default_factory=dict)

    def decide_for(self, budget: Optional[int]) -> Dict[str, Any]:
        """The library's report for another budget."""
        held = self.held_bytes
        made = decide(self.opgraph, None if budget is None else max(0, budget - held), **self.options)
        for key in ("kept_bytes", "least_kept_bytes"):
            made[key] += held
        return made

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> "GraphReport":
        made = GraphReport(**json.loads(text))
        made.kept = [Kept(**entry) for entry in made.kept]  # type: ignore[arg-type]
        made.run_again = [RunAgain(**entry) for entry in made.run_again]  # type: ignore[arg-type]
        return made

    def less_for_more(self) -> Optional[Tuple[int, int]]:
        """Kept bytes and predicted peak of a larger budget, if that has a lower peak."""
        if not self.options or self.budget_bytes is None or self.kept_bytes >= self.default_kept_bytes:
            return None
        step = (self.default_kept_bytes - self.kept_bytes) / 4
        others = [self.decide_for(self.default_kept_bytes - int(i * step)) for i in range(4)]
        best = min(others, key=lambda other: (other["pair_peak"], other["kept_bytes"]))
        if best["pair_peak"] >= self.peak or best["kept_bytes"] <= self.kept_bytes:
            return None
        return best["kept_bytes"], best["pair_peak"]

    @property
    def is_most(self) -> bool:
        """The kept bytes are the most that they can be, as only data gives some sizes."""
        return any(entry.is_most for entry in self.kept)

    @property
    def peak(self) -> int:
        """The predicted peak of a step: of the arguments, the results and all between."""
        return max(self.forward_peak, self.backward_peak)

    def to_html(self) -> str:
        """A page with the memory of a step over time: the forward function, then the backward
        one with what runs again."""
        from ..graph import Graph
        graph = json.loads(self.opgraph)
        graph["schedule"] = self.decision["forward"] + self.decision["backward"]
        return Graph.from_json(json.dumps(graph)).profile().to_html()

    def __str__(self) -> str:
        share = f" ({100 * self.kept_bytes / self.default_kept_bytes:.0f} % of the {self.default_kept_bytes} " \
                "that PyTorch's default partition keeps)" if self.default_kept_bytes and not self.fell_back else ""
        most = "at most " if self.is_most else ""
        lines = [f"graph of {self.ops} ops: keeps {most}{self.kept_bytes} bytes{share}"]
        if self.is_most:
            lines.append("  sizes that only data gives count with the most that they can be")
        if self.measured_bytes is not None and self.measured_bytes != self.kept_bytes:
            lines.append(f"  measured: {self.measured_bytes} bytes")
        if self.fell_back:
            return "\n".join([*lines, f"  split by PyTorch's default partitioner: {self.fell_back}"])
        if self.budget_bytes is not None:
            lines.append(f"  budget: {self.budget_bytes} bytes; the least is {self.least_bytes}")
        lines.append(f"  peak: forward {self.forward_peak}, backward {self.backward_peak} bytes")
        if (other := self.less_for_more()) is not None:
            lines.append(f"  a larger budget has a lower peak: {other[0]} kept bytes, {other[1]} bytes")
        for entry in self.kept:
            size = f"{'at most ' if entry.is_most else ''}{entry.bytes} bytes" + (
                f" = {entry.formula}" if entry.formula else "")
            lines.append(f"  kept: {entry.name} ({entry.op}), {size}: {entry.why}")
        lines.append(f"  run again: {len(self.run_again)} ops, {self.run_again_flops} FLOPs")
        for again in self.run_again:
            lines.append(f"    {again.name} ({again.op}), {again.flops} FLOPs, instead of "
                         f"{again.bytes} bytes")
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


def decide(graph_text: str, budget: Optional[int], *, recompute: str, keep_peak: bool, order_steps: int
           ) -> Dict[str, Any]:
    """Partitions an op graph by the library; returns its JSON report."""
    options = _native.PartitionOptions()
    core.memplanPartitionOptionsInit(byref(options))
    options.recompute = _native.word(recompute)
    options.keep_peak = keep_peak
    options.order_steps = order_steps
    options.budget = -1 if budget is None else budget
    text = graph_text.encode("utf-8", "surrogatepass")
    handle = _native.make(core.memplanGraphParse, text, len(text), destroy=core.memplanGraphDestroy)
    report: Dict[str, Any] = json.loads(_native.take_text(
        core.memplanGraphDecidePartition, handle.pointer, byref(options)))
    return report


#: The most budgets that are tried for a peak, and for a report.
_MOST_TRIES = 16


def _decide_within_peak(decide_for: Callable[[Optional[int]], Dict[str, Any]], limit: Optional[int], peak: int,
                        default_bytes: int) -> Dict[str, Any]:
    """The decision of the largest budget with a predicted peak of at most `peak`, or the one with
    the lowest peak that was found. Peaks are not monotone in the budget."""
    best: Optional[Dict[str, Any]] = None
    budget = default_bytes if limit is None else limit
    for _ in range(_MOST_TRIES):
        made = decide_for(budget)
        if best is None or made["pair_peak"] < best["pair_peak"]:
            best = made
        if best["pair_peak"] <= peak or made["kept_bytes"] <= made["least_kept_bytes"]:
            break
        budget = min(made["kept_bytes"] - 1, made["kept_bytes"] * 7 // 8)
    assert best is not None
    return best


def _region_budget(joint: Joint) -> Optional[float]:
    """The budget that the graph states for itself (node.meta["memory_budget"], and
    torch.autograd.graph.region_activation_memory_budget)."""
    found: List[float] = []
    try:
        from torch.fx.traceback import _get_memory_budget_annotation as annotation
    except ImportError:
        def annotation(node: Node) -> Optional[float]:
            return None
    for node in joint.nodes:
        for value in (node.meta.get("memory_budget"), annotation(node)):
            if isinstance(value, (int, float)) and float(value) not in found:
                found.append(float(value))
    if len(found) > 1:
        joint.warnings.append(f"regions of one graph have the budgets {sorted(found)}: the least holds "
                              "for the whole graph")
    return min(found) if found else None


def budget_bytes(budget: Optional[Budget], default_bytes: int) -> Optional[int]:
    if budget is None:
        return None
    # numpy's scalars are numbers too.
    if isinstance(budget, bool) or not isinstance(budget, numbers.Real):
        raise TypeError(f"a budget is a share or a number of bytes, not {budget!r}")
    if not isinstance(budget, numbers.Integral):
        if not 0.0 <= budget <= 1.0:
            raise ValueError(f"the share {budget} is not between 0.0 and 1.0; bytes are an int")
        return int(float(budget) * default_bytes)
    budget = int(budget)
    if budget < 0:
        raise ValueError(f"a budget of {budget} bytes is negative")
    return min(budget, _MOST)


def check_options(budget: Optional[Budget], recompute: Optional[str], never_again: Sequence[Any],
                  order_steps: int, peak: Optional[int] = None) -> None:
    """A wrong option is an error before anything is compiled."""
    budget_bytes(budget, 0)
    if peak is not None and (isinstance(peak, bool) or not isinstance(peak, numbers.Integral)):
        raise TypeError(f"a peak is a number of bytes, not {peak!r}")
    if peak is not None and peak < 0:
        raise ValueError(f"a peak of {peak} bytes is negative")
    if recompute not in (None, *_COST_CLASSES):
        raise ValueError(f"{recompute!r} is not one of the cost classes {', '.join(_COST_CLASSES)}")
    if isinstance(never_again, str):
        raise TypeError(f"never_again is a list of ops, not {never_again!r}")
    for entry in never_again:
        if not isinstance(entry, str) and not callable(entry):
            raise TypeError(f"{entry!r} in never_again is neither a name nor an op nor a predicate")
    if isinstance(order_steps, bool) or not isinstance(order_steps, int):
        raise TypeError(f"order_steps is a number, not {order_steps!r}")
    if not 0 <= order_steps <= _MOST:
        raise ValueError(f"order_steps is {order_steps}")


def _warn(text: str) -> None:
    warnings.warn(f"memplan: {text}", PartitionWarning, stacklevel=2)


def run(module: GraphModule, inputs: Sequence[Any], *, num_fwd_outputs: int,
        static: Optional[Sequence[int]], budget: Optional[Budget], keep_peak: bool,
        recompute: Optional[str], never_again: Sequence[_nodes.NeverAgain], order_steps: int,
        peak: Optional[int] = None, compiler: Optional[str] = None, before: Tuple[int, int] = (0, 0)
        ) -> Tuple[GraphModule, GraphModule, GraphReport]:
    """The two functions and what was decided. `before` has the bytes that the default partition
    and this one keep for other graphs of the model, which share the budget."""
    report = GraphReport(ops=sum(n.op == "call_function" for n in module.graph.nodes), is_region=not inputs)
    check_options(budget, recompute, never_again, order_steps, peak)
    never: List[str] = []
    read_later: Sequence[str] = ()
    try:
        if not any(isinstance(n, Node) for n in _gradients(module, num_fwd_outputs)):
            raise Refusal("")
        forward, backward, never = _make(module, num_fwd_outputs, budget, keep_peak, recompute,
                                         never_again, order_steps, peak, compiler, before, report)
    except Refusal as refusal:
        report.fell_back = str(refusal) or "there is no gradient"
        read_later = refusal.read_later
        if str(refusal):
            _warn(f"{refusal}: PyTorch's default partitioner splits this graph")
        forward, backward = default_partition(
            module, inputs, num_fwd_outputs=num_fwd_outputs,
            static_lifetime_input_indices=list(static or []))
        report.kept_bytes = report.default_kept_bytes = _bytes_between(forward, num_fwd_outputs)
    if found := audit(forward, backward, num_fwd_outputs, never, read_later):
        whose = "PyTorch's default partition" if report.fell_back else "the partition"
        raise PartitionError(f"{whose} would train wrongly: {'; '.join(found[:3])}")
    return forward, backward, report


def _bytes_between(forward: GraphModule, num_fwd_outputs: int) -> int:
    """What a forward function keeps that is neither an argument nor a result."""
    def storages(nodes: Iterable[Any]) -> Dict[int, int]:
        return {storage._cdata: _nodes.hint(storage.nbytes()) for node in nodes if isinstance(node, Node)
                for tensor in _nodes.tensors(node.meta.get("val"))
                if (storage := _nodes.storage_of(tensor)) is not None}

    results = _gradients(forward, 0)
    others = storages([*results[:num_fwd_outputs], *(n for n in forward.graph.nodes if n.op == "placeholder")])
    return sum(size for key, size in storages(results[num_fwd_outputs:]).items() if key not in others)


def _gradients(module: GraphModule, num_fwd_outputs: int) -> List[Any]:
    output = next(n for n in reversed(module.graph.nodes) if n.op == "output")
    return list(pytree.arg_tree_leaves(*output.args)[num_fwd_outputs:])


def _make(module: GraphModule, num_fwd_outputs: int, budget: Optional[Budget], keep_peak: bool,
          recompute: Optional[str], never_again: Sequence[_nodes.NeverAgain], order_steps: int, peak: Optional[int],
          compiler: Optional[str], before: Tuple[int, int], report: GraphReport
          ) -> Tuple[GraphModule, GraphModule, List[str]]:
    joint = Joint(module, num_fwd_outputs, never_again, report.is_region, compiler)
    if later := joint.reads_later_content():
        raise Refusal(f"{describe(later[0])} in a checkpointed region reads an argument that is "
                      "overwritten later, and eager mode reads it again then", [n.name for n in later])
    if joint.offloaded():
        joint.warnings.append(f"{describe(joint.offloaded()[0])} is tagged for the memory of the CPU: "
                              "it is kept where it is")
    report.held_bytes = sum(memory.bytes for memory in joint.held)
    report.default_kept_bytes = report.held_bytes + sum(memory.bytes for memory in joint.default_kept)
    own = _region_budget(joint)
    if own is not None:
        budget, before = own, (0, 0)
    limit = budget_bytes(budget, before[0] + report.default_kept_bytes)
    if limit is not None:
        limit = max(0, limit - before[1])
    # One line without spaces is read fastest.
    report.opgraph = json.dumps(joint.graph, separators=(",", ":"))
    # What a nested region allocates inside is not in the graph, so that an order of a lower
    # predicted peak may have a higher one.
    if report.is_region or any(isinstance(node.target, HigherOrderOperator) for node in module.graph.nodes):
        order_steps = 0
    report.options = {"recompute": recompute or "medium", "keep_peak": keep_peak, "order_steps": order_steps}
    try:
        decision = report.decide_for(limit) if peak is None or report.is_region else _decide_within_peak(
            report.decide_for, limit, peak - before[1], report.default_kept_bytes)
    except (MemplanError, ValueError) as error:
        raise Refusal(str(error)) from error
    forward, backward, kept = split(joint, decision)
    _fill(report, joint, decision, kept, limit)
    if peak is not None and not report.is_region and report.peak + before[1] > peak:
        _warn(f"a peak of {peak} bytes is not reached: {report.peak + before[1]} is the lowest that was found")
    for warning in joint.warnings:
        _warn(warning)
    report.notes += joint.warnings
    if limit is not None and report.kept_bytes > limit:
        what = f"a budget of {limit} bytes" if before == (0, 0) else f"the rest of the budget, {limit} bytes,"
        regions = " with the cuts of its nested regions" if any(
            getattr(node.target, "_name", "") == "invoke_subgraph" for node in module.graph.nodes) else ""
        _warn(f"{what} is infeasible: at least {report.least_bytes} bytes must be kept{regions}, of "
              f"{report.default_kept_bytes} that PyTorch's default partition keeps")
    return forward, backward, [node.name for node in joint.reasons]


def _fill(report: GraphReport, joint: Joint, decision: Dict[str, Any], kept: Sequence[Tuple[Node, Leaf]],
          limit: Optional[int]) -> None:
    report.decision = decision
    report.kept_bytes = decision["kept_bytes"]
    report.budget_bytes = limit
    report.least_bytes = decision["least_kept_bytes"] if limit is not None else None
    report.forward_peak, report.backward_peak = decision["forward_peak"], decision["backward_peak"]
    report.run_again_flops = decision["recomputed_flops"]
    remarks = {}
    for remark in decision["remarks"]:
        if "op" in remark:
            remarks[remark["op"]] = remark["message"]
        elif not report.held_bytes or not remark["message"].startswith("a budget of"):
            # The library knows nothing of what results hold.
            report.notes.append(remark["message"])
    tags = joint.tags()
    seen: List[Memory] = []
    for node, leaf in kept:
        memory = leaf.memory
        if memory in seen or memory.is_free or not isinstance(leaf.value, torch.Tensor):
            continue
        seen.append(memory)
        maker = node.args[0] if _nodes.is_item(node) else node
        why = joint.reasons.get(maker) or remarks.get(maker.name)
        if leaf is joint.states.get(node):
            why = "the state of the generator, from which the op draws again"
        elif memory.is_converted:
            why = "Inductor keeps a copy of it with channels last"
        elif memory.argument is not None:
            why = "a copy of an argument that may change before the backward function"
        elif memory.is_output:
            why = "a copy of a result that may change before the backward function"
        elif tags.get(maker) == "must_save":
            why = "its policy is MUST_SAVE"
        report.kept.append(Kept(node.name, _nodes.op_name(maker), memory.bytes, memory.formula,
                                why or "the cheapest cut goes through it", memory.is_most))
    report.kept += [Kept(node.name, _nodes.op_name(node), memory.bytes, memory.formula,
                         "a result of the model is a part of it") for memory, node in joint.held.items()]
    report.kept.sort(key=lambda entry: -entry.bytes)
    for name in decision["recomputed"]:
        again = joint.by_op.get(name)
        if again is not None:
            report.run_again.append(RunAgain(name, _nodes.op_name(again), _nodes.flops(again),
                                             _nodes.data_bytes(again.meta.get("val"))))
