# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A joint graph of AOTAutograd as an op graph (docs/opgraph.md).

Each call is an op, each tensor and each size that it makes a value; taking an item of a
tuple is no op. Storages are those of the fake tensors in the meta data: a result is in the
storage of an operand if both fake tensors are, else in one of its own. A view costs as
much as its storage, as keeping it keeps the whole storage. Sizes cost nothing.

Arguments and results of the forward function need care, as their memory outlives it and
others write it. Those that the default partition keeps are free to keep: a program that
changes them before the backward function runs fails with it as well. Keeping any other one
costs its bytes, as the forward function keeps a copy; where the forward function itself
overwrites an argument, the copy is made before the write. An argument that the backward
function writes is passed to it as it is, besides such a copy.

Ops with effects keep their order, and the function in which they are.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple

import torch
from torch._functorch._aot_autograd.descriptors import IntermediateBaseAOTOutput
from torch._functorch._aot_autograd.utils import (_is_bwd_seed_offset, _is_primal, _is_tangent)
from torch.fx import GraphModule, Node
from torch.fx.experimental._backward_state import BackwardState
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.fx.node import map_arg
from torch.utils import _pytree as pytree
from torch.utils.checkpoint import CheckpointPolicy

from . import nodes as _nodes
from .nodes import describe, is_item, is_size

#: The input that ops take which run in the backward function though they use no gradient.
IN_BACKWARD = "in the backward function"

_TAGS = {CheckpointPolicy.MUST_SAVE: "must_save", CheckpointPolicy.PREFER_SAVE: "prefer_save",
         CheckpointPolicy.MUST_RECOMPUTE: "must_recompute",
         CheckpointPolicy.PREFER_RECOMPUTE: "prefer_recompute"}
_OFFLOAD = tuple(policy for name in ("MUST_CPU_OFFLOAD", "PREFER_CPU_OFFLOAD")
                 if (policy := getattr(CheckpointPolicy, name, None)) is not None)


class Refusal(Exception):
    """The joint graph has something that is left to the default partitioner. There the ops
    named `read_later` rightly read arguments that have been overwritten."""
    def __init__(self, reason: str, read_later: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.read_later = tuple(read_later)


@dataclass(eq=False)
class Memory:
    """A storage. Two calls of one region may share a fake storage, so identity is that of
    this object."""
    id: str
    bytes: int
    formula: Optional[str] = None
    #: Only data gives the size: the bytes are the most that it can have.
    is_most: bool = False
    kind: Optional[str] = None
    #: The first placeholder in it, if there is one.
    argument: Optional[Node] = None
    is_output: bool = False
    #: An argument or a result that is kept as it is, at no cost. Of any other one a copy is kept.
    is_free: bool = False
    #: An argument of which Inductor keeps a copy in another layout, at the cost of its bytes.
    is_converted: bool = False
    writers: List[Node] = field(default_factory=list)


@dataclass(eq=False)
class Leaf:
    """A tensor, size or object that a node makes: a value of the op graph."""
    id: str
    memory: Memory
    value: Any
    #: The nodes that stand for it: its maker, or those that take it out of a tuple.
    nodes: List[Node] = field(default_factory=list)


class Joint:
    """A joint graph and its op graph, `graph`."""

    def __init__(self, module: GraphModule, num_fwd_outputs: int,
                 never_again: Iterable[_nodes.NeverAgain] = (), is_region: bool = False,
                 compiler: Optional[str] = None) -> None:
        _nodes.forget_hints()
        self.module = module
        #: A nested region: its arguments are values of the graph around it, which nobody
        #: changes.
        self.is_region = is_region
        self.never_again = tuple(never_again)
        self.nodes: List[Node] = list(module.graph.nodes)
        self.position = {node: i for i, node in enumerate(self.nodes)}
        self.num_fwd_outputs = num_fwd_outputs
        self.output = self.nodes[-1]
        self.outputs: List[Any] = pytree.arg_tree_leaves(*self.output.args)
        self.descriptors: List[Any] = pytree.arg_tree_leaves(
            self.output.meta.get("desc", [None] * len(self.outputs)))
        if len(self.descriptors) != len(self.outputs):
            self.descriptors = [None] * len(self.outputs)
        #: The leaves of each node, in the structure of its result.
        self.leaves: Dict[Node, Any] = {}
        self.values: Dict[str, Leaf] = {}
        self.memories: List[Memory] = []
        #: What Inductor's passes left with the fake tensor of an op that they removed, and what it is now.
        self.renewed: Dict[Node, Any] = {}
        #: The state of the generator, from which a random op draws again.
        self.states: Dict[Node, Leaf] = {}
        #: Why a node never runs again; only nodes with a reason are in it.
        self.reasons: Dict[Node, str] = {}
        self.warnings: List[str] = []
        self._find_memory()
        self._find_sides()
        #: The arguments that ops of the backward function write, by op.
        self.targets: Dict[Node, Leaf] = {}
        self._find_writes()
        #: What becomes the content of an argument, with the op that copies it there. Inductor computes
        #: it in the argument where it can, and would keep the argument.
        self.contents = self._find_contents() if compiler == "inductor" else {}
        #: Operands of nodes that the backward function runs without.
        self.unread = self._find_unread()
        #: The memory that PyTorch's default partition keeps, without arguments and results of
        #: the forward function, with a node that stands for it.
        self.default_kept: Dict[Memory, Node] = {}
        #: The memory that results of the forward function hold though they show a part of it only,
        #: such as the element that is a loss, with a result.
        self.held: Dict[Memory, Node] = {}
        #: Inductor lays the images and the weights of convolutions out with channels last.
        self.compiler = compiler
        self.channels_last = compiler == "inductor" and _lays_out(module)
        self._find_free()
        self.graph = self._build()

    #===--------------------------------------------------------------------===#
    # Memory
    #===--------------------------------------------------------------------===#

    def leaves_of(self, node: Node) -> List[Leaf]:
        return [leaf for leaf in pytree.tree_leaves(self.leaves.get(node)) if leaf is not None]

    def calls(self) -> List[Node]:
        return [n for n in self.nodes if n.op == "call_function" and not is_item(n)]

    def _find_memory(self) -> None:
        inputs: Dict[Any, Memory] = {}
        for node in self.nodes:
            if node.op == "output":
                continue
            value = node.meta.get("val")
            if node.op == "placeholder":
                self.leaves[node] = self._add(node, value, inputs)
                for leaf in self.leaves_of(node):
                    leaf.memory.argument = leaf.memory.argument or node
            elif node.op == "get_attr":
                target = _attribute(self.module, str(node.target))
                if isinstance(target, torch.Tensor):
                    self.leaves[node] = self._add(node, value if value is not None else target, {})
                    for leaf in self.leaves_of(node):
                        leaf.memory.kind = "constant"
            elif is_item(node):
                part = self.leaves[node.args[0]]
                self.leaves[node] = item = part[node.args[1]] if part is not None else None
                if node.args[0] in self.renewed:
                    self.renewed[node] = self.renewed[node.args[0]][node.args[1]]
                if isinstance(item, Leaf):
                    item.nodes.append(node)
            elif node.op == "call_function":
                # Regions make no views of their operands, and two calls of one share results.
                known = {} if isinstance(node.target, torch._ops.HigherOrderOperator) else {
                    key: leaf.memory for used in node.all_input_nodes
                    for leaf in self.leaves_of(used) if (key := _key(leaf.value)) is not None}
                if _nodes.shows_operands(node) and any(_key(part) not in known for part in _nodes.tensors(value)):
                    value = self.renewed[node] = self._renew(node)
                self.leaves[node] = self._add(node, value, known)
                self._take_passed(node)
            else:
                raise Refusal(f"{describe(node)} is a {node.op}, not a call of a function")
        for _, out, desc in self._results():
            if _mutated(desc) is None:
                for leaf in self.leaves_of(out):
                    leaf.memory.is_output = True

    def _renew(self, node: Node) -> Any:
        """The result of a view of what its operand is now: where Inductor removed a copy of an argument,
        the graph says that the view is of the copy."""
        def value(used: Node) -> Any:
            return pytree.tree_map(lambda leaf: leaf.value if isinstance(leaf, Leaf) else leaf, self.leaves.get(used),
                                   is_leaf=lambda part: isinstance(part, Leaf))
        args, kwargs = map_arg((node.args, node.kwargs), value)
        with _nodes.without_guards(next(iter(_nodes.tensors(args)))):
            return node.target(*args, **kwargs)

    def _take_passed(self, node: Node) -> None:
        """An argument that a region returns is that argument."""
        region = getattr(node.target, "_name", "") == "invoke_subgraph" and isinstance(node.args[0], Node)
        module = _attribute(self.module, str(node.args[0].target)) if region else None
        if not isinstance(module, GraphModule) or not isinstance(self.leaves[node], (list, tuple)):
            return
        inner = [n for n in module.graph.nodes if n.op == "placeholder"]
        results = pytree.arg_tree_leaves(*next(n for n in reversed(module.graph.nodes)
                                               if n.op == "output").args)
        # The first two operands are the region and its name.
        given = node.args[2:]
        if len(inner) != len(given) or len(results) != len(self.leaves[node]):
            return
        leaves = list(self.leaves[node])
        for i, result in enumerate(results):
            if not isinstance(result, Node) or result not in inner:
                continue
            argument = given[inner.index(result)]
            leaf = self.leaves.get(argument) if isinstance(argument, Node) else None
            if isinstance(leaf, Leaf) and leaf.nodes and isinstance(leaf.value, torch.Tensor):
                del self.values[leaves[i].id]
                leaves[i] = leaf
        self.leaves[node] = tuple(leaves)

    def _add(self, node: Node, value: Any, known: Dict[Any, Memory]) -> Any:
        parts, structure = pytree.tree_flatten(value)
        single = not isinstance(value, (tuple, list, dict))
        made: List[Optional[Leaf]] = []
        for i, part in enumerate(parts):
            name = node.name if single else f"{node.name}.{i}"
            if part is None:
                made.append(None)
                continue
            key = _key(part)
            memory = known.get(key) if key is not None else None
            if memory is None:
                size: Any = 0
                if isinstance(part, torch.Tensor):
                    storage = _nodes.storage_of(part)
                    size = storage.nbytes() if storage is not None else part.numel() * part.element_size()
                    if i > 0 and _nodes.has_wide_statistics(node):
                        size = 2 * size
                memory = Memory(f"storage of {name}", _nodes.hint(size), _nodes.formula(size),
                                isinstance(size, torch.SymInt) and bool(free_unbacked_symbols(size)))
                self.memories.append(memory)
                if key is not None:
                    known[key] = memory
            leaf = Leaf(name, memory, part, [node] if single else [])
            self.values[name] = leaf
            made.append(leaf)
        return pytree.tree_unflatten(made, structure)

    def _is_view(self, node: Node) -> bool:
        """All results are in the memory of operands."""
        inside = {leaf.memory for used in node.all_input_nodes for leaf in self.leaves_of(used)}
        made = self.leaves_of(node)
        return bool(made) and all(leaf.memory in inside for leaf in made)

    #===--------------------------------------------------------------------===#
    # Which function a node belongs to
    #===--------------------------------------------------------------------===#

    def _find_sides(self) -> None:
        self.is_backward: Set[Node] = set()
        last = max((i for i, n in enumerate(self.nodes)
                    if n.meta.get("partitioner_tag") == "is_forward" or _is_primal(n)), default=-1)
        #: Nodes of the forward function of the default partition.
        self.default_forward = {n for n in self.nodes[:last + 1]
                                if not (_is_tangent(n) or _is_bwd_seed_offset(n))}
        in_results: Set[Node] = {node for _, node, _ in self._results()}
        for node in reversed(self.nodes):
            if node in in_results:
                in_results.update(node.all_input_nodes)
        for node in self.nodes:
            tag = node.meta.get("partitioner_tag")
            # What Dynamo traced of the backward of an autograd.Function has no tag.
            was_backward = tag == "is_backward" or (tag is None and node not in self.default_forward
                                                    and node not in in_results)
            if node.op == "placeholder":
                if _is_tangent(node) or _is_bwd_seed_offset(node) or isinstance(
                        node.meta.get("val"), BackwardState):
                    self.is_backward.add(node)
                continue
            if node.op != "call_function":
                continue
            # A view costs nothing, whoever names its op.
            never = () if self._is_view(node) else self.never_again
            reason = _nodes.why_never_again(node, never)
            if reason and not was_backward and _nodes.draws_again(node) and not _nodes.is_named(
                    node, never):
                memory = Memory(f"state of {node.name}", torch.get_rng_state().numel())
                self.memories.append(memory)
                self.states[node] = self.values[memory.id] = Leaf(memory.id, memory, _nodes.state(node))
            elif reason:
                self.reasons[node] = reason
            if (_nodes.is_random(node) and node not in self.states and not was_backward
                    and node.meta.get("recompute") is CheckpointPolicy.MUST_RECOMPUTE):
                raise Refusal(f"{describe(node)} draws random numbers, and its policy is MUST_RECOMPUTE")
            if any(used in self.is_backward for used in node.all_input_nodes):
                if tag == "must_be_in_forward":
                    raise Refusal(f"{describe(node)} must run in the forward function but uses a gradient")
                self.is_backward.add(node)
            elif tag == "must_be_in_backward" or (reason and was_backward):
                self.is_backward.add(node)
        for _, node, _ in self._results():
            if node in self.is_backward:
                raise Refusal(f"the result {describe(node)} of the forward function uses a gradient")

    #===--------------------------------------------------------------------===#
    # Arguments that are overwritten
    #===--------------------------------------------------------------------===#

    def _find_writes(self) -> None:
        first_write = len(self.nodes)
        for node in self.calls():
            if not isinstance(node.target, torch._ops.OpOverload) or not node.target._schema.is_mutable:
                continue
            if node not in self.reasons:
                continue  # BatchNorm in eval writes nothing.
            schema = node.target._schema
            named = {a.name: a for a in schema.arguments}
            pairs = [*zip(schema.arguments, node.args),
                     *((named[k], v) for k, v in node.kwargs.items() if k in named)]
            for argument, value in pairs:
                if argument.alias_info is None or not argument.alias_info.is_write:
                    continue
                for target in pytree.tree_leaves(value):
                    for leaf in self.leaves_of(target) if isinstance(target, Node) else []:
                        if leaf.memory.argument is None:
                            raise Refusal(f"{describe(node)} writes memory that is no argument")
                        leaf.memory.writers.append(node)
                        if node not in self.is_backward:
                            first_write = min(first_write, self.position[node])
                        elif node.target is torch.ops.aten.copy_.default and target.op == "placeholder":
                            self.targets[node] = leaf
        # A write must be the last thing that happens to the memory.
        for node in self.nodes[first_write:]:
            if node.op != "call_function" or is_item(node) or node in self.is_backward:
                continue
            for used in node.all_input_nodes:
                for leaf in self.leaves_of(used):
                    for writer in leaf.memory.writers:
                        if (writer not in self.is_backward and writer is not node
                                and self.position[writer] < self.position[node]):
                            raise Refusal(f"{describe(node)} uses memory that {describe(writer)} wrote")
        #: Memory that is overwritten after the forward function, by the caller.
        self.written_after: List[Memory] = []
        by_desc = [(_base(n.meta.get("desc")), n) for n in self.nodes if n.op == "placeholder"]
        for desc in self.descriptors[:self.num_fwd_outputs]:
            mutated = _mutated(desc)
            if mutated is None:
                continue
            found = [n for d, n in by_desc if d == _base(mutated)]
            if not found:
                raise Refusal(f"{desc.expr()} overwrites an argument that is not found")
            self.written_after += [leaf.memory for n in found for leaf in self.leaves_of(n)]
        for memory in self.memories:
            for writer in memory.writers:
                if writer in self.is_backward and writer not in self.targets and self.is_overwritten(memory):
                    raise Refusal(f"{describe(writer)} of the backward function reads and writes an argument "
                                  "that the forward function overwrites")

    def _find_contents(self) -> Dict[Leaf, Node]:
        found: Dict[Leaf, Node] = {}
        for node in self.calls():
            if node.target is not torch.ops.aten.copy_.default or node in self.is_backward:
                continue
            for leaf in self.leaves_of(node.args[1]):
                made, into = leaf.value, node.args[0].meta["val"]
                if leaf.memory.argument is None and not leaf.memory.is_output and (
                        made.dtype, made.shape, made.stride()) == (into.dtype, into.shape, into.stride()):
                    found[leaf] = node
        return found

    def is_overwritten(self, memory: Memory) -> bool:
        """By the forward function, or by the caller right after it."""
        return memory in self.written_after or any(w not in self.is_backward for w in memory.writers)

    #===--------------------------------------------------------------------===#
    # What is free to keep, and what the default partition keeps
    #===--------------------------------------------------------------------===#

    def _find_free(self) -> None:
        converted = self._converted() if self.channels_last and not self.is_region else set()
        read = self._find_default()
        if self.is_region:
            read |= {leaf.memory for _, out, _ in self._results() for leaf in self.leaves_of(out)}
        # Nobody would keep what only becomes a result.
        used = {leaf.memory for node in self.calls() for operand in node.all_input_nodes
                for leaf in self.leaves_of(operand)
                if any(made.memory is not leaf.memory for made in self.leaves_of(node))}
        for leaf in self.values.values():
            memory = leaf.memory
            is_kept = memory in read or not isinstance(leaf.value, torch.Tensor)
            if memory.argument is not None:
                is_kept = is_kept and not self.is_overwritten(memory)
                memory.is_converted = is_kept and memory in converted
                memory.is_free = is_kept and not memory.is_converted
                if memory.is_converted:
                    self.default_kept.setdefault(memory, memory.argument)
            elif memory.is_output:
                memory.is_free = is_kept or memory not in used or memory.kind == "constant"
        if not self.is_region:
            self._find_held(read)

    def _find_held(self, read: Set[Memory]) -> None:
        makers: Dict[Memory, Node] = {}
        for node in self.calls():
            for leaf in self.leaves_of(node):
                makers.setdefault(leaf.memory, node)
        shown: Dict[Memory, int] = {}
        for _, out, desc in self._results():
            if _mutated(desc) is not None or isinstance(_base(desc), IntermediateBaseAOTOutput):
                continue
            for leaf in self.leaves_of(out):
                memory = leaf.memory
                # Inductor computes the part alone where that is cheap and nothing else is kept.
                if memory in makers and memory.argument is None and (
                        self.compiler != "inductor" or memory in read
                        or _nodes.cost_class(makers[memory]) != "cheap"):
                    shown[memory] = shown.get(memory, 0) + _nodes.data_bytes(leaf.value)
                    self.held.setdefault(memory, out)
        self.held = {memory: out for memory, out in self.held.items() if shown[memory] < memory.bytes}

    def is_copied(self, memory: Memory) -> bool:
        """Whether a copy is kept, as the program may change the memory."""
        return ((memory.argument is not None or memory.is_output) and not memory.is_free
                and not memory.is_converted and not self.is_region)

    def _converted(self) -> Set[Memory]:
        """The arguments of which Inductor keeps a copy with channels last, if they are kept: those of
        four dimensions from which a convolution is reached."""
        near: Set[Node] = set()
        for node in reversed(self.nodes):
            if node not in self.is_backward and (node.target is torch.ops.aten.convolution.default or (
                    node.target is not torch.ops.aten.bmm.default and any(user in near for user in node.users))):
                near.add(node)
        return {leaf.memory for node in near if node.op == "placeholder" for leaf in self.leaves_of(node)
                if isinstance(leaf.value, torch.Tensor) and _nodes.has_other_layout(leaf.value)}

    def _find_default(self) -> Set[Memory]:
        """Follows PyTorch's default partition, and returns the memory of arguments and results
        that its backward function reads."""
        tags = self.tags()
        asks = {node for node, tag in tags.items() if tag.endswith("recompute")}
        saved: Set[Node] = set()
        for node in self.default_forward:
            if node.op == "get_attr" or not isinstance(self.leaves.get(node), Leaf):
                continue
            users = [u for u in node.users if u not in self.default_forward and _nodes.uses_data(u)]
            feeds = any(u in asks for u in node.users)
            if tags.get(node) == "must_save" or (node in self.reasons and not is_size(node.meta.get("val"))) or (
                    node not in asks and (users or (asks and feeds))):
                saved.add(node)
        read: Set[Memory] = set()
        todo = [out for out in self.outputs[self.num_fwd_outputs:] if isinstance(out, Node)]
        todo += [n for n in self.is_backward if n in self.reasons]
        done: Set[Node] = set()
        while todo:
            node = todo.pop()
            if node in done:
                continue
            done.add(node)
            if node not in saved and node.op != "placeholder":
                if not is_size(node.meta.get("val")):
                    todo += node.all_input_nodes
                if node in self.states:
                    self.default_kept.setdefault(self.states[node].memory, node)
                continue
            for leaf in self.leaves_of(node):
                if leaf.memory.argument is not None or leaf.memory.is_output:
                    read.add(leaf.memory)
                elif leaf.memory.kind != "constant":
                    self.default_kept.setdefault(leaf.memory, node)
        return read

    def tags(self) -> Dict[Node, str]:
        """The policies of torch.utils.checkpoint, by node that is not of the backward
        function."""
        tags: Dict[Node, str] = {}
        for node in self.nodes:
            policy = node.meta.get("recompute")
            if policy is None or node in self.is_backward or node.op != "call_function":
                continue
            tags[node] = "must_save" if policy in _OFFLOAD else _TAGS.get(policy, "none")
        # The policy of an item is that of the op.
        for node in list(tags):
            if is_item(node) and tags[node] == "must_save":
                tags[node.args[0]] = "must_save"
        for node, tag in list(tags.items()):
            if not tag.endswith("recompute"):
                continue
            # A backward hook of a region's result needs the result.
            if node.meta.get("has_backward_hook") and not any(
                    tags.get(user, "").endswith("recompute") for user in node.users):
                tags[node] = "must_save"
            for user in node.users:
                here, there = node.meta.get("ac_graph_id"), user.meta.get("ac_graph_id")
                if (tags.get(user, "").endswith("recompute") and here is not None
                        and there is not None and there > here):
                    tags[node] = "must_save"
        return tags

    def reads_later_content(self) -> List[Node]:
        """The ops of checkpointed regions that the gradients depend on and that read an argument
        before it is overwritten. Eager mode runs the region again with the new content."""
        needed = {out for out in self.outputs[self.num_fwd_outputs:] if isinstance(out, Node)}
        for node in reversed(self.nodes):
            if node in needed:
                needed.update(used for used in node.all_input_nodes
                              if used not in self.unread.get(node, ()))
        return [node for node, tag in self.tags().items()
                if tag.endswith("recompute") and node in needed and any(
                    leaf.memory.argument is not None and self.is_overwritten(leaf.memory)
                    for used in node.all_input_nodes if used not in self.unread.get(node, ())
                    for leaf in self.leaves_of(used))]

    def offloaded(self) -> List[Node]:
        return [n for n in self.nodes if n.meta.get("recompute") in _OFFLOAD and n not in self.is_backward]

    #===--------------------------------------------------------------------===#
    # The op graph
    #===--------------------------------------------------------------------===#

    def _build(self) -> Dict[str, Any]:
        self.ops: List[Dict[str, Any]] = []
        self.by_op: Dict[str, Node] = {}
        tags = self.tags()
        calls = self.calls()
        forward = [n for n in calls if n not in self.is_backward]
        for node in forward:
            for leaf in (leaf for used in node.all_input_nodes for leaf in self.leaves_of(used)):
                if any(w in self.is_backward for w in leaf.memory.writers):
                    self.reasons.setdefault(node, "reads an argument that the backward function overwrites")
        # Writes of arguments come last; the library sees that they happen, not where.
        writers = {w for memory in self.memories for w in memory.writers}
        before: Optional[str] = None
        for node in [*(n for n in forward if n not in writers), *(n for n in forward if n in writers)]:
            op = self._op(node, tags.get(node, "none"))
            if node in self.states:
                # The draw, which happens once, and what is made of it.
                state = self.states[node].id
                self.ops.append({"id": state, "name": "state", "operands": list(op["operands"]),
                                 "results": [state], "cost": "expensive", "pure": False,
                                 "speculatable": False, "after": [before] if before else []})
                op["operands"].append(state)
                before = state
            if "pure" in op:
                op["after"] = [before] if before else []
                before = node.name
            self.ops.append(op)
        self._copy_back(before)
        before = None
        readers: Dict[Memory, List[str]] = {}
        for node in (n for n in calls if n in self.is_backward):
            op = self._op(node, "none")
            if not any(u in self.is_backward for u in node.all_input_nodes):
                op["operands"].append(IN_BACKWARD)
            after = [before] if before and "pure" in op else []
            for leaf in (leaf for used in node.all_input_nodes for leaf in self.leaves_of(used)):
                if node in leaf.memory.writers:
                    after += [r for r in readers.get(leaf.memory, []) if r not in after]
                elif leaf.memory.writers:
                    readers.setdefault(leaf.memory, []).append(node.name)
            if after:
                op["after"] = after
            before = node.name if "pure" in op else before
            self.ops.append(op)
        return self._whole()

    def _find_unread(self) -> Dict[Node, List[Node]]:
        """The running statistics that a BatchNorm needs not, if it runs again, and those that
        its gradient never needs."""
        found: Dict[Node, List[Node]] = {}
        for node in reversed(self.nodes):
            statistics = _nodes.statistics(node)
            items = [user for user in node.users if not is_item(user) or user.args[1] in (3, 4)]
            if statistics and (node in self.is_backward or all(
                    n.op == "placeholder" for n in statistics) and all(
                    is_item(item) and all(
                        user.op == "output" or item in found.get(user, ()) or any(
                            user in leaf.memory.writers and user not in self.is_backward
                            for leaf in self.leaves_of(user.args[0])) for user in item.users)
                    for item in items)):
                found[node] = statistics
        return found

    def _copy_back(self, before: Optional[str]) -> None:
        """Results that the caller copies into arguments, and then releases. Of two memories that
        are equal, a result and the copy of it that is kept, the copy is the result here."""
        self.results: Dict[Memory, str] = {}
        copies: Dict[Memory, Dict[str, Any]] = {}
        for i, out, desc in self._results():
            name = f"copy of result {i}"
            operands = [leaf.id for leaf in self.leaves_of(out)]
            if _mutated(desc) is not None:
                self.ops.append({"id": name, "name": "copy_", "results": [], "cost": "free",
                                 "operands": operands, "pure": False, "speculatable": False,
                                 "after": [before] if before else []})
                before = name
                continue
            for memory in {leaf.memory: None for leaf in self.leaves_of(out)}:
                if not self.is_copied(memory):
                    continue
                if memory in copies:
                    # The results that are views of one memory are all made.
                    copies[memory]["operands"] += [name for name in operands if name not in copies[memory]["operands"]]
                    continue
                made = Memory(name, memory.bytes, memory.formula)
                self.memories.append(made)
                self.values[name] = Leaf(name, made, None)
                self.results[memory] = name
                copies[memory] = {"id": name, "name": "clone", "results": [name], "cost": "cheap",
                                  "operands": operands}
                self.ops.append(copies[memory])

    def _results(self) -> List[Tuple[int, Node, Any]]:
        """The results of the forward function, with place and descriptor."""
        return [(i, out, desc) for i, (out, desc) in enumerate(
            zip(self.outputs[:self.num_fwd_outputs], self.descriptors)) if isinstance(out, Node)]

    def _op(self, node: Node, tag: str) -> Dict[str, Any]:
        self.by_op[node.name] = node
        # An argument that is only overwritten is always passed and costs nothing.
        read = node.args[1:2] if node in self.targets else [
            used for used in node.all_input_nodes if used not in self.unread.get(node, ())]
        operands = [leaf.id for used in read for leaf in self.leaves_of(used)]
        results = [leaf.id for leaf in self.leaves_of(node)
                   if node not in leaf.memory.writers and leaf.id not in operands]
        inside = {leaf.memory for used in node.all_input_nodes for leaf in self.leaves_of(used)}
        makes = [leaf for leaf in self.leaves_of(node) if leaf.memory not in inside]
        op: Dict[str, Any] = {"id": node.name, "name": _nodes.op_name(node), "operands": operands,
                              "results": results}
        reason = self.reasons.get(node)
        if not makes and results and not reason:
            op["cost"] = "free"
        else:
            op["cost"] = _nodes.cost_class(node) if not reason else "expensive"
            op["flops"], op["bytes_read"], op["bytes_written"] = _nodes.costs(node)
            if scratch := _nodes.scratch_bytes(node):
                op["scratch_bytes"] = scratch
        if reason:
            op["speculatable"] = False
            if _nodes.has_effects(node):
                op["pure"] = False
        elif any(not isinstance(leaf.value, (torch.Tensor, *_nodes.SIZE_TYPES)) for leaf in makes
                 if any(n.users for n in leaf.nodes)):
            # Neither a tensor nor a size: autograd cannot keep it. Numbers that fused attention
            # returns are constants in the graph, and nobody takes them.
            op["recompute"] = "must_recompute"
        if "recompute" not in op and tag != "none":
            op["recompute"] = tag
            if (region := node.meta.get("ac_graph_id")) is not None:
                op["scope"] = str(region)
        return op

    def _whole(self) -> Dict[str, Any]:
        inputs: List[Dict[str, Any]] = []
        for node in self.nodes:
            if node.op != "placeholder":
                continue
            for leaf in self.leaves_of(node):
                entry: Dict[str, Any] = {
                    "value": leaf.id, "role": "tangent" if node in self.is_backward else "primal"}
                if node in self.is_backward:
                    entry["donated"] = True  # The caller lets go of it.
                elif leaf.memory.is_free:
                    entry["static"] = True
                inputs.append(entry)
        if any(IN_BACKWARD in op["operands"] for op in self.ops):
            memory = Memory("no memory", 0)
            self.memories.append(memory)
            self.values[IN_BACKWARD] = Leaf(IN_BACKWARD, memory, None)
            inputs.append({"value": IN_BACKWARD, "role": "tangent"})
        used = {leaf.memory for leaf in self.values.values()}
        storages = []
        for memory in self.memories:
            if memory not in used:
                continue
            entry = {"id": memory.id, "bytes": memory.bytes}
            if memory.formula:
                entry["formula"] = memory.formula
            if memory.kind:
                entry["kind"] = memory.kind
            storages.append(entry)
        # The result of a write is no value: it is the argument.
        written = {leaf.id for memory in self.memories for w in memory.writers for leaf in self.leaves_of(w)
                   if leaf.memory is memory}
        values = [{"id": leaf.id, "storage": leaf.memory.id, "bytes": leaf.memory.bytes}
                  for leaf in self.values.values() if leaf.id not in written]
        made = {value for op in self.ops for value in op["results"]} | {i["value"] for i in inputs}
        forward, backward = ([self.results.get(leaf.memory, leaf.id) for out in part if isinstance(out, Node)
                              for leaf in self.leaves_of(out) if leaf.id in made]
                             for part in ([out for _, out, desc in self._results() if _mutated(desc) is None],
                                          self.outputs[self.num_fwd_outputs:]))
        return {"format": "memplan.opgraph", "version": 1, "name": "joint", "storages": storages,
                "values": values, "inputs": inputs, "ops": self.ops, "outputs": forward + backward,
                "forward_outputs": len(forward)}


def _attribute(module: Any, path: str) -> Any:
    for part in path.split("."):
        module = getattr(module, part, None)
    return module


def _lays_out(module: GraphModule) -> bool:
    from torch._inductor.graph import GraphLowering
    return bool(GraphLowering.decide_layout_opt(module, is_inference=False))


def _key(value: Any) -> Optional[int]:
    """The identity of a tensor's storage."""
    if not isinstance(value, torch.Tensor):
        return None
    storage = _nodes.storage_of(value)
    return storage._cdata if storage is not None else None


def _mutated(desc: Any) -> Any:
    """The argument into which the caller copies this result."""
    return getattr(_base(desc), "mutated_input", None)


def _base(desc: Any) -> Any:
    """The descriptor of the tensor of which this one is a part (of a tensor subclass)."""
    while getattr(desc, "base", None) is not None:
        desc = desc.base
    return desc
