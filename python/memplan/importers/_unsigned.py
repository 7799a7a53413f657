# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unsigned integers, which the compiler takes for signed ones in many ops of PyTorch and
ONNX, or does not survive. Those of 8 bits are computed in a wider signed type; it takes few
others from PyTorch or ONNX, and none of them back."""
from __future__ import annotations

import operator
import re
from typing import Any, Dict, Optional, Tuple

from ._foreign import walk
from ._model import ImportFailure
from ._tools import place_of

#: Ops of aten that only move elements, or convert them.
_MOVES = ("_to_copy", "alias", "as_strided", "cat", "clone", "copy", "detach", "embedding",
          "empty", "expand", "flip", "gather", "index", "index_select", "lift_fresh_copy", "permute",
          "repeat", "reshape", "roll", "select", "select_scatter", "slice", "slice_scatter", "split",
          "split_with_sizes", "squeeze", "stack", "sym_size", "t", "transpose", "unbind",
          "unsqueeze", "view")


def widen(torch: Any, graph: Any) -> None:
    """Rewrites the ops of an exported program."""
    wide = torch.int32
    convert = torch.ops.aten._to_copy.default

    def is_unsigned(value: Any) -> bool:
        return isinstance(value, torch.Tensor) and value.dtype in kinds

    def widened(value: Any) -> Any:
        return value.new_empty(value.shape, dtype=wide) if is_unsigned(value) else value

    def add(like: Any, function: Any, arguments: Any, kwargs: Any, value: Any) -> Any:
        with graph.inserting_before(like):
            made = graph.call_function(function, arguments, kwargs)
        made.meta = {"val": value, "stack_trace": like.meta["stack_trace"]}
        return made

    def to_conversion(node: Any, source: Any) -> None:
        """Keeps the node, whose name may be that of a result."""
        node.target, node.args = convert, (source,)
        node.kwargs = {"dtype": node.meta["val"].dtype}

    for node in list(graph.nodes):
        if node.op != "call_function" or not hasattr(node.target, "_schema"):
            continue
        name = node.target._schema.name.split("::")[1]
        # A sort takes truth values for signed ones, too.
        kinds = (torch.uint8, torch.bool) if name == "sort" else (torch.uint8,)
        result = node.meta.get("val")
        results = result if isinstance(result, (tuple, list)) else [result]
        operands = [source for source in node.all_input_nodes if is_unsigned(source.meta.get("val"))]
        if result is None or not operands and not any(map(is_unsigned, results)):
            continue
        if name == "_to_copy" or name in _MOVES and all(
                is_unsigned(value) for value in results if isinstance(value, torch.Tensor)):
            continue
        for source in operands:
            value = widened(source.meta["val"])
            node.replace_input_with(source, add(node, convert, (source,), {"dtype": wide}, value))
        kwargs = {key: wide if value in kinds else value for key, value in node.kwargs.items()}
        if is_unsigned(result):
            to_conversion(node, add(node, node.target, node.args, kwargs, widened(result)))
        elif results is result:
            node.meta["val"] = type(result)(map(widened, results))
            for user in list(node.users):
                if is_unsigned(user.meta.get("val")):
                    to_conversion(user, add(user, operator.getitem, user.args, {},
                                            widened(user.meta["val"])))


#: Ops of ONNX that the compiler takes for ones of signed elements; the first result has the
#: type of the first operand.
_SIGNED = ("Abs", "Clip", "Div", "MaxPool", "Mod", "ScatterElements", "ScatterND", "TopK")


def widen_onnx(onnx: Any, graph: Any, typed: Any, outer: Optional[Dict[str, int]] = None) -> None:
    """Rewrites the ops of a graph of ONNX; `typed` is the same one with the types that are
    inferred, `outer` the types of the values around it."""
    types = onnx.TensorProto
    kinds = dict(outer or {})
    kinds.update((value.name, value.type.tensor_type.elem_type)
                 for value in (*typed.input, *typed.value_info, *typed.output))
    kinds.update((tensor.name, tensor.data_type) for tensor in typed.initializer)
    nodes = []
    for node, typed_node in zip(graph.node, typed.node):
        for held, inferred in zip(node.attribute, typed_node.attribute):
            if held.HasField("g"):
                widen_onnx(onnx, held.g, inferred.g, kinds)
        kind = kinds.get(node.input[0]) if node.input else None
        if node.op_type not in _SIGNED or node.domain or \
                kind not in (types.UINT8, types.UINT16, types.UINT32, types.UINT64):
            nodes.append(node)
            continue
        name = node.output[0]
        if kind != types.UINT8:
            raise ImportFailure(f"onnx.{node.op_type} at {node.name or name}: the compiler takes unsigned "
                                "elements of more than 8 bits for signed ones")
        to = types.FLOAT if node.op_type == "MaxPool" else types.INT32
        for number, source in enumerate(node.input):
            if kinds.get(source) == kind:
                node.input[number] = f"{name}/wide{number}"
                nodes.append(onnx.helper.make_node("Cast", [source], [node.input[number]], to=to))
        node.output[0] = f"{name}/wide"
        nodes += [node, onnx.helper.make_node("Cast", [node.output[0]], [name], to=kind)]
    del graph.node[:]
    graph.node.extend(nodes)


#: Contractions of StableHLO, whose result may be wider than what they read.
_PRODUCTS = ("stablehlo.dot", "stablehlo.dot_general", "stablehlo.convolution")


def widen_stablehlo(ir: Any, module: Any, what: str) -> None:
    """Rewrites the ops of a module of StableHLO that the compiler takes for signed ones."""
    def converted(value: Any, element: Any) -> Any:
        shaped = ir.RankedTensorType(value.type)
        shape = [shaped.get_dim_size(n) for n in range(shaped.rank)]
        return ir.Operation.create("stablehlo.convert", [ir.RankedTensorType.get(shape, element)],
                                   [value]).results[0]

    def element_of(value: Any) -> Any:
        return ir.RankedTensorType(value.type).element_type

    def is_unsigned(kind: Any) -> bool:  # As truth values are.
        return isinstance(kind, ir.IntegerType) and (kind.is_unsigned or kind.width == 1)

    for op in [op for op in walk(module) if op.name in (*_PRODUCTS, "chlo.top_k")]:
        with op.location, ir.InsertionPoint(op):
            result = element_of(op.results[0])
            for number, operand in enumerate(op.operands):
                kind = element_of(operand)
                if op.name != "chlo.top_k" and is_unsigned(kind) and kind != result:
                    op.operands[number] = converted(operand, result)
            if op.name != "chlo.top_k" or not is_unsigned(result):
                continue
            if result.width > 32:
                raise ImportFailure(f"{what}: chlo.top_k of unsigned integers of 64 bits")
            wide = ir.IntegerType.get_signless(max(8, 2 * result.width))
            source = converted(op.operands[0], wide)
            shaped = ir.RankedTensorType(op.results[0].type)
            values = ir.RankedTensorType.get([shaped.get_dim_size(n) for n in range(shaped.rank)], wide)
            made = ir.Operation.create(op.name, [values, op.results[1].type], [source],
                                       {"k": op.attributes["k"]})
            op.results[0].replace_all_uses_with(converted(made.results[0], result))
            op.results[1].replace_all_uses_with(made.results[1])
            op.erase()
    # The compiler makes a conversion before a product a part of it, and a signed one.
    found = list(walk(module))
    if not any(op.name in _PRODUCTS for op in found):
        return
    for op in [op for op in found if op.name == "stablehlo.convert"]:
        old, new = element_of(op.operands[0]), element_of(op.results[0])
        if not is_unsigned(old) or is_unsigned(new) and new.width <= old.width:
            continue
        uses = [(use.owner, use.operand_number) for use in op.results[0].uses]
        with op.location, ir.InsertionPoint.after(op):
            value = ir.Operation.create("stablehlo.optimization_barrier", [op.results[0].type],
                                        [op.results[0]]).results[0]
        for user, number in uses:
            user.operands[number] = value


#: Ops of StableHLO that do the same to signed and unsigned integers, but for their indices.
_SAME = ("add", "and", "bitcast_convert", "broadcast_in_dim", "case", "concatenate", "constant",
         "count_leading_zeros", "dot_general", "dynamic_broadcast_in_dim", "dynamic_gather",
         "dynamic_iota", "dynamic_pad", "dynamic_reshape", "dynamic_slice", "dynamic_update_slice", "gather", "get_dimension_size",
         "if", "iota", "multiply", "negate", "not", "optimization_barrier", "or", "pad", "popcnt",
         "real_dynamic_slice", "reduce", "reshape", "return", "reverse", "scatter", "select",
         "shift_left", "shift_right_logical", "slice", "subtract", "transpose", "while", "xor")
#: The number of the first index that they read.
_INDICES = {"dynamic_gather": 1, "dynamic_slice": 1, "dynamic_update_slice": 2, "gather": 1, "scatter": 1}
#: Ops that are lowered as they are marked.
OTHER = ("compare", "convert", "divide", "maximum", "minimum", "remainder")
MARK = "memplan.unsigned"


def without_signs(ir: Any, module: Any) -> Tuple[Any, str]:
    """A module with unsigned integers of free sizes, of which the compiler lowers few: with
    signless ones, and marks on the ops that differ for these. Where one can have no mark, the
    module as it is, and the reason."""
    def is_unsigned(value: Any) -> bool:
        if not isinstance(value.type, ir.RankedTensorType):
            return False
        kind = ir.RankedTensorType(value.type).element_type
        return isinstance(kind, ir.IntegerType) and kind.is_unsigned

    marked, left, is_free = [], "", False
    for op in walk(module):
        values = [value for value in (*op.operands, *op.results) if is_unsigned(value)]
        if not values or op.name in ("func.call", "func.return"):
            continue
        is_free = is_free or not all(ir.RankedTensorType(v.type).has_static_shape for v in values)
        name = op.name[len("stablehlo."):] if op.name.startswith("stablehlo.") else ""
        around = getattr(op.parent, "operation", op.parent).name
        if name in OTHER and around in ("func.func", "stablehlo.case", "stablehlo.if", "stablehlo.while"):
            marked.append(op)
        elif name not in _SAME or name in _INDICES and \
                any(map(is_unsigned, list(op.operands)[_INDICES[name]:_INDICES[name] + 1])):
            place = place_of(str(op.location))
            left = left or f"{op.name}{f' at {place}' if place else ''}"
    if left or not is_free:
        return module, left if is_free else ""
    for op in marked:
        source, result = (ir.RankedTensorType(v.type).element_type
                          for v in (op.operands[0], op.results[0]))
        if op.name == "stablehlo.convert" and isinstance(source, ir.IntegerType) and \
                isinstance(result, ir.IntegerType) and \
                (not source.is_unsigned or result.width <= source.width):
            continue
        op.attributes[MARK] = ir.UnitAttr.get()
    text = module.operation.get_asm(enable_debug_info=True)
    return ir.Module.parse(re.sub(r"(?<=[x<])ui(8|16|32|64)>", r"i\1>", text)), ""
