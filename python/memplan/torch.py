# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.fx: plans the memory of a traced module in one arena.

    import torch, torch.fx, memplan.torch
    module = torch.fx.symbolic_trace(MyModule())
    plan = memplan.torch.plan(module, (torch.rand(1, 3, 224, 224),))
    print(plan)

The module is run once on the example inputs, op by op. The storage of each result is
the one that torch reports, so views, ops in place and ops with several results need
no list of op names. As for MLIR:

- the result of an op is live from the op to the last op that uses it or a view of
  it, both included;
- inputs, parameters, buffers and constants exist already and are not planned;
- memory that the module returns, also as a view, belongs to the caller and is not
  planned.
"""
from __future__ import annotations

import functools
import operator
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import torch
from torch.fx import GraphModule, Interpreter, Node

from .core import STRATEGIES, Plan, Problem, solve
from .training.partitioner import Partitioner, require_version
from .training.report import TrainingReport as TrainingReport

if TYPE_CHECKING:
    from .training.partition import GraphReport

# What splits training graphs is loaded with the first of them, or now if PyTorch's own
# partitioner, which takes long to load, is there.
if "torch._functorch.partitioners" in sys.modules:
    from .training import partition as _partition  # noqa: F401

@dataclass(frozen=True)
class TorchPlan:
    """A plan of the temporaries of a traced module."""
    #: Its buffers are named after the nodes that make them; time counts nodes.
    problem: Problem
    plan: Plan
    #: Bytes of the arena, by strategy.
    by_strategy: Dict[str, int]
    #: Node and bytes of each storage that has no place as it is returned.
    returned: Tuple[Tuple[str, int], ...]
    #: Bytes of the inputs, and of parameters, buffers and constants.
    input_bytes: int
    parameter_bytes: int
    #: The names of the graph's nodes; the index is the time.
    nodes: Tuple[str, ...]
    #: Bytes as a formula, by buffer, where they depend on free sizes. The plan is then
    #: for the sizes of the example inputs of the export.
    formulas: Dict[str, str] = field(default_factory=dict)

    @property
    def arena_size(self) -> int:
        return self.plan.arena_size

    @property
    def lower_bound(self) -> int:
        return self.plan.lower_bound

    def to_html(self) -> str:
        """The page of the plan."""
        return self.plan.to_html()

    def __str__(self) -> str:
        lines = [f"arena {self.arena_size} bytes, bound {self.lower_bound}, "
                 f"{len(self.problem.buffers)} buffers of {self.problem.total_size} bytes",
                 f"inputs {self.input_bytes} bytes, parameters {self.parameter_bytes} bytes, "
                 f"returned {sum(size for _, size in self.returned)} bytes"]
        lines += [f"  {name:18} {size}" for name, size in self.by_strategy.items()]
        return "\n".join(lines)


def _storage(tensor: Any) -> Any:
    """The untyped storage of a tensor, which all views of it share."""
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage()
    storage = tensor.storage()
    return getattr(storage, "_storage", None) or storage._untyped()


def _tensors(value: Any) -> List[torch.Tensor]:
    """The tensors in nested tuples, lists and dicts."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [tensor for part in value for tensor in _tensors(part)]
    return []


@dataclass
class _Memory:
    """A storage of the run; `storage` keeps it alive, so that its identity is not used
    again."""
    storage: Any
    bytes: int
    node: str
    #: The nodes that make it and that use it last.
    start: int
    last: int
    is_input: bool = False
    is_parameter: bool = False
    is_returned: bool = False
    formula: Optional[str] = None


class _Exported:
    """The storages of an exported program, from its fake tensors; nothing is run."""

    def __init__(self, program: Any) -> None:
        from torch.export.graph_signature import InputKind, OutputKind
        self.memories: Dict[int, _Memory] = {}
        of_node: Dict[Node, List[_Memory]] = {}
        nodes = list(program.graph.nodes)
        self.time = {node: i for i, node in enumerate(nodes)}
        kinds = {spec.arg.name: spec.kind for spec in program.graph_signature.input_specs
                 if hasattr(spec.arg, "name")}
        # What the program writes into buffers and arguments is copied there at the end.
        returned = {getattr(spec.arg, "name", None)
                    for spec in program.graph_signature.output_specs
                    if spec.kind is OutputKind.USER_OUTPUT}
        for node in nodes:
            time = self.time[node]
            if node.target is not operator.getitem or \
                    isinstance(node.args[0].meta.get("val"), torch.Tensor):
                for used in node.all_input_nodes:
                    for memory in of_node[used]:
                        memory.last = max(memory.last, time)
            found = [self._find(tensor, node.name, time)
                     for tensor in _tensors(node.meta.get("val"))]
            of_node[node] = found
            for memory in found:
                memory.last = max(memory.last, time)
                if node.op == "placeholder":
                    is_input = kinds.get(node.name) in (InputKind.USER_INPUT, InputKind.TOKEN)
                    memory.is_input |= is_input
                    memory.is_parameter |= not is_input
                memory.is_returned |= node.name in returned

    def _find(self, tensor: torch.Tensor, node: str, time: int) -> _Memory:
        storage = _storage(tensor)
        memory = self.memories.get(storage._cdata)
        if memory is None:
            size = storage.nbytes()
            formula = None
            if not isinstance(size, int):
                formula = str(size.node.expr)
                size = int(size.node.hint if size.node.hint is not None else 0)
            memory = _Memory(storage, size, node, time, time, formula=formula)
            self.memories[storage._cdata] = memory
        return memory


class _Recorder(Interpreter):
    """Runs the module and records the storages of every node's result."""

    def __init__(self, module: GraphModule) -> None:
        # Values are kept, so that their storages stay alive.
        super().__init__(module, garbage_collect_values=False)
        self.memories: Dict[int, _Memory] = {}
        self.of_node: Dict[Node, List[_Memory]] = {}
        self.time = {node: i for i, node in enumerate(module.graph.nodes)}
        for tensor in [*module.parameters(), *module.buffers()]:
            self._find(tensor, "", -1).is_parameter = True

    def _find(self, tensor: torch.Tensor, node: str, time: int) -> _Memory:
        storage = _storage(tensor)
        memory = self.memories.get(storage._cdata)
        if memory is None:
            memory = _Memory(storage, storage.nbytes(), node, time, time)
            self.memories[storage._cdata] = memory
        return memory

    def run_node(self, n: Node) -> Any:
        result = super().run_node(n)
        time = self.time[n]
        # Taking one of several results uses only that one, which is found below.
        if n.target is not operator.getitem or isinstance(self.env[n.args[0]], torch.Tensor):
            for used in n.all_input_nodes:
                for memory in self.of_node[used]:
                    memory.last = max(memory.last, time)
        found = [self._find(tensor, n.name, time) for tensor in _tensors(result)]
        self.of_node[n] = found
        for memory in found:
            memory.last = max(memory.last, time)
            # Nodes that do not compute mark existing memory and outputs.
            memory.is_input |= n.op == "placeholder"
            memory.is_parameter |= n.op == "get_attr"
            memory.is_returned |= n.op == "output"
        return result


def plan(graph_module: Any, example_inputs: Sequence[Any] = (), *,
         strategy: str = "auto", alignment: int = 64, capacity: Optional[int] = None,
         compare: Sequence[str] = STRATEGIES, **options: Any) -> TorchPlan:
    """Plans the temporaries of a traced module that is called with these inputs, or of a
    torch.export.ExportedProgram.

    A traced module runs once, without gradients, on these inputs, so an op in place changes
    inputs and parameters. An exported program needs no inputs and is not run: its fake
    tensors tell the storages, its signature what it takes, overwrites and returns. Free
    sizes have the values of its example inputs. Each storage that the ops make is one
    buffer; `python -m memplan plan` lowers them to linalg, with pads that are buffers and without
    results that are made in place, and so plans another arena. `compare` names strategies whose arenas are computed in
    addition to that of `strategy`; `options` are those of memplan.solve.
    """
    recorder: Union[_Exported, _Recorder]
    if isinstance(graph_module, torch.export.ExportedProgram):
        recorder = _Exported(graph_module)
    else:
        recorder = _record(graph_module, example_inputs)
    problem = Problem(capacity=capacity, arena_alignment=alignment)
    returned: List[Tuple[str, int]] = []
    names: Dict[str, int] = {}
    formulas: Dict[str, str] = {}
    inputs = parameters = 0
    for memory in recorder.memories.values():
        if memory.is_parameter:
            parameters += memory.bytes
        elif memory.is_input:
            inputs += memory.bytes
        elif memory.is_returned:
            returned.append((memory.node, memory.bytes))
        else:
            # Several results of one node are named node, node.1, node.2, ...
            count = names.get(memory.node, 0)
            names[memory.node] = count + 1
            name = f"{memory.node}.{count}" if count else memory.node
            problem.add(name, memory.bytes, memory.start, memory.last + 1, alignment=alignment)
            if memory.formula is not None:
                formulas[name] = memory.formula
    best = solve(problem, strategy, **options)
    sizes = {}
    for name in compare:
        # Without a limit, exact may run for ever.
        limit = 100000 if name == "exact" else None
        other = best if name == strategy else solve(problem, name, node_limit=limit)
        if other.buffers or not problem.buffers:
            sizes[name] = other.arena_size
    return TorchPlan(problem, best, sizes, tuple(returned), inputs, parameters,
                     tuple(node.name for node in recorder.time), formulas)


def _record(graph_module: Any, example_inputs: Sequence[Any]) -> _Recorder:
    if not isinstance(graph_module, GraphModule):
        raise TypeError(f"{type(graph_module).__name__} is neither a traced module, which "
                        "torch.fx.symbolic_trace makes, nor an exported program")
    # A tensor is a sequence as well, but means a single input.
    if isinstance(example_inputs, torch.Tensor):
        example_inputs = (example_inputs,)
    takers = [node for node in graph_module.graph.nodes if node.op == "placeholder"]
    takes_any = any(str(node.target).startswith("*") for node in takers)
    if len(example_inputs) > len(takers) and not takes_any:
        raise TypeError(f"{len(example_inputs)} inputs for a module that takes {len(takers)}")
    recorder = _Recorder(graph_module)
    with torch.no_grad():
        recorder.run(*example_inputs)
    return recorder


def partition(joint_module: GraphModule, joint_inputs: Sequence[Any], *,
              num_fwd_outputs: int,
              static_lifetime_input_indices: Optional[Sequence[int]] = None,
              compiler: Optional[str] = None,
              budget: Union[int, float, None] = None, peak: Optional[int] = None, keep_peak: bool = True,
              recompute: Optional[str] = None, never_again: Sequence[Any] = (),
              order_steps: int = 2000, report: Optional[Callable[["GraphReport"], None]] = None
              ) -> Tuple[GraphModule, GraphModule]:
    """Splits a joint graph of AOTAutograd into a forward and a backward function; a
    `partition_fn`. memplan.torch.compile is the short way to it (docs/training.md).

        from torch._dynamo.backends.common import aot_autograd
        backend = aot_autograd(fw_compiler=..., bw_compiler=..., partition_fn=functools.partial(
            memplan.torch.partition, budget=0.6))

    What the forward function keeps for the backward function is a minimum cut in bytes
    of storages; other values are made again, late. `budget` limits the kept bytes: an
    int is bytes, a float a share of what the default partition keeps (storages that
    are neither arguments nor results count). Within it the recomputation costs least;
    without it ops up to the cost class `recompute` ("medium": reductions, no
    contractions) run again. `peak` limits the predicted peak in bytes: the largest budget that
    holds it is taken. With `keep_peak`, no peak is above that of the default
    partition. `never_again` names ops that must never run again (docs/training.md).
    `report` is called with a GraphReport.

    What is not known to be right is left to PyTorch's default partitioner, with a
    PartitionWarning that names the op.
    """
    require_version()
    from .training.partition import run
    forward, backward, made = run(
        joint_module, joint_inputs, num_fwd_outputs=num_fwd_outputs,
        static=static_lifetime_input_indices, compiler=compiler, budget=budget, peak=peak, keep_peak=keep_peak,
        recompute=recompute, never_again=never_again, order_steps=order_steps)
    if report:
        report(made)
    return forward, backward


def compile(model: Any = None, *, budget: Union[int, float, None] = None, peak: Optional[int] = None,
            keep_peak: bool = True, recompute: Optional[str] = None,
            never_again: Sequence[Any] = (), order_steps: int = 2000, backend: str = "inductor",
            mode: Optional[str] = None, options: Optional[Dict[str, Any]] = None, **more: Any) -> Any:
    """torch.compile with memplan's partition (docs/training.md).

        model = memplan.torch.compile(model, budget=0.6)
        model(x).sum().backward()
        print(model.report())

    Without a model it is a decorator. `backend` is "inductor", or "aot_eager", which runs the ops
    one by one; `mode` and `options` are Inductor's; `more` goes to torch.compile. The result has a
    method report().
    """
    if model is None:
        return functools.partial(compile, budget=budget, peak=peak, keep_peak=keep_peak, recompute=recompute,
                                 never_again=never_again, order_steps=order_steps, backend=backend, mode=mode,
                                 options=options, **more)
    partitioner = Partitioner(budget=budget, peak=peak, keep_peak=keep_peak, recompute=recompute,
                              never_again=never_again, order_steps=order_steps)
    inner: Callable[..., Any]
    if backend == "inductor":
        inner = torch._TorchCompileInductorWrapper(  # It knows the modes.
            mode, {**(options or {}), "custom_partitioner_fn": partitioner.for_inductor()}, more.get("dynamic"))
    elif backend == "aot_eager":
        if options or mode:
            raise ValueError("mode and options are those of the backend inductor")
        from torch._dynamo.backends.common import aot_autograd
        from torch._dynamo.backends.debugging import boxed_nop
        inner = aot_autograd(fw_compiler=boxed_nop, bw_compiler=boxed_nop, partition_fn=partitioner,
                             keep_inference_input_mutations=True)
    else:
        raise ValueError(f"{backend!r} is not 'inductor' or 'aot_eager'")
    from .training.compiled import Backend, give_report
    seen = Backend(partitioner, inner, has_cache=backend == "inductor")
    return give_report(torch.compile(model, backend=seen, **more), seen)
