# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nodes of ONNX that are replaced by others before the import: by the body that the standard
gives them, or by one of ours where the compiler computes other values."""
from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._model import ImportFailure
from ._sizes import is_small
from ._tools import need

#: The first opset of whose ops there are bodies.
OLDEST = 17
#: Axes of Squeeze are an operand from this opset on.
LEAST_OPSET = 13
#: Floats of 8 bits and complex numbers, of which bodies know nothing.
_OTHER_ELEMENTS = (14, 15, 17, 18, 19, 20)
_FLOATS = ("float", "double", "float16", "bfloat16")
#: The documentation of a node that is in the body of another one of its kind.
_OURS = "part of a body"
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

    def scalar(self, element: str, value: float) -> str:
        # The compiler reads constants of few types in this form.
        wide = "float" if element in _FLOATS else "int64"
        number = repr(float(value)) if wide == "float" else str(int(value))
        made = self("Constant", attributes=f"value = {wide} {{{number}}}")
        return made if element == wide else self.cast(made, element)

    def cast(self, value: str, element: str) -> str:
        number = next(key for key, name in _ELEMENTS.items() if name == element)
        return self("Cast", value, attributes=f"to = {number}")

    def size(self, value: str, dimension: int) -> str:
        """The extent of a dimension, as a vector of one."""
        return self("Shape", value, attributes=f"start = {dimension}, end = {dimension + 1}")

    def slice(self, value: str, first: int, last: int, axis: int) -> str:
        return self("Slice", value, self.numbers(first), self.numbers(last), self.numbers(axis))

    def squeeze(self, value: str, axis: int) -> str:
        return self("Squeeze", value, self.numbers(axis))

    def unsqueeze(self, value: str, axis: int) -> str:
        return self("Unsqueeze", value, self.numbers(axis))


def place_of(node: Any) -> str:
    return str(node.name or next(filter(None, node.output), ""))


class Node:
    """A node, with the attributes that it gives or its schema, and the types of its operands."""

    def __init__(self, onnx: Any, node: Any, types: Dict[str, Any], constants: Dict[str, Any],
                 version: int) -> None:
        self.proto, self.constants, self.version = node, constants, version
        self.op, self.place = node.op_type, place_of(node)
        try:
            self.schema = onnx.defs.get_schema(node.op_type, node.domain) if node.domain else \
                onnx.defs.get_schema(node.op_type, version)
        except Exception:  # It has none in this opset.
            self.schema = None
        self.given = {a.name: a for a in node.attribute}
        for name, attribute in (self.schema.attributes.items() if self.schema else ()):
            if attribute.default_value.name:
                self.given.setdefault(name, attribute.default_value)
        self._value = onnx.helper.get_attribute_value
        self.types = [types.get(name) if name else None for name in node.input]
        #: Of its operands and results, those that are known.
        self.kinds = [types[name] for name in (*node.input, *node.output) if name in types]

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

    def constant(self, number: int) -> Any:
        """The value of an operand, if it is a constant; else None."""
        return self.constants.get(self.proto.input[number]) if self.has(number) else None

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
        kind = type_.tensor_type.elem_type if type_ is not None else 0
        if kind not in _ELEMENTS:
            raise self.refuse("the elements of an operand are not known, or not supported")
        return _ELEMENTS[kind]

    def refuse(self, why: str) -> ImportFailure:
        domain = f"{self.proto.domain}." if self.proto.domain else "onnx."
        return ImportFailure(f"{domain}{self.op} at {self.place}: {why}")


def spliced(onnx: Any, function: Any, node: Any, given: Dict[str, Any]) -> List[Any]:
    """The nodes of a function for a call of it, whose attributes are those given. They have the
    name of the call, which is their place in the model."""
    prefix: str = next(filter(None, node.output))
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
        if old.op_type == node.op_type and not old.domain:
            made.doc_string = _OURS
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

    to_array = need("onnx.numpy_helper").to_array
    constants: Dict[str, Any] = {}

    def walk(graph: Any, held: Any, outer: Dict[str, Any]) -> bool:
        types = dict(outer)
        for tensor in graph.initializer:
            if is_small(onnx, tensor):
                constants[tensor.name] = to_array(tensor)
            types[tensor.name] = onnx.helper.make_tensor_type_proto(tensor.data_type, list(tensor.dims))
        types.update((value.name, value.type) for value in (*held.input, *held.value_info, *held.output))
        nodes: List[Any] = []
        is_changed = False
        for node, typed_node in zip(graph.node, held.node):
            for attribute, inner in zip(node.attribute, typed_node.attribute):
                if attribute.HasField("g"):
                    is_changed = walk(attribute.g, inner.g, types) or is_changed
            if node.op_type == "Constant" and node.attribute[0].name == "value" and \
                    is_small(onnx, node.attribute[0].t):
                constants[node.output[0]] = to_array(node.attribute[0].t)
            known = Node(onnx, node, types, constants, version)
            function = None if node.doc_string == _OURS else body_of(known)
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


def shorten_domains(graph: Any) -> None:
    """The long name of ONNX's first domain goes."""
    for node in graph.node:
        node.domain = "" if node.domain == "ai.onnx" else node.domain
        for attribute in node.attribute:
            shorten_domains(attribute.g)


def correct(onnx: Any, model: Any, version: int) -> bool:
    """Replaces what the compiler takes for something else, or does not take, by bodies. Refuses
    what has none. True if there were any."""
    parse = need("onnx.parser").parse_function

    def body_of(node: Node) -> Any:
        if node.proto.domain:
            return _standard(onnx, node)
        if node.op in _STANDARD and _STANDARD[node.op](node):
            function = _standard(onnx, node)
            if function is None and node.op in _WRONG:
                raise node.refuse("the compiler computes other values, and the types that a body needs "
                                  "are not known")
            return function
        text = Text("v")
        result = _OWN[node.op](node, text) if node.op in _OWN else None
        if result is None:
            return None
        lines = "\n  ".join(text.lines)
        inputs = ", ".join(f"in{n}" for n in range(len(node.proto.input)))
        return parse(f'<domain: "memplan", opset_import: ["" : {version}]>\n'
                     f"body ({inputs}) => ({result}) {{\n  {lines}\n}}")

    names = onnx.TensorProto.DataType.Name

    def checked(node: Node) -> Any:
        for kind in node.kinds:
            if not kind.HasField("tensor_type"):
                raise node.refuse("sequences and optional values are not supported")
            element = kind.tensor_type.elem_type
            if element and element not in _ELEMENTS and element not in _OTHER_ELEMENTS:
                raise node.refuse(f"elements of the type {names(element).lower()} are not supported")
        function = body_of(node)
        if function is not None and version < OLDEST:
            raise node.refuse(f"it needs a body, and ONNX cannot convert the model from opset {version} "
                              f"to {OLDEST}")
        return function

    return _replace(onnx, model, version, checked)


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
    "AffineGrid": _always, "Attention": _always, "CastLike": _always, "MeanVarianceNormalization": _always,
    "RMSNormalization": _always, "RotaryEmbedding": _always, "SwiGLU": _always, "Swish": _always,
    "NegativeLogLikelihoodLoss": _always, "SoftmaxCrossEntropyLoss": _always,
    "CenterCropPad": lambda node: node.is_free(0),
    "Gelu": lambda node: bool(node.attribute("approximate") == "tanh"),
    "SpaceToDepth": lambda node: bool(node.attribute("mode") == "CRD")}
#: Those of them that the compiler takes for something else.
_WRONG = ("CenterCropPad", "Gelu", "MeanVarianceNormalization", "NegativeLogLikelihoodLoss",
          "SoftmaxCrossEntropyLoss", "SpaceToDepth")


def _mean(node: Node, text: Text, value: str, axes: Sequence[int]) -> str:
    if node.version < 18:
        return text("ReduceMean", value, attributes=f"axes = {list(axes)}")
    return text("ReduceMean", value, text.numbers(*axes))


def _instance_normalization(node: Node, text: Text) -> Optional[str]:
    """Of free sizes, which the compiler takes for constants."""
    if not node.is_free(0):
        return None
    rank = node.rank(0)
    axes = range(2, rank)
    centred = text("Sub", "in0", _mean(node, text, "in0", axes))
    variance = _mean(node, text, text("Mul", centred, centred), axes)
    root = text("Sqrt", text("Add", variance, text.scalar(node.element(0), node.attribute("epsilon"))))
    per_channel = text.numbers(*range(1, rank - 1))
    scale, bias = (text("Unsqueeze", name, per_channel) for name in ("in1", "in2"))
    return text("Add", text("Mul", text("Div", centred, root), scale), bias)


def _lp_normalization(node: Node, text: Text) -> Optional[str]:
    """Of both norms; the result is 0 where the norm is 0."""
    value = text("Abs", "in0") if node.attribute("p") == 1 else text("Mul", "in0", "in0")
    norm = text("ReduceSum", value, text.numbers(node.attribute("axis")))
    if node.attribute("p") != 1:
        norm = text("Sqrt", norm)
    zero, one = (text.scalar(node.element(0), value) for value in (0.0, 1.0))
    return text("Div", "in0", text("Where", text("Equal", norm, zero), one, norm))


def _bit_shift(node: Node, text: Text) -> Optional[str]:
    """A shift in both directions by more bits than there are, or by less than none, leaves only
    copies of the sign."""
    element, direction = node.element(0), node.attribute("direction")
    width = int(element.lstrip("uint"))
    known = node.constant(1)
    if known is not None and (known >= 0).all() and (known < width).all():
        return None
    distance = text.cast("in1", "int64")
    inside = text("And", text("Less", distance, text.scalar("int64", width)),
                  text("GreaterOrEqual", distance, text.scalar("int64", 0)))
    is_sign = direction == "RIGHT" and not element.startswith("u")
    beyond = text.scalar(element, width - 1 if is_sign else 0)
    result = text("BitShift", "in0", text("Where", inside, "in1", beyond),
                  attributes=f'direction = "{direction}"')
    return result if is_sign else text("Where", inside, result, beyond)


def _stretched(node: Node, text: Text, number: int, name: str, axis: int, extent: str) -> str:
    """An operand whose size on an axis is 1 or that extent, a scalar, made as large where it is
    free: the compiler takes two free sizes for the same."""
    sizes = node.sizes(number)
    if sizes is None:
        raise node.refuse("the rank of an operand is not known")
    if sizes[axis] is not None:
        return name
    last = text("Sub", text.squeeze(text.size(name, axis), 0), text.scalar("int64", 1))
    places = text("Range", text.scalar("int64", 0), extent, text.scalar("int64", 1))
    return text("Gather", name, text("Min", places, last), attributes=f"axis = {axis}")


def _extent(text: Text, value: str, dimension: int) -> str:
    return text.squeeze(text.size(value, dimension), 0)


def _per_row(node: Node, text: Text, number: int, value: str, kind: str) -> str:
    """An operand of a product with one value, or one for each row of the value, as a column."""
    name = text.cast(f"in{number}", kind)
    if node.rank(number) != 1 or node.sizes(number) == [1]:
        return name
    rows = node.rank(0) - 2
    return text.unsqueeze(_stretched(node, text, number, name, 0, _extent(text, value, rows)), 1)


def _per_column(node: Node, text: Text, number: int, value: str, rank: int, kind: str) -> str:
    name = text.cast(f"in{number}", kind)
    if node.rank(number) != 1:
        return name
    return _stretched(node, text, number, name, 0, _extent(text, value, rank - 1))


def _integer_product(node: Node, text: Text, points: Sequence[int], second: int) -> str:
    """In 32 bits."""
    first, other = text.cast("in0", "int32"), text.cast(f"in{second}", "int32")
    if node.has(points[0]):
        first = text("Sub", first, _per_row(node, text, points[0], "in0", "int32"))
    if node.has(points[1]):
        other = text("Sub", other, _per_column(node, text, points[1], f"in{second}", node.rank(second),
                                               "int32"))
    return text("MatMul", first, other)


def _is_known_product(node: Node, operands: Sequence[int]) -> bool:
    """True if the sizes of a product of matrices are known, and there is one."""
    return all(node.has(n) and len(node.sizes(n) or (0, 0, 0)) < 3 and not node.is_free(n) for n in operands)


def _mat_mul_integer(node: Node, text: Text) -> Optional[str]:
    """Of free sizes, whose zero points the compiler takes for ones of each row."""
    if _is_known_product(node, [n for n in range(4) if node.has(n)]):
        return None
    return _integer_product(node, text, (2, 3), 1)


def _q_linear_mat_mul(node: Node, text: Text) -> Optional[str]:
    """Of several matrices, of which the compiler takes one for another, and of free sizes; with one
    scale of the result."""
    if _is_known_product(node, range(8)):
        return None
    if any(node.rank(n) for n in (6, 7) if node.sizes(n) != [1]):
        raise node.refuse("several scales of the result are not supported")
    total = text.cast(_integer_product(node, text, (2, 5), 3), "float")
    scale = text("Mul", _per_row(node, text, 1, "in0", "float"),
                 _per_column(node, text, 4, "in3", node.rank(3), "float"))
    total = text("Mul", total, text("Div", scale, text.cast("in6", "float")))
    total = text("Add", text("Round", total), text.cast("in7", "float"))
    element = node.element(7)
    least, most = (-128.0, 127.0) if element == "int8" else (0.0, 255.0)
    total = text("Clip", total, text.scalar("float", least), text.scalar("float", most))
    return text.cast(text.cast(total, "int32"), element)


def _gemm(node: Node, text: Text) -> Optional[str]:
    """With a summand of free sizes, which may be 1 where those of the product are not; all
    attributes."""
    if not node.has(2) or not node.is_free(2):
        return None
    element = node.element(0)
    first, second = (text("Transpose", name, attributes="perm = [1, 0]") if node.attribute(turned) else name
                     for name, turned in (("in0", "transA"), ("in1", "transB")))
    product, summand = text("MatMul", first, second), "in2"
    rank = node.rank(2)
    for axis in range(rank):
        summand = _stretched(node, text, 2, summand, axis, _extent(text, product, 2 - rank + axis))
    if node.attribute("alpha") != 1:
        product = text("Mul", product, text.scalar(element, node.attribute("alpha")))
    if node.attribute("beta") != 1:
        summand = text("Mul", summand, text.scalar(element, node.attribute("beta")))
    return text("Add", product, summand)


def _arg_last(node: Node, text: Text) -> Optional[str]:
    """The last of equal elements of a free dimension is the first one from its end."""
    if not node.attribute("select_last_index") or not node.is_free(0):
        return None
    axis = node.attribute("axis") % node.rank(0)
    turned = text("Slice", "in0", text.numbers(-1), text.numbers(-2**63), text.numbers(axis),
                  text.numbers(-1))
    place = text(node.op, turned, attributes=f"axis = {axis}, keepdims = {node.attribute('keepdims')}")
    last = text("Sub", _extent(text, "in0", axis), text.scalar("int64", 1))
    return text("Sub", last, place)


def _reshape(node: Node, text: Text) -> Optional[str]:
    """The compiler divides by the zeros of a shape, and takes free sizes for those of a shape that
    are beside them; where that can be, all sizes are joined first."""
    shape, sizes = node.constant(1), node.sizes(0)
    if node.attribute("allowzero") and (0 in (sizes or ()) or shape is not None and 0 in shape):
        raise node.refuse("allowzero with a size of 0 is not supported")
    _lists(1)(node, text)
    if shape is None or sizes is None:
        return None
    old, new = list(sizes), list(map(int, shape))
    first = 0
    while old and new and new[0] in (0, old[0]):
        old, new, first = old[1:], new[1:], first + 1
    rest = _unequal(old, new)
    rest = [part[::-1] for part in _unequal(*(part[::-1] for part in rest))]
    if None not in rest[0] or min(map(len, rest)) < 2 or 0 in new:
        return None
    flat = text("Reshape", "in0", text.numbers(*[0] * first, -1))
    return text("Reshape", flat, text.numbers(*[0] * first, *new))


def _unequal(old: List[Any], new: List[Any]) -> List[List[Any]]:
    """Without the first sizes, which are known and have equal products."""
    for count in range(1, len(old) + 1):
        for other in range(1, len(new) + 1):
            known = [*old[:count], *new[:other]]
            if None not in known and min(known) > 0 and math.prod(old[:count]) == math.prod(new[:other]):
                return _unequal(old[count:], new[other:])
    return [old, new]


def _lists(*numbers: int) -> Callable[[Node, Text], Optional[str]]:
    """Of lists of sizes or places, the compiler takes those of unknown length for others, or ends."""
    def check(node: Node, _: Text) -> Optional[str]:
        for number in numbers:
            if node.has(number) and node.is_free(number):
                raise node.refuse(f"the length of {node.schema.inputs[number].name} is not known")
        return None
    return check


def _pad(node: Node, text: Text) -> Optional[str]:
    """Of constant axes and pads of known length; on mode wrap the compiler does not end. It takes
    for granted that computed pads are not negative, so what these take off is cut first."""
    if node.attribute("mode") == "wrap":
        raise node.refuse("mode wrap is not supported")
    axes = node.constant(3)
    if node.has(3) and axes is None:
        raise node.refuse("axes that are no constant are not supported")
    _lists(1)(node, text)
    if not node.has(1) or node.constant(1) is not None:
        return None
    if node.attribute("mode") != "constant":
        raise node.refuse(f"pads that are no constant are not supported in mode {node.attribute('mode')}")
    rank = node.rank(0)
    places = text.numbers(*(range(rank) if axes is None else (int(axis) % rank for axis in axes)))
    count = (node.sizes(1) or [None])[0] or 0
    zero = text.scalar("int64", 0)
    cut = text("Max", text("Neg", "in1"), zero)
    ends = text("Sub", text("Gather", text("Shape", "in0"), places), text.slice(cut, count // 2, count, 0))
    kept = text("Slice", "in0", text.slice(cut, 0, count // 2, 0), ends, places)
    rest = ["in2"] if node.has(2) else ['""']
    return text("Pad", kept, text("Max", "in1", zero), *rest, *(["in3"] if node.has(3) else []))


def _dropout(node: Node, text: Text) -> Optional[str]:
    """Without training_mode, or with a ratio of 0."""
    mode, ratio = node.constant(2), node.constant(1)
    if node.has(2) and (mode is None or mode.any()) and (ratio is None and node.has(1) or ratio != 0):
        raise node.refuse("training_mode needs random numbers, which are not supported")
    return None


def _non_max_suppression(node: Node, text: Text) -> Optional[str]:
    """Without score_threshold: the program would end where it leaves out a box."""
    if node.has(4):
        raise node.refuse("the program ends where a score is less than score_threshold")
    return None


def _tf_idf(node: Node, text: Text) -> Optional[str]:
    if node.is_free(0):
        raise node.refuse("the compiler takes free sizes for 0")
    return None


def _resize(node: Node, text: Text) -> Optional[str]:
    """The standard takes the product of extent and scale for the extent, with its fraction."""
    scales, sizes = node.constant(2), node.sizes(0)
    if node.attribute("coordinate_transformation_mode") == "align_corners" and node.has(2) and (
            scales is None or sizes is None or any(
                scale != 1 and (size is None or not float(size * scale).is_integer())
                for size, scale in zip(sizes, map(float, scales)))):
        raise node.refuse("coordinate_transformation_mode align_corners with scales that do not make "
                          "whole extents; state sizes")
    return _lists(2, 3)(node, text)


def _grid_sample(node: Node, text: Text) -> Optional[str]:
    """All modes and paddings, in any number of dimensions; the compiler reads outside of the tensor.
    Each result is a sum over the points around its place, whose elements have one index in the
    joined dimensions."""
    rank, element = node.rank(0), node.element(0)
    if element not in _FLOATS:
        raise node.refuse("elements that are no floats are not supported")
    count, padding = rank - 2, node.attribute("padding_mode")
    grid = text.cast("in1", element) if node.element(1) != element else "in1"
    grid = text("Reshape", grid, text.numbers(0, -1, count))

    def number(value: float) -> str:
        return text.scalar(element, value)

    def within(value: str, least: str, most: str) -> str:
        return text("And", text("GreaterOrEqual", value, least), text("LessOrEqual", value, most))

    def reflected(value: str, least: str, most: str) -> str:
        width = text("Sub", most, least)
        twice = text("Add", width, width)
        away = text("Abs", text("Sub", value, least))
        rest = text("Sub", away, text("Mul", text("Floor", text("Div", away, twice)), twice))
        folded = text("Add", least, text("Min", rest, text("Sub", twice, rest)))
        return text("Where", within(value, least, most), value, folded)

    # By dimension: the index of each point, its weight, and whether it is inside.
    points: List[List[Tuple[str, str, str]]] = []
    zero, one, half = number(0.0), number(1.0), number(0.5)
    extents = [text.size("in0", 2 + d) for d in range(count)]
    for d in range(count):
        extent = text.cast(extents[d], element)
        last = text("Sub", extent, one)
        place = text("Gather", grid, text.scalar("int64", count - 1 - d), attributes="axis = 2")
        place = text("Add", place, one)
        if node.attribute("align_corners"):
            least, most = zero, last
            place = text("Mul", text("Mul", place, half), last)
        else:
            least, most = number(-0.5), text("Sub", extent, half)
            place = text("Mul", text("Sub", text("Mul", place, extent), one), half)
        mode = node.attribute("mode")
        if mode == "nearest":
            place = text("Round", place)
        if padding == "border":
            place = text("Max", text("Min", place, last), zero)
        elif padding == "reflection":
            place = reflected(place, least, most)
        low = text("Floor", place)
        points.append([])
        for offset, weight in _weights(text, mode, text("Sub", place, low), number):
            index = text("Add", low, number(float(offset))) if offset else low
            if padding == "border":
                index = text("Max", text("Min", index, last), zero)
            elif padding == "reflection":
                index = reflected(index, least, most)
            # Whatever the place is, nothing is read outside.
            inside = within(index, zero, last)
            points[-1].append((text.cast(text("Where", inside, index, zero), "int64"), weight, inside))
    flat = text("Reshape", "in0", text.numbers(0, 0, -1))
    result = ""
    for chosen in itertools.product(*points):
        place, weight, inside = chosen[0]
        for extent, (index, other, also) in zip(extents[1:], chosen[1:]):
            place = text("Add", text("Mul", place, extent), index)
            weight = text("Mul", weight, other) if weight else ""
            inside = text("And", inside, also)
        place = text.unsqueeze(place, 1)
        sizes = text("Concat", text.size("in0", 0), text.size("in0", 1), text.size(place, 2),
                     attributes="axis = 0")
        part = text("GatherElements", flat, text("Expand", place, sizes), attributes="axis = 2")
        if padding == "zeros":
            part = text("Where", text.unsqueeze(inside, 1), part, zero)
        part = text("Mul", part, text.unsqueeze(weight, 1)) if weight else part
        result = text("Add", result, part) if result else part
    shape = text("Concat", *(text.size("in0", d) for d in (0, 1)),
                 *(text.size("in1", 1 + d) for d in range(count)), attributes="axis = 0")
    return text("Reshape", result, shape)


def _weights(text: Text, mode: str, rest: str, number: Callable[[float], str]) -> List[Tuple[int, str]]:
    """The points of an interpolation from the one before a place, and their weights; `rest` is
    what lies between. A single point has none."""
    if mode == "nearest":
        return [(0, "")]
    one = number(1.0)
    if mode in ("linear", "bilinear"):
        return [(0, text("Sub", one, rest)), (1, rest)]

    def polynomial(value: str, *factors: float) -> str:
        result = number(factors[0])
        for factor in factors[1:]:
            result = text("Add", text("Mul", result, value), number(factor))
        return result

    # Keys, Cubic convolution interpolation (1981), with a = -0.75.
    a = -0.75
    near, far = (a + 2, -(a + 3), 0.0, 1.0), (a, -5 * a, 8 * a, -4 * a)
    left, right = text("Add", rest, one), text("Sub", one, rest)
    return [(-1, polynomial(left, *far)), (0, polynomial(rest, *near)), (1, polynomial(right, *near)),
            (2, polynomial(text("Add", right, one), *far))]


def _refused(why: str) -> Callable[[Node, Text], Optional[str]]:
    def refuse(node: Node, _: Text) -> Optional[str]:
        raise node.refuse(why)
    return refuse


#: By op: the name of the result of a body of ours, None where the node stays.
_OWN: Dict[str, Callable[[Node, Text], Optional[str]]] = {
    "ArgMax": _arg_last, "ArgMin": _arg_last, "BitShift": _bit_shift, "Dropout": _dropout, "Gemm": _gemm,
    "GridSample": _grid_sample, "InstanceNormalization": _instance_normalization,
    "LpNormalization": _lp_normalization, "MatMulInteger": _mat_mul_integer,
    "NonMaxSuppression": _non_max_suppression, "Pad": _pad, "QLinearMatMul": _q_linear_mat_mul,
    "Reshape": _reshape, "Resize": _resize, "TfIdfVectorizer": _tf_idf,
    "CenterCropPad": _lists(1), "Expand": _lists(1), "Slice": _lists(1, 2, 3, 4), "Tile": _lists(1),
    "Det": _refused("the program exchanges no rows"),
    **dict.fromkeys(("Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform",
                     "RandomUniformLike"), _refused("random numbers are not supported"))}
