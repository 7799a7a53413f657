# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks for what would make a partition train wrongly, in the two functions alone: it
shares no code with the decision. Each finding names an op."""
from __future__ import annotations

import operator
from typing import Any, Dict, Iterable, Iterator, List, Optional, Set, Tuple

import torch
from torch.fx import GraphModule, Node
from torch.utils import _pytree as pytree


def _storages(value: Any) -> Iterator[int]:
    for tensor in pytree.tree_leaves(value):
        if isinstance(tensor, torch.Tensor):
            try:
                yield tensor.untyped_storage()._cdata
            except (NotImplementedError, RuntimeError):
                pass


def _place(value: Any) -> int:
    if isinstance(value, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        return 2
    return 0 if isinstance(value, torch.Tensor) else 1


def _written(node: Node) -> List[Node]:
    """The operands that the op writes."""
    schema = getattr(node.target, "_schema", None)
    if node.op != "call_function" or schema is None or not schema.is_mutable:
        return []
    named = {argument.name: argument for argument in schema.arguments}
    pairs = [*zip(schema.arguments, node.args),
             *((named[key], value) for key, value in node.kwargs.items() if key in named)]
    return [n for argument, value in pairs
            if argument.alias_info is not None and argument.alias_info.is_write
            for n in pytree.tree_leaves(value) if isinstance(n, Node)]


def _only_writes(node: Node, operand: Node) -> bool:
    """copy_ reads nothing of its first operand."""
    return node.target is torch.ops.aten.copy_.default and node.args[1] is not operand


def _reads_after_write(module: GraphModule, which: str) -> Iterator[str]:
    """Reads of an argument behind the op that overwrites it. Who takes what that op returns wants the
    new content."""
    arguments = {key: node for node in module.graph.nodes if node.op == "placeholder"
                 for key in _storages(node.meta.get("val"))}
    done: Dict[int, Node] = {}
    for node in module.graph.nodes:
        if node.op != "call_function":
            continue
        writes = {key for n in _written(node) for key in _storages(n.meta.get("val"))}
        if node.target is not operator.getitem:
            for used in node.all_input_nodes:
                for key in _storages(used.meta.get("val")):
                    if key in done and key in arguments and key not in writes and used is not done[key]:
                        yield (f"the {which} function reads {arguments[key].name} in {node.name} "
                               f"after {done[key].name} overwrote it")
        for key in writes:
            done[key] = node


def _base(desc: Any) -> Any:
    while getattr(desc, "base", None) is not None:
        desc = desc.base
    return desc


def _overwritten(forward: GraphModule, num_fwd_outputs: int) -> Dict[int, str]:
    """Storages of arguments that the forward function, or its caller, overwrites."""
    placeholders = [n for n in forward.graph.nodes if n.op == "placeholder"]
    arguments = {key: n.name for n in placeholders for key in _storages(n.meta.get("val"))}
    found: Dict[int, str] = {}
    for node in forward.graph.nodes:
        for written in _written(node):
            for key in _storages(written.meta.get("val")):
                if key in arguments:
                    found[key] = arguments[key]
        if node.op == "output":
            for desc in (node.meta.get("desc") or [])[:num_fwd_outputs]:
                mutated = _base(getattr(_base(desc), "mutated_input", None))
                if mutated is None:
                    continue
                for argument in placeholders:
                    if _base(argument.meta.get("desc")) == mutated:
                        for key in _storages(argument.meta.get("val")):
                            found[key] = argument.name
    return found


def _is_random(node: Node) -> bool:
    tags = getattr(node.target, "tags", ())
    name = str(getattr(getattr(node.target, "overloadpacket", None), "__name__", ""))
    if "inductor_seed" in name:
        return True
    if torch.Tag.nondeterministic_seeded not in tags or name in (
            "inductor_random", "inductor_randint", "inductor_lookup_seed"):
        return False
    names = [argument.name for argument in node.target._schema.arguments]
    if "dropout_p" not in names:
        return True
    at = names.index("dropout_p")
    drop = node.kwargs.get("dropout_p", node.args[at] if at < len(node.args) else 0.0)
    return bool(drop != 0)


def audit(forward: GraphModule, backward: GraphModule, num_fwd_outputs: int,
          never: Iterable[str] = (), read_later: Iterable[str] = ()) -> List[str]:
    """What is wrong with a partition. `never` names the nodes that must not be in both
    functions, `read_later` those that may read an argument after it is overwritten."""
    found: List[str] = []
    output = next(n for n in reversed(forward.graph.nodes) if n.op == "output")
    saved = list(output.args[0])[num_fwd_outputs:]
    places = [_place(n.meta.get("val")) if isinstance(n, Node) else 1 for n in saved]
    for i in range(1, len(places)):
        if places[i] < places[i - 1]:
            found.append(f"{saved[i - 1]} is returned before the tensor {saved[i]}")
            break
    sizes = [n for n in saved if isinstance(n, Node) and _place(n.meta.get("val")) == 2]
    are_sizes = set(sizes)
    order = sizes + [n for n in saved if n not in are_sizes]
    takers = [n for n in backward.graph.nodes if n.op == "placeholder"]
    if len(takers) < len(order):
        found.append(f"the backward function takes {len(takers)} values of {len(order)} kept ones")
    overwritten = _overwritten(forward, num_fwd_outputs)
    arguments = {key for n in forward.graph.nodes if n.op == "placeholder" for key in _storages(n.meta.get("val"))}
    for made, taken in zip(order, takers):
        if isinstance(made, Node) and _place(made.meta.get("val")) != _place(taken.meta.get("val")):
            found.append(f"the backward function takes {taken.name} in the place of {made.name}")
            break
        if isinstance(made, Node) and not arguments.issuperset(_storages(made.meta.get("val"))):
            found += [f"the backward function writes {made.name}, which is no argument, in {user.name}"
                      for user in taken.users if taken in _written(user)]
        readers = [user for user in taken.users if user.name not in read_later and not _only_writes(user, taken)]
        if not isinstance(made, Node) or not readers:
            continue
        for key in _storages(made.meta.get("val")):
            if key in overwritten:
                found.append(f"the backward function reads {overwritten[key]}, which the forward "
                             f"function overwrites, in {readers[0].name}")
    found += _reads_after_write(forward, "forward")
    found += _reads_after_write(backward, "backward")
    names: Set[str] = {n.name for n in forward.graph.nodes if n.op == "call_function"}
    never = set(never)
    for node in backward.graph.nodes:
        if node.op != "call_function" or node.name not in names:
            continue
        if node.name in never:
            found.append(f"{node.name} ({node.target}) runs in both functions")
        elif _is_random(node):
            found.append(f"{node.name} ({node.target}) draws in both functions")
        elif _written(node) and torch._C._SchemaInfo(node.target._schema).is_mutable():
            found.append(f"{node.name} ({node.target}) writes in both functions")
        elif "with_effects" in str(node.target):
            found.append(f"{node.name} ({node.args[1]}) has its effect in both functions")
    return found
