# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes that a graph of ONNX computes, as constants: ONNX infers no type behind a reshape to
sizes of which it does not know how many there are, and the compiler takes few axes, sizes and
conditions that are computed."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from ._tools import need

#: Ops that exports and the bodies of functions compute sizes with.
_OF_SIZES = {"Abs", "Add", "And", "Cast", "CastLike", "Ceil", "Concat", "ConstantOfShape", "Div",
             "Equal", "Expand", "Floor", "Gather", "Greater", "GreaterOrEqual", "Identity", "Less",
             "LessOrEqual", "Max", "Min", "Mod", "Mul", "Neg", "Not", "Or", "Range", "ReduceProd",
             "ReduceSum", "Reshape", "Slice", "Split", "Sqrt", "Squeeze", "Sub", "Unsqueeze", "Where"}
#: Those of them that take parts of a shape, and those that join such parts.
_PARTS = ("Gather", "Slice", "Split")
_JOINS = ("Concat", "Identity", "Squeeze", "Unsqueeze")
_MOST_SIZES = 64
#: Free sizes among those of a shape are numbers below this one, each name another one.
_FREE = -2**61


def fold(onnx: Any, model: Any) -> bool:
    """Replaces nodes whose operands are small constants by their values, and an If of a known
    condition by its branch. True if there are any."""
    typed = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    return _Folder(onnx).graph(model.graph, typed, {}, {}, {})


def is_small(onnx: Any, tensor: Any) -> bool:
    """True of a constant that may be a list of sizes."""
    return tensor.data_location != onnx.TensorProto.EXTERNAL and len(tensor.dims) < 2 and \
        sum(tensor.dims) <= _MOST_SIZES and tensor.data_type != onnx.TensorProto.STRING


class _Folder:
    def __init__(self, onnx: Any) -> None:
        self.onnx, self.numpy = onnx, need("numpy")
        self.numpy_helper = need("onnx.numpy_helper")
        self.evaluator = need("onnx.reference").ReferenceEvaluator
        self.names: Dict[str, int] = {}
        self.is_changed = False

    def graph(self, graph: Any, typed: Any, types: Dict[str, Any], known: Dict[str, Any],
              shapes: Dict[str, Any]) -> bool:
        """Of a graph, the same one with its types, and what is known around it."""
        types, known, shapes = dict(types), dict(known), dict(shapes)
        types.update((value.name, value.type.tensor_type)
                     for value in (*typed.input, *typed.value_info, *typed.output))
        for tensor in graph.initializer:
            types[tensor.name] = self.onnx.helper.make_tensor_type_proto(
                tensor.data_type, list(tensor.dims)).tensor_type
            if is_small(self.onnx, tensor):
                known[tensor.name] = self.numpy_helper.to_array(tensor)
        nodes: List[Any] = []
        for node, held in zip(graph.node, typed.node):
            nodes += self._node(node, held, types, known, shapes)
        if self.is_changed:
            copies = [self.onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
            del graph.node[:]
            graph.node.extend(copies)
        return self.is_changed

    def _node(self, node: Any, typed: Any, types: Dict[str, Any], known: Dict[str, Any],
              shapes: Dict[str, Any]) -> List[Any]:
        """The nodes that take its place."""
        if node.domain:
            return [node]
        if node.op_type == "Constant":
            value = self._constant(node)
            if value is not None:
                known[node.output[0]] = value
            return [node]
        if node.op_type == "If" and node.input[0] in known:
            self.is_changed = True
            return self._branch(node, bool(known[node.input[0]]))
        for attribute, held in zip(node.attribute, typed.attribute):
            if attribute.HasField("g"):
                self.graph(attribute.g, held.g, types, known, shapes)
        if node.op_type in ("Reshape", "Expand") and node.input[1] in shapes:
            return self._with_sizes(node, types, shapes[node.input[1]])
        values = self._values(node, types, known, shapes)
        if values is None:
            return [node]
        made = []
        for name, value in zip(node.output, values):
            value = self.numpy.asarray(value)
            if value.dtype == "int64" and (value < _FREE).any():
                shapes[name] = value
            elif value.ndim < 2 and value.size <= _MOST_SIZES and value.dtype.kind in "biuf":
                known[name] = value
                made.append(self.onnx.helper.make_node("Constant", [], [name], name=node.name,
                                                       value=self.numpy_helper.from_array(value)))
        # A node has all of its results, or none.
        if len(made) < len(node.output):
            return [node]
        self.is_changed = True
        return made

    def _constant(self, node: Any) -> Any:
        """Its value, if it is small. It gets the form that the compiler knows."""
        given = node.attribute[0]
        dtype = {"value_int": "int64", "value_ints": "int64", "value_float": "float32",
                 "value_floats": "float32"}.get(given.name)
        if dtype:
            value = self.numpy.array(self.onnx.helper.get_attribute_value(given), dtype=dtype)
            given.CopyFrom(self.onnx.helper.make_attribute("value", self.numpy_helper.from_array(value)))
        if given.name != "value" or not is_small(self.onnx, given.t):
            return None
        return self.numpy_helper.to_array(given.t)

    def _values(self, node: Any, types: Dict[str, Any], known: Dict[str, Any],
                shapes: Dict[str, Any]) -> Optional[List[Any]]:
        """The results of a node that computes sizes."""
        if node.op_type in ("Shape", "Size"):
            sizes = self._sizes(node.input[0], types)
            if sizes is None or node.op_type == "Size" and (sizes < _FREE).any():
                return None
            if node.op_type == "Size":
                return [sizes.prod()]
            ends = {a.name: a.i for a in node.attribute}
            return [sizes[ends.get("start", 0):ends.get("end", len(sizes))]]
        given = [name for name in node.input if name]
        if node.op_type not in _OF_SIZES or not given:
            return None
        free = given if node.op_type in _JOINS else given[:1] if node.op_type in _PARTS else []
        if not all(name in known or name in free and name in shapes for name in given):
            return None
        try:
            results: List[Any] = self.evaluator(node).run(None, {
                name: known[name] if name in known else shapes[name] for name in given})
            return results
        except Exception:  # The compiler may know more.
            return None

    def _sizes(self, name: str, types: Dict[str, Any]) -> Any:
        """Those of a value, as far as its type says."""
        type_ = types.get(name)
        if type_ is None or not type_.HasField("shape"):
            return None

        def of_name(dim: str) -> int:
            return self.names.setdefault(dim, _FREE - 1 - len(self.names))

        return self.numpy.array([
            dim.dim_value if dim.HasField("dim_value") else of_name(dim.dim_param or f"{name}/{number}")
            for number, dim in enumerate(type_.shape.dim)], dtype="int64")

    def _with_sizes(self, node: Any, types: Dict[str, Any], wanted: Any) -> List[Any]:
        """A reshape or an expansion to sizes of which some are free, with constants: those that
        its operand has at the same place are kept, and one is what is left."""
        old, new = (self._sizes(name, types) for name in (node.input[0], node.output[0]))
        if old is None or 0 in wanted:
            return [node]
        is_reshape = node.op_type == "Reshape"
        # Sizes of an expansion are aligned at their ends.
        shift = 0 if is_reshape else len(old) - len(wanted)
        sizes, left = [], 0
        for place, size in enumerate(map(int, wanted)):
            same = place + shift
            if size == -1 and new is not None and len(new) == len(wanted) and new[place] >= _FREE:
                size = int(new[place])
            elif size < _FREE and 0 <= same < len(old) and old[same] == size:
                size = 0 if is_reshape else 1
            elif size < 0:
                left += 1
                size = -1
            sizes.append(size)
        if left > (1 if is_reshape else 0):
            return [node]
        self.is_changed = True
        name = f"{node.output[0]}/sizes"
        made = self.onnx.helper.make_node("Constant", [], [name], name=node.name,
                                          value=self.numpy_helper.from_array(self.numpy.array(sizes)))
        node.input[1] = name
        for attribute in [a for a in node.attribute if a.name == "allowzero"]:
            node.attribute.remove(attribute)
        return [made, node]

    def _branch(self, node: Any, is_then: bool) -> List[Any]:
        """The nodes of a branch, whose results are those of the If."""
        name = "then_branch" if is_then else "else_branch"
        branch = next(a.g for a in node.attribute if a.name == name)
        helper = self.onnx.helper
        nodes = [helper.make_node("Constant", [], [tensor.name], name=node.name, value=tensor)
                 for tensor in branch.initializer]
        nodes += branch.node
        return nodes + [helper.make_node("Identity", [value.name], [result], name=node.name)
                        for value, result in zip(branch.output, node.output) if result]
