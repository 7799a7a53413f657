# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which ops of ONNX were run, and had the values of the reference.

The table onnx_ops.json has, for each op and version of its schema, the values of its traits
that were seen in a model with equal values, and the combinations that had other values.
test/tools/onnx_ops.py makes it. What it does not know is refused.

Traits are the attributes, optional inputs and outputs that are given, whether sizes are free, and
whether operands behind the first are constants of the program. Numbers that only scale are none:
of an attribute of floats any value is known, of integers 0, 1, greater and negative ones are told
apart, and names of types and modes by value.
"""
from __future__ import annotations

import functools
import json
import os
from typing import Any, Dict, Iterator, List, Optional, Set

from ._model import LEAST_ELEMENTS, ImportFailure
from ._tools import need

Traits = Dict[str, List[str]]
_TABLE = os.path.join(os.path.dirname(__file__), "onnx_ops.json")
#: Attributes of integers that stand for types.
_OF_TYPES = ("dtype", "output_dtype", "precision", "softmax_precision", "stash_type", "to")
#: Attributes of integers that stand for modes.
_OF_MODES = ("qk_matmul_output_mode",)
#: Attributes of text that is no mode.
_OF_TEXT = ("delimiter", "equation", "pattern")


class Node:
    """A node of a model, the schema that it has there, and its traits."""

    def __init__(self, onnx: Any, node: Any, opset: int, types: Dict[str, Any],
                 constants: Set[str]) -> None:
        self.op = f"{node.domain if node.domain not in ('', 'ai.onnx') else 'onnx'}.{node.op_type}"
        self.place = node.name or next(filter(None, node.output), "")
        try:
            self.schema = onnx.defs.get_schema(node.op_type, opset, node.domain)
        except Exception:
            self.schema = None
        self.version = self.schema.since_version if self.schema else 0
        self.traits: Traits = _traits(onnx, node, self.schema, types, constants) if self.schema else {}
        #: The types of its inputs, of which only combinations with other values tell.
        self.types = [str(onnx.TensorProto.DataType.Name(types[name].elem_type)).lower()
                      if name in types else "" for name in node.input]


def nodes_of(onnx: Any, model: Any) -> Iterator[Node]:
    """The nodes of the model, those of its functions and inner graphs as well."""
    if model.functions:
        model = need("onnx.inliner").inline_local_functions(model)
    opsets = {"" if entry.domain == "ai.onnx" else entry.domain: entry.version
              for entry in model.opset_import}
    try:
        graph = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    except Exception:  # An unknown op, say.
        graph = model.graph
    yield from _nodes_of(onnx, graph, opsets, {}, set())


def _nodes_of(onnx: Any, graph: Any, opsets: Dict[str, int], outer: Dict[str, Any],
              around: Set[str]) -> Iterator[Node]:
    types, constants = dict(outer), set(around)
    for value in (*graph.input, *graph.value_info, *graph.output):
        if value.type.HasField("tensor_type"):
            types[value.name] = value.type.tensor_type
    for tensor in graph.initializer:
        types[tensor.name] = onnx.helper.make_tensor_type_proto(
            tensor.data_type, list(tensor.dims)).tensor_type
        if not is_argument(onnx, tensor):
            constants.add(tensor.name)
    for node in graph.node:
        domain = "" if node.domain == "ai.onnx" else node.domain
        if node.op_type == "Constant":
            constants.update(node.output)
        yield Node(onnx, node, opsets.get(domain, 0), types, constants)
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from _nodes_of(onnx, attribute.g, opsets, types, constants)


def is_argument(onnx: Any, tensor: Any) -> bool:
    """Whether an initializer becomes an argument of the program: the large ones of floats."""
    floats = (onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16,
              onnx.TensorProto.BFLOAT16)
    elements = 1
    for size in tensor.dims:
        elements *= size
    return tensor.data_location == onnx.TensorProto.EXTERNAL or \
        tensor.data_type in floats and elements >= LEAST_ELEMENTS


def _traits(onnx: Any, node: Any, schema: Any, types: Dict[str, Any], constants: Set[str]) -> Traits:
    traits: Traits = {}
    given = {attribute.name: attribute for attribute in node.attribute}
    floats = (onnx.defs.OpSchema.AttrType.FLOAT, onnx.defs.OpSchema.AttrType.FLOATS)
    for name, described in schema.attributes.items():
        attribute = given.pop(name, described.default_value)
        if described.type not in floats:
            traits[name] = _values(onnx, schema.name, name, attribute) if attribute.type else ["none"]
    traits.update((name, ["unknown"]) for name in given)
    options = onnx.defs.OpSchema.FormalParameterOption
    for kind, formal, actual in (("input", schema.inputs, node.input),
                                 ("output", schema.outputs, node.output)):
        for number, parameter in enumerate(formal):
            is_given = number < len(actual) and bool(actual[number])
            if parameter.option == options.Variadic:
                count = len(actual) - number
                traits[f"{kind}s"] = [str(count) if count < 2 else "several"]
            elif parameter.option == options.Optional and (is_given or kind == "input"):
                traits[f"{kind} {parameter.name}"] = ["given" if is_given else "none"]
    is_free = any(not dim.HasField("dim_value") for name in (*node.input, *node.output)
                  if name in types for dim in types[name].shape.dim) or \
        any(name and (name not in types or not types[name].HasField("shape")) for name in node.input)
    traits["sizes"] = ["free" if is_free else "constant"]
    if len(node.input) > 1:
        is_constant = any(name in constants for name in node.input[1:])
        traits["operands"] = ["constant" if is_constant else "computed"]
    return traits


def _values(onnx: Any, op: str, name: str, attribute: Any) -> List[str]:
    """What tells values of an attribute apart."""
    kinds = onnx.AttributeProto
    if attribute.type == kinds.INT:
        if name in _OF_TYPES:
            return [str(onnx.TensorProto.DataType.Name(attribute.i)).lower()]
        if name in _OF_MODES or attribute.i in (0, 1):
            return [str(attribute.i)]
        return ["negative" if attribute.i < 0 else "greater"]
    if attribute.type == kinds.INTS:
        values = list(attribute.ints)
        if not values:
            return ["empty"]
        if min(values) < 0:
            return ["negative"]
        return [f"all {values[0]}" if set(values) in ({0}, {1}) else "greater"]
    if attribute.type in (kinds.STRING, kinds.STRINGS):
        texts = [text.decode(errors="replace") for text in (
            attribute.strings if attribute.type == kinds.STRINGS else [attribute.s])]
        if name in _OF_TEXT:
            return ["with ..." if any("..." in text for text in texts) else "given"]
        return sorted({text or '""' for text in texts})
    if attribute.type == kinds.TENSOR and op != "Constant":
        return [str(onnx.TensorProto.DataType.Name(attribute.t.data_type)).lower()]
    return ["given"]


@functools.lru_cache(maxsize=None)
def table() -> Any:
    """By op and version: "seen", the values of each trait, and "wrong", a list of traits and types of
    inputs. None in the copy of the package with which the table is made."""
    with open(_TABLE, encoding="utf-8") as file:
        return json.load(file)["ops"]


def check(onnx: Any, model: Any) -> None:
    """Raises ImportFailure if the model has a node that the table does not know."""
    ops = table()
    if ops is None:
        return
    for node in nodes_of(onnx, model):
        why = reason(ops, node)
        if why:
            raise ImportFailure(f"{node.op} at {node.place}: {why}")


def reason(ops: Any, node: Node) -> Optional[str]:
    """Why the node is refused, if it is."""
    if node.schema is None:
        return "ONNX does not define this op"
    versions = ops.get(node.op)
    if not versions:
        return "this op is not supported"
    entry = versions.get(str(node.version))
    if entry is None:
        known = ", ".join(sorted(versions, key=int))
        return (f"version {node.version} of this op was not compared with the reference; known are "
                f"{known}")
    for name, values in node.traits.items():
        seen = entry["seen"].get(name, ["none"])
        for value in values:
            if value not in seen:
                return (f"version {node.version} with {name} = {value} was not compared with the "
                        f"reference; known are {', '.join(seen)}")
    for wrong in entry.get("wrong", []):
        if wrong["types"] == node.types and wrong["traits"] == node.traits:
            shown = ", ".join(f"{name} = {' '.join(values)}" for name, values in node.traits.items())
            return f"version {node.version} with {shown} has other values than the reference"
    return None
