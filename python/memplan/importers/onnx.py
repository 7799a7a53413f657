# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX files through the ONNX importer of iree-base-compiler."""
from __future__ import annotations

from typing import Any, Dict, List, Optional

from . import _pools, _recurrent, _unsigned
from ._model import LEAST_ELEMENTS, Argument, FreeSize, Imported, ImportFailure
from ._tools import finish, lower, need

_PIPELINE = ("builtin.module(torch-onnx-to-torch-backend-pipeline,"
             "func.func(torch-scalarize-shapes),"
             "torch-backend-to-linalg-on-tensors-backend-pipeline)")
#: Models of an older opset are converted to this one.
_OLDEST = 17


def from_file(path: str, entry: str) -> Imported:
    onnx = need("onnx")
    try:
        # Weights in other files are not read: they are arguments.
        model = onnx.load(path, load_external_data=False)
    except Exception as error:
        raise ImportFailure(f"{path} is not an ONNX model: {str(error)[:300]}") from None
    if not model.graph.output:
        raise ImportFailure(f"{path} is not an ONNX model: it has no output")
    model.graph.name = model.graph.name or entry
    model = _modern(onnx, model)
    moved = _weights_to_inputs(onnx, model)
    while True:
        try:
            return _import(onnx, model, moved, path, entry)
        except ImportFailure as failure:
            smaller = [_inlined(onnx, model, op) for op in failure.ops]
            if not any(smaller):
                raise
            model = next(filter(None, smaller))


def _import(onnx: Any, model: Any, moved: int, path: str, entry: str) -> Imported:
    importer = need("iree.compiler.extras.onnx_importer", "onnx")
    ir = need("iree.compiler.ir")
    # The name of a node is the location of its ops.
    for node in model.graph.node:
        node.name = node.name or next(filter(None, node.output), "")
    try:
        # Types of intermediate values, which the importer needs.
        typed = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception as error:
        raise ImportFailure(f"{path}: ONNX cannot infer its types: {str(error)[:300]}") from None
    context = ir.Context()
    try:
        info = importer.ModelInfo(typed)
        module = info.create_module(context=context)
        module = getattr(module, "operation", module)
        importer.NodeImporter.define_function(info.main_graph, module).import_all()
    except Exception as error:
        raise ImportFailure(f"{path} cannot be imported: "
                            f"{str(error)[:300] or type(error).__name__}") from None
    graph = typed.graph
    with context, ir.Location.unknown():
        parsed = ir.Module.parse(module.get_asm(enable_debug_info=True))
        for op in parsed.body.operations:
            if op.operation.name == "func.func":
                op.attributes["sym_name"] = ir.StringAttr.get(entry)
    _recurrent.store_slices(ir, parsed)
    arguments = [_argument(value, len(graph.input) - number <= moved)
                 for number, value in enumerate(graph.input)]
    lower(parsed, _PIPELINE, path, arguments)
    return finish(parsed, entry, arguments, [value.name for value in graph.output])


def _modern(onnx: Any, model: Any) -> Any:
    """The model without functions of its own, and with ops of a version that the compiler
    knows, if ONNX can convert it."""
    if model.functions:
        model = need("onnx.inliner").inline_local_functions(model)
    version = max((entry.version for entry in model.opset_import
                   if entry.domain in ("", "ai.onnx")), default=_OLDEST)
    if version < _OLDEST:
        mend = _pools.old_meaning(onnx, model, version)
        try:
            model = need("onnx.version_converter").convert_version(model, _OLDEST)
            version = _OLDEST
            mend(model)
        except Exception:  # The compiler may know the ops as they are.
            pass
    while version >= _OLDEST and _fold_sizes(onnx, model):
        pass
    _unsigned.widen_onnx(onnx, model.graph, onnx.shape_inference.infer_shapes(model).graph)
    _check_scans(onnx, model)
    _pools.rewrite(onnx, model, version)
    # The compiler's importer would make a function of it.
    model = _inlined(onnx, model, "onnx.MeanVarianceNormalization") or model
    _recurrent.expand(onnx, model, version)
    return model


#: Ops that exports compute sizes with.
_OF_SIZES = {"Add", "Sub", "Mul", "Div", "Mod", "Neg", "Cast", "Concat", "Gather", "Slice", "Reshape",
             "Squeeze", "Unsqueeze", "Equal", "Where", "ConstantOfShape", "Min", "Max"}
_MOST_SIZES = 64
#: Stands for a free size among those of a shape.
_FREE = -2**62


def _fold_sizes(onnx: Any, model: Any) -> bool:
    """Replaces nodes whose operands are small constants by their values: ONNX infers no type
    behind a reshape to sizes of which it does not know how many there are. True if there are
    any."""
    numpy, numpy_helper = need("numpy"), need("onnx.numpy_helper")
    evaluator = need("onnx.reference").ReferenceEvaluator
    typed = onnx.shape_inference.infer_shapes(model, data_prop=True).graph
    types = {value.name: value.type.tensor_type for value in (*typed.input, *typed.value_info)}
    known = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer
             if tensor.data_location != onnx.TensorProto.EXTERNAL and
             tensor.data_type in (onnx.TensorProto.INT64, onnx.TensorProto.INT32) and
             len(tensor.dims) < 2 and sum(tensor.dims) <= _MOST_SIZES}
    shapes: Dict[str, Any] = {}
    is_changed = False
    for node in model.graph.node:
        if node.domain or len(node.output) != 1:
            continue
        if node.op_type == "Constant":
            tensor = next((a.t for a in node.attribute if a.name == "value"), None)
            if tensor is not None and len(tensor.dims) < 2 and sum(tensor.dims) <= _MOST_SIZES:
                known[node.output[0]] = numpy_helper.to_array(tensor)
            continue
        if node.op_type == "Shape" and not node.attribute:
            type_ = types.get(node.input[0])
            if type_ is None or not type_.HasField("shape"):
                continue
            value = numpy.array([dim.dim_value if dim.HasField("dim_value") else _FREE
                                 for dim in type_.shape.dim], dtype="int64")
            shapes[node.output[0]] = value
        elif node.op_type in _OF_SIZES and all(name in known for name in node.input if name) or \
                node.op_type in ("Gather", "Slice") and node.input[0] in shapes and \
                all(name in known for name in node.input[1:] if name):
            try:
                value, = evaluator(node).run(None, {
                    name: known[name] if name in known else shapes[name]
                    for name in node.input if name})
            except Exception:  # The compiler may know more.
                continue
            value = numpy.asarray(value)
        else:
            continue
        if value.ndim > 1 or value.size > _MOST_SIZES or _FREE in value:
            continue
        known[node.output[0]] = value
        made = onnx.helper.make_node("Constant", [], list(node.output), name=node.name,
                                     value=numpy_helper.from_array(value))
        node.CopyFrom(made)
        is_changed = True
    return is_changed


def _check_scans(onnx: Any, model: Any) -> None:
    """Refuses a Scan of free sizes, of which the compiler makes one of one step."""
    graph = onnx.shape_inference.infer_shapes(model).graph
    types = {value.name: value.type.tensor_type for value in (*graph.input, *graph.value_info)}
    for node in graph.node:
        if node.op_type == "Scan" and not node.domain and not all(
                dim.HasField("dim_value") for name in node.input if name in types
                for dim in types[name].shape.dim):
            raise ImportFailure(f"onnx.Scan at {node.name or node.output[0]}: the compiler takes its "
                                "free sizes for constants; a Loop that carries its results works")


def _inlined(onnx: Any, model: Any, op: str) -> Any:
    """The model with one kind of op replaced by the ops that define it in the standard;
    None if there are none."""
    name = op[len("onnx."):] if op.startswith("onnx.") else ""
    if not any(node.op_type == name and not node.domain for node in model.graph.node):
        return None
    if not onnx.defs.has(name):
        return None
    schema = onnx.defs.get_schema(name)
    if not (schema.has_function or schema.has_context_dependent_function):
        return None
    version = next(entry.version for entry in model.opset_import
                   if entry.domain in ("", "ai.onnx"))
    try:
        if version < schema.since_version:
            model = need("onnx.version_converter").convert_version(model, schema.since_version)
        # Bodies that depend on types need those of all operands.
        typed = onnx.shape_inference.infer_shapes(model, data_prop=True)
        for tensor in typed.graph.initializer:
            typed.graph.value_info.append(onnx.helper.make_tensor_value_info(
                tensor.name, tensor.data_type, list(tensor.dims)))
        inliner = need("onnx.inliner")
        result = inliner.inline_selected_functions(typed, [("", name)], False, True)
    except Exception:
        return None
    left = any(node.op_type == name and not node.domain for node in result.graph.node)
    return None if left else result


def _weights_to_inputs(onnx: Any, model: Any) -> int:
    """Makes large initializers inputs, behind those that the model has. Returns how many."""
    graph = model.graph
    given = {value.name for value in graph.input}
    floats = {onnx.TensorProto.FLOAT, onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT16,
              onnx.TensorProto.BFLOAT16}
    kept, moved = [], 0
    for tensor in graph.initializer:
        elements = 1
        for size in tensor.dims:
            elements *= size
        external = tensor.data_location == onnx.TensorProto.EXTERNAL
        if external or (tensor.data_type in floats and elements >= LEAST_ELEMENTS):
            if tensor.name not in given:
                graph.input.append(onnx.helper.make_tensor_value_info(
                    tensor.name, tensor.data_type, list(tensor.dims)))
                moved += 1
        else:
            kept.append(tensor)
    del graph.initializer[:]
    graph.initializer.extend(kept)
    # An initializer that is an input as well has its value by default.
    defaults = {tensor.name for tensor in kept}
    inputs = [value for value in graph.input if value.name not in defaults]
    del graph.input[:]
    graph.input.extend(inputs)
    return moved


def _argument(value: Any, is_weight: bool) -> Argument:
    sizes: List[Optional[FreeSize]] = []
    for number, dimension in enumerate(value.type.tensor_type.shape.dim):
        if dimension.HasField("dim_value"):
            sizes.append(None)
        else:
            sizes.append(FreeSize(dimension.dim_param or f"{value.name}_{number}"))
    return Argument(value.name, is_weight, tuple(sizes))
