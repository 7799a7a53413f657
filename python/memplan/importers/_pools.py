# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of ONNX that the compiler or ONNX's converter takes for others: resizing and Hardmax of
old opsets, and some pools. They are rewritten where that is simple, and refused elsewhere."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional

from ._model import ImportFailure
from ._tools import need


def old_meaning(onnx: Any, model: Any, version: int) -> Callable[[Any], None]:
    """What changes the converted model so that its ops mean what they did in that opset."""
    resized = {node.output[0] for node in model.graph.node
               if node.op_type in ("Upsample", "Resize") and not node.domain and version < 11}
    chosen = {node.output[0]: _ints(node, "axis", [1])[0] for node in model.graph.node
              if node.op_type == "Hardmax" and not node.domain and version < 13}

    def change(converted: Any) -> None:
        nodes = []
        for node in converted.graph.node:
            if node.op_type == "Resize" and node.output[0] in resized:
                _replace(onnx, node, coordinate_transformation_mode="asymmetric",
                         nearest_mode="ceil" if _is_smaller(onnx, converted, node) else "floor")
            elif node.op_type == "Hardmax" and node.output[0] in chosen:
                # The dimensions from the axis on are one.
                x, y = node.input[0], node.output[0]
                nodes += [onnx.helper.make_node("Shape", [x], [f"{y}_sizes"]),
                          onnx.helper.make_node("Flatten", [x], [f"{y}_flat"], axis=chosen[y]),
                          onnx.helper.make_node("Hardmax", [f"{y}_flat"], [f"{y}_chosen"], node.name,
                                                axis=-1)]
                node = onnx.helper.make_node("Reshape", [f"{y}_chosen", f"{y}_sizes"], [y])
            nodes.append(node)
        copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
        del converted.graph.node[:]
        converted.graph.node.extend(copies)

    return change


def _is_smaller(onnx: Any, model: Any, node: Any) -> bool:
    """The sizes become smaller by constant factors; onnxruntime then takes the next element."""
    known = {tensor.name: tensor for tensor in model.graph.initializer}
    known.update((maker.output[0], attribute.t) for maker in model.graph.node
                 if maker.op_type == "Constant" for attribute in maker.attribute
                 if attribute.name == "value")
    if len(node.input) < 3 or node.input[2] not in known:
        return False
    scales = need("onnx.numpy_helper").to_array(known[node.input[2]])
    return bool((scales < 1).any() and not (scales > 1).any())


def _ints(node: Any, name: str, default: List[int]) -> List[int]:
    for attribute in node.attribute:
        if attribute.name == name:
            return list(attribute.ints) or [attribute.i]
    return default


def _text(node: Any, name: str) -> str:
    return next((a.s.decode() for a in node.attribute if a.name == name), "")


def _replace(onnx: Any, node: Any, **attributes: Any) -> None:
    """Sets attributes of the node; None removes one."""
    kept = [a for a in node.attribute if a.name not in attributes]
    made = [onnx.helper.make_attribute(key, value) for key, value in attributes.items()
            if value is not None]
    del node.attribute[:]
    node.attribute.extend(kept + made)


def rewrite(onnx: Any, model: Any, version: int) -> None:
    """Pools: the compiler takes free extents for -1 where it computes with them."""
    graph = model.graph
    if not any(node.op_type in _POOLS and not node.domain for node in graph.node):
        return
    typed = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    types = {value.name: value.type.tensor_type for value in (*typed.input, *typed.value_info)}
    read = {name for node in graph.node for name in node.input} | {v.name for v in graph.output}
    nodes: List[Any] = []
    for node in graph.node:
        if node.op_type in _POOLS and not node.domain:
            nodes += _pool(onnx, node, types, read, version)
        nodes.append(node)
    copies = [onnx.NodeProto.FromString(node.SerializeToString()) for node in nodes]
    del graph.node[:]
    graph.node.extend(copies)


_POOLS = ("MaxPool", "AveragePool", "LpPool")


def _pool(onnx: Any, node: Any, types: Dict[str, Any], read: Any, version: int) -> List[Any]:
    """Changes a pool, and returns the nodes before it."""
    def refuse(why: str) -> ImportFailure:
        return ImportFailure(f"onnx.{node.op_type} at {node.name or node.output[0]}: {why}")

    if node.op_type == "MaxPool" and len(node.output) > 1 and node.output[1] in read:
        raise refuse("the compiler counts the second result, Indices, in each plane instead of in the "
                     "whole tensor")
    kernel = _ints(node, "kernel_shape", [])
    rank = len(kernel)
    strides, dilations = (_ints(node, name, [1] * rank) for name in ("strides", "dilations"))
    pads = _ints(node, "pads", [0] * (2 * rank))
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilations)]
    extents = _extents(types.get(node.input[0]), rank)
    is_free = None in extents
    same = _text(node, "auto_pad")
    if same.startswith("SAME") and is_free:
        if any(stride != 1 for stride in strides):
            raise refuse("the padding of auto_pad depends on a free extent; state pads")
        less, more = [(r - 1) // 2 for r in reach], [r // 2 for r in reach]
        pads = less + more if same == "SAME_UPPER" else more + less
        _replace(onnx, node, auto_pad=None, pads=pads)
    has_ceil = _ints(node, "ceil_mode", [0]) == [1]
    if node.op_type == "AveragePool" and has_ceil and _ints(node, "count_include_pad", [0]) == [1]:
        left = [None if extent is None else (extent + pads[n] + pads[rank + n] - reach[n]) % strides[n]
                for n, extent in enumerate(extents)]
        if any(left) or None in left:
            raise refuse("with ceil_mode and count_include_pad the compiler counts elements behind the "
                         "padding")
    if node.op_type != "MaxPool" or not is_free or pads[:rank] == pads[rank:]:
        return []
    if has_ceil or version < 13 or node.input[0] not in types:
        raise refuse("the compiler takes no free extents with a padding that is not the same at both "
                     "ends")
    # As a Pad, whose extents the compiler knows.
    helper, kind = onnx.helper, types[node.input[0]].elem_type
    numpy = need("numpy")
    dtype = numpy.dtype(helper.tensor_dtype_to_np_dtype(kind))
    least = -numpy.inf if dtype.kind == "f" else numpy.iinfo(dtype).min
    x, y = node.input[0], node.output[0]
    before = [
        helper.make_node("Constant", [], [f"{y}_pads"], value=helper.make_tensor(
            f"{y}_pads", onnx.TensorProto.INT64, [2 * rank + 4], [0, 0, *pads[:rank], 0, 0, *pads[rank:]])),
        helper.make_node("Constant", [], [f"{y}_least"], value=helper.make_tensor(
            f"{y}_least", kind, [], [least])),
        helper.make_node("Pad", [x, f"{y}_pads", f"{y}_least"], [f"{y}_padded"])]
    node.input[0] = f"{y}_padded"
    _replace(onnx, node, pads=None)
    return before


def _extents(type_: Any, rank: int) -> List[Optional[int]]:
    if type_ is None or not type_.HasField("shape"):
        return [None] * rank
    return [dim.dim_value if dim.HasField("dim_value") else None for dim in type_.shape.dim[2:]]
