# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of ONNX that are replaced by others before the import: by the body that the standard
gives them, or by one of ours where the compiler computes other values."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._model import ImportFailure
from ._tools import need

#: Axes of Squeeze are an operand from this opset on.
LEAST_OPSET = 13
#: Domains whose ops the onnx package defines.
_DOMAINS = ("", "ai.onnx", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training")
_ELEMENTS = {1: "float", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
             10: "float16", 11: "double", 12: "uint32", 13: "uint64", 16: "bfloat16"}


class Text:
    """Lines of ONNX's own syntax; each value gets a name of its own."""

    def __init__(self, prefix: str) -> None:
        self.lines: List[str] = []
        self.prefix = prefix

    def __call__(self, op: str, *operands: str, attributes: str = "") -> str:
        name = f"{self.prefix}{len(self.lines)}"
        self.lines.append(f"{name} = {op}{f'<{attributes}>' if attributes else ''}"
                          f"({', '.join(operands)})")
        return name

    def numbers(self, *values: int) -> str:
        return self("Constant", attributes=f"value = int64[{len(values)}] "
                                           f"{{{', '.join(map(str, values))}}}")

    def slice(self, value: str, first: int, last: int, axis: int) -> str:
        return self("Slice", value, self.numbers(first), self.numbers(last), self.numbers(axis))

    def squeeze(self, value: str, axis: int) -> str:
        return self("Squeeze", value, self.numbers(axis))

    def unsqueeze(self, value: str, axis: int) -> str:
        return self("Unsqueeze", value, self.numbers(axis))


class Node:
    """A node, with the attributes that it gives or its schema, and the types of its operands."""

    def __init__(self, onnx: Any, node: Any, types: Dict[str, Any], version: int) -> None:
        self.proto, self.version = node, version
        self.op, self.place = node.op_type, node.name or next(filter(None, node.output), "")
        self.schema = onnx.defs.get_schema(node.op_type, version, node.domain) \
            if not node.domain and onnx.defs.has(node.op_type) else \
            onnx.defs.get_schema(node.op_type, node.domain) if onnx.defs.has(node.op_type, node.domain) else None
        self.given = {a.name: a for a in node.attribute}
        for name, attribute in (self.schema.attributes.items() if self.schema else ()):
            if attribute.default_value.name:
                self.given.setdefault(name, attribute.default_value)
        self._value = onnx.helper.get_attribute_value
        self.types = [types.get(name) if name else None for name in node.input]

    def attribute(self, name: str, default: Any = None) -> Any:
        value = self._value(self.given[name]) if name in self.given else default
        return value.decode() if isinstance(value, bytes) else value

    def has(self, number: int) -> bool:
        """True if that operand is given."""
        return number < len(self.proto.input) and bool(self.proto.input[number])

    def sizes(self, number: int) -> Optional[List[Optional[int]]]:
        """The sizes of an operand, None for a free one; None if it is not known how many."""
        type_ = self.types[number] if self.has(number) else None
        if type_ is None or not type_.tensor_type.HasField("shape"):
            return None
        return [dim.dim_value if dim.HasField("dim_value") else None for dim in type_.tensor_type.shape.dim]

    def rank(self, number: int) -> int:
        sizes = self.sizes(number)
        if sizes is None:
            raise self.refuse("the rank of an operand is not known")
        return len(sizes)

    def is_free(self, number: int) -> bool:
        sizes = self.sizes(number)
        return sizes is None or None in sizes

    def element(self, number: int) -> str:
        type_ = self.types[number] if self.has(number) else None
        return _ELEMENTS.get(type_.tensor_type.elem_type if type_ is not None else 0, "")

    def refuse(self, why: str) -> ImportFailure:
        domain = f"{self.proto.domain}." if self.proto.domain else "onnx."
        return ImportFailure(f"{domain}{self.op} at {self.place}: {why}")


def spliced(onnx: Any, function: Any, node: Any, given: Dict[str, Any]) -> List[Any]:
    """The nodes of a function for a call of it, whose attributes are those given. They have the
    name of the call, which is their place in the model."""
    prefix = next(filter(None, node.output))
    place = node.name or prefix
    names = {"": "", **dict.fromkeys(function.input, "")}
    names.update(zip(function.input, node.input))
    copies = []  # Of operands that are results.
    for ours, theirs in zip(function.output, node.output):
        if theirs and ours in names:
            copies.append(onnx.helper.make_node("Identity", [names[ours]], [theirs], name=place))
        elif theirs:
            names[ours] = theirs

    def renamed(graph: Any) -> None:
        for value in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
            value.name = names.get(value.name, f"{prefix}/{value.name}")
        inner = [copy(node) for node in graph.node]
        del graph.node[:]
        graph.node.extend(inner)

    def copy(old: Any) -> Any:
        made = onnx.NodeProto.FromString(old.SerializeToString())
        made.name = place
        for field in (made.input, made.output):
            field[:] = [names.get(name, f"{prefix}/{name}") for name in field]
        del made.attribute[:]
        for attribute in old.attribute:
            if not attribute.ref_attr_name:
                made.attribute.append(attribute)
                renamed(made.attribute[-1].g)
            elif attribute.ref_attr_name in given:
                made.attribute.append(given[attribute.ref_attr_name])
                made.attribute[-1].name = attribute.name
        return made

    return [copy(old) for old in function.node] + copies


_Body = Callable[[Node], Any]


def _replace(onnx: Any, model: Any, version: int, body_of: _Body) -> bool:
    """Replaces each node for which there is a function. True if there are any."""
    typed = onnx.shape_inference.infer_shapes(model, data_prop=True).graph

    def walk(graph: Any, held: Any, outer: Dict[str, Any]) -> bool:
        types = dict(outer)
        for tensor in graph.initializer:
            types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, list(tensor.dims))
        types.update((value.name, value.type) for value in (*held.input, *held.value_info, *held.output))
        nodes: List[Any] = []
        is_changed = False
        for node, typed_node in zip(graph.node, held.node):
            for attribute, inner in zip(node.attribute, typed_node.attribute):
                if attribute.HasField("g"):
                    is_changed = walk(attribute.g, inner.g, types) or is_changed
            known = Node(onnx, node, types, version)
            function = body_of(known)
            if function is None:
                nodes.append(node)
            else:
                is_changed = True
                nodes += spliced(onnx, function, node, known.given)
        if is_changed:
            copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
            del graph.node[:]
            graph.node.extend(copies)
        return is_changed

    return walk(model.graph, typed, {})


def _standard(onnx: Any, node: Node) -> Any:
    """The body that the standard gives the node; None if there is none."""
    schema, function = node.schema, None
    if schema is None:
        return None
    proto = onnx.NodeProto.FromString(node.proto.SerializeToString())
    del proto.attribute[:]
    proto.attribute.extend(node.given.values())
    try:
        versions = [version for version in schema.function_opset_versions if version <= node.version]
        if node.proto.domain:
            versions = list(schema.function_opset_versions)
        if versions:
            function = schema.get_function_with_opset_version(versions[-1])
        versions = [version for version in schema.context_dependent_function_opset_versions
                    if node.proto.domain or version <= node.version]
        if not function and versions:
            types = [(type_ or onnx.TypeProto()).SerializeToString() for type_ in node.types]
            function = schema.get_context_dependent_function_with_opset_version(
                versions[-1], proto.SerializeToString(), types)
    except Exception:  # It needs a type that is not known.
        return None
    return onnx.FunctionProto.FromString(function) if function else None


def correct(onnx: Any, model: Any, version: int) -> bool:
    """Replaces what the compiler takes for something else, or does not take, by bodies. Refuses
    what has none. True if there were any."""
    if version < LEAST_OPSET:
        return False
    parse = need("onnx.parser").parse_function

    def body_of(node: Node) -> Any:
        domain = node.proto.domain
        if domain and domain not in _DOMAINS:
            raise node.refuse(f"ops of the domain {domain} are not supported")
        if domain:
            return _standard(onnx, node)
        if node.op in _STANDARD and _STANDARD[node.op](node):
            function = _standard(onnx, node)
            if function is None and node.op in _WRONG:
                raise node.refuse("the compiler computes other values, and the types that a body needs "
                                  "are not known")
            return function
        text = Text("v")
        results = _OWN[node.op](node, text) if node.op in _OWN else None
        if results is None:
            return None
        lines = "\n  ".join(text.lines)
        inputs = ", ".join(f"in{n}" for n in range(len(node.proto.input)))
        return parse(f'<domain: "memplan", opset_import: ["" : {version}]>\n'
                     f"body ({inputs}) => ({', '.join(results)}) {{\n  {lines}\n}}")

    return _replace(onnx, model, version, body_of)


def expand(onnx: Any, model: Any, version: int, op: str) -> bool:
    """Replaces one kind of op, such as "onnx.Softsign", by its body in the standard."""
    name = op[len("onnx."):] if op.startswith("onnx.") else ""
    return bool(name) and _replace(
        onnx, model, version, lambda node: _standard(onnx, node) if node.op == name else None)


def _always(node: Node) -> bool:
    return True


#: Ops whose body in the standard is used, where that holds: the compiler takes others of them
#: for something else, or does not take them.
_STANDARD: Dict[str, Callable[[Node], bool]] = {
    "Attention": _always, "CastLike": _always, "MeanVarianceNormalization": _always,
    "RMSNormalization": _always, "RotaryEmbedding": _always, "SwiGLU": _always, "Swish": _always,
    "Gelu": lambda node: node.attribute("approximate") == "tanh",
    "NegativeLogLikelihoodLoss": lambda node: node.has(2),
    "SoftmaxCrossEntropyLoss": lambda node: node.has(2)}
#: Those of them that the compiler takes for something else.
_WRONG = ("Gelu", "MeanVarianceNormalization", "NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")

_OWN: Dict[str, Callable[[Node, Text], Optional[Sequence[str]]]] = {}
