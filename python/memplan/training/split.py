# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the forward and the backward function of a partition, by the conventions of
AOTAutograd (PyTorch 2.11 to 2.13):

    forward(primals, forward seeds) -> results, tensors, tensors without check of their
        version, objects, sizes
    backward(sizes, tensors, objects, tangents, backward seeds, BackwardState) -> gradients
"""
from __future__ import annotations

import copy
import operator
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

import torch
from torch._functorch._aot_autograd import descriptors
from torch._functorch._aot_autograd.utils import (_is_bwd_seed_offset, _is_fwd_seed_offset,
                                                  _is_primal, _is_tangent)
from torch._prims.rng_prims import run_and_save_rng_state, run_with_rng_state
from torch.fx import Graph, GraphModule, Node
from torch.fx._lazy_graph_module import _make_graph_module
from torch.fx.experimental._backward_state import BackwardState
from torch.fx.experimental.symbolic_shapes import (find_symbol_binding_fx_nodes, free_symbols,
                                                   is_symbol_binding_fx_node)
from torch.fx.node import map_arg

from . import nodes as _nodes
from .joint import Joint, Leaf, Refusal
from .nodes import describe, is_item, is_object, is_size


class _Function:
    """A function in the making."""

    def __init__(self, joint: Joint, is_backward: bool = False) -> None:
        self.joint = joint
        self.is_backward = is_backward
        self.graph = Graph()
        self.env: Dict[Node, Node] = {}
        #: The copies of arguments, by value.
        self.copies: Dict[str, Node] = {}
        #: The states of the generator, by the op that draws.
        self.states: Dict[Node, Node] = {}
        #: The arguments that ops of the backward function write, by their placeholders.
        self.targets: Dict[Node, Node] = {}

    def add_input(self, node: Node, stands_for: Sequence[Node] = (), name: str = "") -> Node:
        placeholder = self.graph.placeholder(name or node.name)
        placeholder.meta = copy.copy(node.meta)
        for alias in stands_for or [node]:
            self.env[alias] = placeholder
        return placeholder

    def find(self, node: Node) -> Node:
        if node not in self.env and is_item(node):
            # What a region passes through is the argument.
            for same in _aliases(self.joint, node):
                if same in self.env:
                    return self.env[same]
        if node not in self.env:
            if node.op != "get_attr" and not is_item(node):
                raise Refusal(f"{describe(node)} is used before it is computed")
            self.env[node] = self._copied(node)
        return self.env[node]

    def find_size(self, node: Node) -> Node:
        """As find; computes the size from what is there."""
        if node not in self.env and node.op == "call_function" and not is_item(node):
            for used in node.all_input_nodes:
                self.find_size(used)
            self.env[node] = self.graph.node_copy(node, self.find)
        return self.find(node)

    def run(self, node: Node, given: Set[Node], needs: Set[Node]) -> None:
        if node in self.states and self.is_backward:
            self.env[node] = self._call(run_with_rng_state, (self.states[node], node.target), node, node.name)
            self.env[node].meta = copy.copy(node.meta)
        elif node in self.joint.unread and self.is_backward:
            self.env[node] = self._without_statistics(node)
        elif node in self.joint.targets:
            self.env[node] = self.graph.node_copy(
                node, lambda used: self.targets[used] if used in self.targets and used is node.args[0]
                else self.find(used))
        else:
            self.env[node] = self._copied(node)
        self._take_items(node, given, needs)

    def _copied(self, node: Node) -> Node:
        made = self.graph.node_copy(node, self.find)
        if node in self.joint.renewed:
            made.meta["val"] = self.joint.renewed[node]
        return made

    def _call(self, target: Any, first: Tuple[Any, ...], node: Node, name: str) -> Node:
        """A call of `target` with more arguments before those of the node."""
        args, kwargs = map_arg((node.args, node.kwargs), self.find)
        return self.graph.create_node("call_function", target, (*first, *args), kwargs, name=name)

    def draw(self, node: Node, needs: Set[Node]) -> None:
        """Runs a random op and returns the state of the generator before it as well."""
        both = self._call(run_and_save_rng_state, (node.target,), node, f"{node.name}_with_state")
        value = self.joint.states[node].value
        both.meta = {**node.meta, "val": (value, node.meta["val"])}
        for i, name in enumerate((f"{node.name}_state", node.name)):
            item = self.graph.create_node("call_function", operator.getitem, (both, i), name=name)
            item.meta = {**node.meta, "val": both.meta["val"][i]}
            (self.env if i else self.states)[node] = item
        self._take_items(node, set(), needs)

    def _without_statistics(self, node: Node) -> Node:
        """A BatchNorm or its gradient without running statistics."""
        unread, target = self.joint.unread[node], node.target
        args = tuple(None if n in unread else self.find(n) if isinstance(n, Node) else n for n in node.args)
        if node not in self.joint.is_backward:
            args, target = args[:3] + args[5:], torch.ops.aten._native_batch_norm_legit.no_stats
        made = self.graph.create_node("call_function", target, args, name=node.name)
        made.meta = copy.copy(node.meta)
        if node not in self.joint.is_backward:
            made.meta["val"] = tuple(node.meta["val"][:3])
        return made

    def _take_items(self, node: Node, given: Set[Node], needs: Set[Node]) -> None:
        """Takes the items at once, so that those that are not needed are released."""
        for user in node.users:
            if is_item(user) and user not in given and user in needs:
                self.env[user] = self._copied(user)
                self._take_items(user, given, needs)

    def copy_of(self, leaf: Leaf) -> Node:
        """Adds a copy of the value, with its strides: ops may round otherwise with others."""
        name = leaf.id
        if name in self.copies:
            return self.copies[name]
        aten = torch.ops.aten
        value, made = leaf.value, self.find(self.joint.contents.get(leaf, leaf.nodes[0]))
        steps: List[Tuple[Any, Tuple[Any, ...], str]] = [(aten.clone.default, (), f"{name}_copy")]
        shape, strides = tuple(value.shape), tuple(value.stride())
        if all(isinstance(n, int) for n in (*shape, *strides)) and 0 not in shape:
            with _nodes.without_guards(value):
                is_same = value.clone().stride() == strides
            if not is_same:
                reach = 1 + sum((n - 1) * step for n, step in zip(shape, strides))
                steps = [(aten.as_strided.default, ([reach], [1]), f"{name}_reach"),
                         (aten.clone.default, (), f"{name}_dense"),
                         (aten.as_strided.default, (list(shape), list(strides), 0), f"{name}_copy")]
        for target, args, step_name in steps:
            made = self.graph.create_node("call_function", target, (made, *args), name=step_name)
            made.meta = {key: entry for key, entry in leaf.nodes[0].meta.items()
                         if key not in ("desc", "recompute", "tensor_meta")}
            with _nodes.without_guards(leaf.value):
                made.meta["val"] = value = target(value, *args)
            made.meta["partitioner_tag"] = "is_forward"
        self.copies[name] = made
        return made

    def finish(self, outputs: Sequence[Any], descs: Sequence[Any]) -> GraphModule:
        # A tuple, as AOTAutograd takes and gives them.
        output = self.graph.output(tuple(outputs))
        output.meta["desc"] = list(descs)
        output.meta["output_stack_traces"] = [
            out.meta.get("stack_trace") if isinstance(out, Node) else None for out in outputs]
        self.graph.lint()
        return _make_graph_module(self.joint.module, self.graph)


def _kind(node: Node, value: Any) -> int:
    """The place of a kept value among the results of the forward function."""
    if isinstance(value, torch.Tensor):
        return 1 if node.meta.get("saved_tensor_with_no_vc_check", False) else 0
    if is_size(value):
        return 3
    if is_object(value):
        return 2
    raise Refusal(f"the value of {describe(node)} can neither be kept nor made again")


def _needed_items(joint: Joint, order: Sequence[Node], outputs: Sequence[Any],
                  is_backward: bool = False) -> Set[Node]:
    needs: Set[Node] = {out for out in outputs if isinstance(out, Node)}
    for node in order:
        needs.update(n for n in node.all_input_nodes
                     if not (is_backward and n in joint.unread.get(node, ())))
    # An item of an item.
    for node in list(needs):
        while is_item(node):
            node = node.args[0]
            needs.add(node)
    return needs


def split(joint: Joint, report: Dict[str, Any]
          ) -> Tuple[GraphModule, GraphModule, List[Tuple[Node, Leaf]]]:
    """The two functions, and the kept values in order, with nodes that stand for them. The joint
    graph is not changed."""
    drawn = {state.id: node for node, state in joint.states.items()}
    draws_again = {drawn[name] for name in report["saved"] if name in drawn}
    # The kept values: the leaf, the node that names it, and whether a copy is kept.
    kept: List[Tuple[int, Leaf, Node, bool]] = []
    for name in report["saved"]:
        leaf = joint.values[name]
        if name in drawn:
            kept.append((0, leaf, drawn[name], False))
            continue
        if not leaf.nodes:
            raise Refusal(f"'{name}' is kept but has no name in the graph")
        if leaf.memory.kind == "constant":
            continue
        copied = isinstance(leaf.value, torch.Tensor) and (joint.is_copied(leaf.memory) or leaf in joint.contents)
        kept.append((_kind(leaf.nodes[0], leaf.value), leaf, leaf.nodes[0], copied))
    # An argument that the backward function writes is passed as it is, besides a copy for reads.
    as_they_are = {node for _, _, node, copied in kept if not copied}
    targets = {node.args[0]: leaf for node, leaf in joint.targets.items() if node.args[0] not in as_they_are}
    kept += [(_kind(node, leaf.value), leaf, node, False) for node, leaf in targets.items()]
    kept.sort(key=lambda entry: entry[0])
    tensors = [entry for entry in kept if entry[0] < 2]
    objects = [entry for entry in kept if entry[0] == 2]
    sizes = [entry[2] for entry in kept if entry[0] == 3]
    placeholders = [n for n in joint.nodes if n.op == "placeholder"]
    tangents = [n for n in placeholders if _is_tangent(n)]
    states = [n for n in placeholders if isinstance(n.meta.get("val"), BackwardState)]
    sizes = _with_symbols(joint, sizes, [entry[2] for entry in tensors if entry[1].id not in drawn] + tangents)

    forward = _Function(joint)
    for node in placeholders:
        if _is_primal(node) or _is_fwd_seed_offset(node):
            forward.add_input(node)
    # A random op runs where it draws.
    order = [drawn.get(name) or joint.by_op[name] for name in report["forward"]
             if name in drawn or joint.by_op.get(name, joint.output) not in (joint.output, *joint.states)]
    results = joint.outputs[:joint.num_fwd_outputs]
    needs = _needed_items(joint, order, [*results, *(entry[2] for entry in kept), *sizes])
    copies = [leaf for _, leaf, _, copied in kept if copied]
    for node in order:
        for leaf in copies:
            if node in leaf.memory.writers:
                forward.copy_of(leaf)
        if node in draws_again:
            forward.draw(node, needs)
        else:
            forward.run(node, set(), needs)
    saved = [forward.copy_of(leaf) if copied else
             forward.states[node] if leaf.id in drawn else forward.find(node)
             for _, leaf, node, copied in tensors]
    rest = [forward.find(entry[2]) for entry in objects] + [forward.find_size(n) for n in sizes]
    first_unchecked = sum(entry[0] == 0 for entry in tensors)
    descs = [(descriptors.SavedForBackwardsNoVcCheckAOTOutput if first_unchecked <= i < len(tensors)
              else descriptors.SavedForBackwardsAOTOutput)(i) for i in range(len(saved) + len(rest))]
    forward_module = forward.finish(
        [forward.find(out) if isinstance(out, Node) else out for out in results] + saved + rest,
        joint.descriptors[:joint.num_fwd_outputs] + descs)

    backward = _Function(joint, is_backward=True)
    given: Set[Node] = set(sizes)
    for node in sizes:
        backward.add_input(node, _aliases(joint, node))
    for (_, leaf, node, copied), made in zip(tensors, saved):
        if leaf.id in drawn:
            backward.states[node] = backward.graph.placeholder(made.name)
            backward.states[node].meta = copy.copy(made.meta)
            continue
        if node in targets and not copied:
            backward.targets[node] = backward.graph.placeholder(node.name)
            backward.targets[node].meta = copy.copy(node.meta)
            continue
        placeholder = backward.add_input(node, leaf.nodes, made.name if copied else "")
        given.update(leaf.nodes)
        if copied:
            placeholder.meta = copy.copy(made.meta)
    for _, leaf, node, _ in objects:
        backward.add_input(node, leaf.nodes)
        given.update(leaf.nodes)
    for node in [*tangents, *(n for n in placeholders if _is_bwd_seed_offset(n)), *states]:
        backward.add_input(node)
    order = [joint.by_op[name] for name in report["backward"] if name in joint.by_op]
    gradients = joint.outputs[joint.num_fwd_outputs:]
    needs = _needed_items(joint, order, gradients, is_backward=True)
    copied_memory = {leaf.memory for leaf in copies}
    for node in order:
        if node in given:
            continue
        if _nodes.op_name(node).startswith("as_strided") and any(
                leaf.memory in copied_memory for used in node.all_input_nodes for leaf in joint.leaves_of(used)):
            raise Refusal(f"{describe(node)} reads memory by its address, and a copy of it is kept")
        backward.run(node, given, needs)
    backward_module = backward.finish(
        [backward.find(out) if isinstance(out, Node) else out for out in gradients],
        joint.descriptors[joint.num_fwd_outputs:])
    for node in backward_module.graph.nodes:
        if node.op in ("call_function", "get_attr"):
            node.meta["autograd_backward"] = True
    return forward_module, backward_module, [(node, leaf) for _, leaf, node, copied in kept
                                             if copied or node not in targets]


def _aliases(joint: Joint, node: Node) -> List[Node]:
    leaf = joint.leaves.get(node)
    return leaf.nodes if isinstance(leaf, Leaf) else [node]


def _with_symbols(joint: Joint, sizes: List[Node], inputs: Sequence[Node]) -> List[Node]:
    """The sizes, with those that bind a symbol first, and with the binding of each symbol
    in the shape of an input of the backward function."""
    binding = [n for n in sizes if is_symbol_binding_fx_node(n) is not None]
    derived = [n for n in sizes if is_symbol_binding_fx_node(n) is None]
    seen = {is_symbol_binding_fx_node(n) for n in binding}
    bindings: Optional[Dict[Any, Node]] = None
    for node in [*derived, *inputs]:
        value = node.meta.get("val")
        if value is None:
            continue
        for symbol in sorted(free_symbols(value) - seen, key=lambda s: str(s.name)):
            if bindings is None:
                bindings = find_symbol_binding_fx_nodes(joint.module.graph)
            seen.add(symbol)
            if symbol in bindings:
                binding.append(bindings[symbol])
    return binding + derived
