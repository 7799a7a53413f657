# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Splits joint graphs of PyTorch, for memplan.torch.partition.

The joint graph becomes an op graph (docs/opgraph.md) with an op for each call and a
value for each result, in the storage that torch reports. Taking an item of a tuple is
not an op. A view costs as much as its storage, as saving it keeps the whole storage."""
from __future__ import annotations

import contextlib
import json
import operator
from ctypes import byref
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

import torch
from torch.fx import Graph, GraphModule, Interpreter, Node
from torch.utils import _pytree as pytree

from . import _native
from ._native import core
from .core import MemplanError

# The cost classes of ops by name. Ops that are not listed are expensive: they are
# recomputed only on request.
_CHEAP = frozenset("""
abs add alias addcmul atan atan2 bitwise_and bitwise_not bitwise_or bitwise_xor ceil clamp
clamp_max clamp_min clone constant_pad_nd cos cosh detach div elu elu_backward empty
empty_like eq erf exp expm1 expand fill floor fmod full full_like ge gelu gelu_backward gt
hardswish hardtanh index isinf isnan le leaky_relu leaky_relu_backward lerp log log10 log1p
log2 logical_and logical_not logical_or lt masked_fill maximum minimum mul ne neg
new_empty new_full new_ones new_zeros ones ones_like permute pow reciprocal relu remainder
reshape rsqrt rsub scalar_tensor select sigmoid sigmoid_backward sign silu silu_backward sin
sinh slice softplus split sqrt square squeeze sub t tan tanh tanh_backward
threshold_backward to transpose tril triu trunc type_as unsqueeze unsafe_split view where
zeros zeros_like _to_copy _unsafe_view cat stack flip arange
truediv floordiv mod
""".split())
_MEDIUM = frozenset("""
_log_softmax _log_softmax_backward_data _softmax _softmax_backward_data all amax amin any
argmax argmin cumsum max mean min native_batch_norm native_batch_norm_backward
native_group_norm native_layer_norm native_layer_norm_backward norm std std_mean sum
var var_mean
""".split())
# Random ops, for versions of torch without a tag for them.
_RANDOM = frozenset("""
bernoulli multinomial native_dropout normal rand rand_like randint randint_like randn
randn_like randperm rrelu_with_noise uniform
""".split())


def _op_name(node: Node) -> str:
    """"mm" of aten.mm.default."""
    packet = getattr(node.target, "overloadpacket", node.target)
    return str(getattr(packet, "__name__", packet))


def _is_random(node: Node) -> bool:
    tag = getattr(torch.Tag, "nondeterministic_seeded", None) if hasattr(torch, "Tag") else None
    if tag is not None and tag in getattr(node.target, "tags", ()):
        return True
    return _op_name(node) in _RANDOM


def _is_pure(node: Node) -> bool:
    schema = getattr(node.target, "_schema", None)
    if schema is None:  # Python's own functions, on sizes
        return getattr(node.target, "__module__", "") in ("_operator", "math", "builtins")
    return not schema.is_mutable


def _storage(tensor: torch.Tensor) -> Any:
    if hasattr(tensor, "untyped_storage"):
        return tensor.untyped_storage()
    storage = tensor.storage()
    return getattr(storage, "_storage", None) or storage._untyped()


def _flops(node: Node, results: Dict[Node, Any]) -> int:
    """The FLOPs: 2 for each multiply-add; for other ops one for each element of the results."""
    name = _op_name(node)
    made = sum(int(part.numel()) for part in pytree.tree_flatten(results[node])[0]
               if isinstance(part, torch.Tensor))
    shapes = [tuple(results[used].shape) for used in node.all_input_nodes
              if isinstance(results.get(used), torch.Tensor)]
    if name in ("mm", "bmm", "addmm", "baddbmm") and len(shapes) >= 2:
        return 2 * made * int(shapes[-2][-1])
    if name in ("convolution", "convolution_backward") and len(shapes) >= 2:
        weight = shapes[-1] if name == "convolution_backward" else shapes[1]
        inner = 1
        for extent in weight[1:]:
            inner *= int(extent)
        return 2 * made * inner
    return made


class _Shapes(Interpreter):
    """Runs the module on tensors without data and keeps all results, so that their
    storages stay alive."""

    def __init__(self, module: GraphModule, convert: Callable[[Any], Any]) -> None:
        super().__init__(module, garbage_collect_values=False)
        self.results: Dict[Node, Any] = {}
        self.convert = convert

    def run_node(self, n: Node) -> Any:
        result = super().run_node(n)
        if n.op == "get_attr":
            result = self.convert(result)
        self.results[n] = result
        return result


@contextlib.contextmanager
def _without_data(inputs: Sequence[Any]) -> Iterator[Callable[[Any], Any]]:
    """A mode in which ops compute shapes only; yields the conversion of a value to it."""
    from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
    leaves = pytree.tree_flatten(list(inputs))[0]
    mode: Any = next((leaf.fake_mode for leaf in leaves if isinstance(leaf, FakeTensor)), None)
    mode = mode or FakeTensorMode()

    def convert(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and not isinstance(value, FakeTensor):
            return mode.from_tensor(value)
        return value

    with torch.no_grad(), mode:
        yield convert


class JointGraph:
    """A joint graph and its op graph."""

    def __init__(self, module: GraphModule, inputs: Sequence[Any],
                 num_fwd_outputs: Optional[int], static: Sequence[int]) -> None:
        self.module = module
        self.nodes: List[Node] = list(module.graph.nodes)
        with _without_data(inputs) as convert:
            shapes = _Shapes(module, convert)
            shapes.run(*pytree.tree_map(convert, list(inputs)))
        self.results = shapes.results
        self.is_primal = {n: "tangents" not in str(n.target) for n in self.nodes
                          if n.op == "placeholder"}
        output = next(n for n in self.nodes if n.op == "output")
        self.outputs: List[Any] = pytree.tree_flatten(output.args)[0]
        if num_fwd_outputs is None:
            # The joint function returns (forward outputs, gradients).
            num_fwd_outputs = module._out_spec.children_specs[0].num_leaves
        self.num_fwd_outputs: int = num_fwd_outputs
        #: What stands for a node's result: ids of values where it has tensors, in
        #: its structure.
        self.ids: Dict[Node, Any] = {}
        self.nodes_of: Dict[str, List[Node]] = {}
        self.values: List[Dict[str, Any]] = []
        self.storages: Dict[int, Dict[str, Any]] = {}
        self.static = set(static)
        self.graph = self._build()

    def primals(self) -> List[Node]:
        return [n for n, is_primal in self.is_primal.items() if is_primal]

    def tangents(self) -> List[Node]:
        return [n for n, is_primal in self.is_primal.items() if not is_primal]

    def is_tensor(self, value: str) -> bool:
        return isinstance(self.results[self.nodes_of[value][0]], torch.Tensor)

    def _add_value(self, name: str, result: Any, kind: Optional[str]) -> Optional[str]:
        if isinstance(result, torch.Tensor):
            memory = _storage(result)
            key, size = memory._cdata, int(memory.nbytes())
        elif isinstance(result, (int, float, bool)) or type(result).__name__.startswith("Sym"):
            key, size = id(result) ^ hash(name), 8
            while key in self.storages:
                key += 1
        else:
            return None
        storage = self.storages.get(key)
        if storage is None:
            storage = {"id": f"storage of {name}", "bytes": size}
            if kind:
                storage["kind"] = kind
            self.storages[key] = storage
        # Saving a part keeps the whole storage.
        self.values.append({"id": name, "storage": storage["id"], "bytes": storage["bytes"]})
        return name

    def _add_result(self, node: Node, kind: Optional[str] = None) -> List[str]:
        leaves, structure = pytree.tree_flatten(self.results[node])
        single = len(leaves) == 1 and not isinstance(self.results[node], (tuple, list, dict))
        ids = [self._add_value(node.name if single else f"{node.name}.{i}", leaf, kind)
               for i, leaf in enumerate(leaves)]
        self.ids[node] = pytree.tree_unflatten(ids, structure)
        if single and ids[0]:
            self.nodes_of.setdefault(ids[0], []).append(node)
        return [i for i in ids if i]

    def _is_item(self, node: Node) -> bool:
        return (node.op == "call_function" and node.target is operator.getitem
                and isinstance(node.args[0], Node)
                and isinstance(self.results[node.args[0]], (tuple, list)))

    def _build(self) -> Dict[str, Any]:
        inputs: List[Dict[str, Any]] = []
        ops: List[Dict[str, Any]] = []
        primals = 0
        for node in self.nodes:
            if node.op == "placeholder":
                role = "primal" if self.is_primal[node] else "tangent"
                for value in self._add_result(node):
                    entry: Dict[str, Any] = {"value": value, "role": role}
                    if self.is_primal[node] and primals in self.static:
                        entry["static"] = True
                    inputs.append(entry)
                primals += self.is_primal[node]
            elif node.op == "get_attr":
                self._add_result(node, "constant")
            elif self._is_item(node):
                item = self.ids[node.args[0]][node.args[1]]
                self.ids[node] = item
                if isinstance(item, str):
                    self.nodes_of.setdefault(item, []).append(node)
            elif node.op == "call_function":
                ops.append(self._make_op(node))
            elif node.op != "output":
                raise MemplanError(f"node {node.name} is a {node.op}: a joint graph has "
                                   "only calls of functions")
        outputs = [self._value_of(out) for out in self.outputs]
        forward = [value for value in outputs[:self.num_fwd_outputs] if value]
        backward = [value for value in outputs[self.num_fwd_outputs:] if value]
        return {"format": "memplan.opgraph", "version": 1, "name": "joint",
                "storages": list(self.storages.values()), "values": self.values,
                "inputs": inputs, "ops": ops, "outputs": forward + backward,
                "forward_outputs": len(forward)}

    def _value_of(self, out: Any) -> Optional[str]:
        value = self.ids.get(out) if isinstance(out, Node) else None
        return value if isinstance(value, str) else None

    def _make_op(self, node: Node) -> Dict[str, Any]:
        operands = [value for used in node.all_input_nodes
                    for value in pytree.tree_flatten(self.ids[used])[0]
                    if isinstance(value, str)]
        before = len(self.storages)
        results = self._add_result(node)
        name = _op_name(node)
        makes = len(self.storages) > before
        cost = ("free" if not makes else "cheap" if name in _CHEAP else
                "medium" if name in _MEDIUM else "expensive")
        op: Dict[str, Any] = {"id": node.name, "name": name, "operands": operands,
                              "results": results, "cost": cost,
                              "flops": _flops(node, self.results) if makes else 0}
        if cost in ("cheap", "medium"):
            op["fusible"] = True
        if not _is_pure(node):
            op["pure"] = False
        if _is_random(node):
            op["random"] = "implicit"
        return op

    #===--------------------------------------------------------------------===#
    # The two functions
    #===--------------------------------------------------------------------===#

    def extract(self, inputs: Sequence[Tuple[Node, Sequence[Node]]], schedule: Sequence[str],
                outputs: Sequence[Any]) -> GraphModule:
        """Makes a function that runs the schedule. Each input is a node, whose name it
        gets, and all nodes that it replaces."""
        graph = Graph()
        env: Dict[Node, Node] = {}
        given: Set[Node] = set()
        for node, aliases in inputs:
            placeholder = graph.placeholder(node.name)
            placeholder.meta = dict(node.meta)
            for alias in aliases:
                env[alias] = placeholder
                given.add(alias)

        def find(node: Node) -> Node:
            if node not in env:
                if node.op == "get_attr" or self._is_item(node):
                    env[node] = graph.node_copy(node, find)
                else:
                    raise MemplanError(f"node {node.name} is used before it is computed")
            return env[node]

        by_name = {node.name: node for node in self.nodes}
        for name in schedule:
            node = by_name[name]
            env[node] = graph.node_copy(node, find)
            # Items are taken right after the tuple is made, as it may be made again.
            for user in node.users:
                if self._is_item(user) and user not in given:
                    env.pop(user, None)
                    find(user)
        graph.output([find(out) if isinstance(out, Node) else out for out in outputs])
        graph.eliminate_dead_code()
        graph.lint()
        return GraphModule(self.module, graph)

    def split(self, result: Dict[str, Any]) -> Tuple[GraphModule, GraphModule]:
        # Sizes come after tensors, as autograd expects.
        saved = sorted(result["saved"], key=lambda value: not self.is_tensor(value))
        kept = [self.nodes_of[value] for value in saved]
        forward = self.extract([(n, [n]) for n in self.primals()], result["forward"],
                               self.outputs[:self.num_fwd_outputs] + [n[0] for n in kept])
        backward = self.extract([(n[0], n) for n in kept] + [(n, [n]) for n in self.tangents()],
                                result["backward"], self.outputs[self.num_fwd_outputs:])
        return forward, backward


def run_partition(graph: Dict[str, Any], *, strategy: str, cost_model: str, recompute: str,
                  primals_are_held: bool, keep_peak: bool, max_distance: Optional[int],
                  order_steps: Optional[int]) -> Dict[str, Any]:
    """Partitions an op graph by the library; returns its JSON report."""
    options = _native.PartitionOptions()
    core.memplanPartitionOptionsInit(byref(options))
    options.strategy = _native.data(strategy)
    options.cost_model = _native.data(cost_model)
    options.recompute = _native.data(recompute)
    options.primals_are_held = primals_are_held
    options.keep_peak = keep_peak
    if max_distance is not None:
        options.max_distance = max_distance
    if order_steps is not None:
        options.order_steps = order_steps
    text = json.dumps(graph).encode()
    handle = _native.make(core.memplanGraphParse, text, len(text),
                          destroy=core.memplanGraphDestroy)
    result = json.loads(_native.take_text(core.memplanGraphDecidePartition, handle.pointer,
                                          byref(options)))
    assert isinstance(result, dict)
    return result
