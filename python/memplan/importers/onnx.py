# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX files through the ONNX importer of iree-base-compiler."""
from __future__ import annotations

from typing import Any, List, Optional

from ._model import Argument, FreeSize, Imported, ImportFailure
from ._tools import finish, lower, need

_PIPELINE = ("builtin.module(torch-onnx-to-torch-backend-pipeline,"
             "func.func(torch-scalarize-shapes),"
             "torch-backend-to-linalg-on-tensors-backend-pipeline)")
#: Initializers of floats of at least so many elements become arguments. Integers stay:
#: shapes are computed from them.
_LEAST_ELEMENTS = 9


def from_file(path: str, entry: str) -> Imported:
    onnx = need("onnx")
    importer = need("iree.compiler.extras.onnx_importer", "onnx")
    ir = need("iree.compiler.ir")
    try:
        # Weights in other files are not read: they are arguments.
        model = onnx.load(path, load_external_data=False)
    except Exception as error:
        raise ImportFailure(f"{path} is not an ONNX model: {str(error)[:300]}") from None
    _weights_to_inputs(onnx, model)
    try:
        # Types of intermediate values, which the importer needs.
        model = onnx.shape_inference.infer_shapes(model, data_prop=True)
    except Exception as error:
        raise ImportFailure(f"{path}: ONNX cannot infer its types: {str(error)[:300]}") from None
    context = ir.Context()
    try:
        info = importer.ModelInfo(model)
        module = info.create_module(context=context)
        module = getattr(module, "operation", module)
        importer.NodeImporter.define_function(info.main_graph, module).import_all()
    except Exception as error:
        raise ImportFailure(f"{path} cannot be imported: {str(error)[:300]}") from None
    graph = model.graph
    with context, ir.Location.unknown():
        parsed = ir.Module.parse(module.get_asm(enable_debug_info=True))
        for op in parsed.body.operations:
            if op.operation.name == "func.func":
                op.attributes["sym_name"] = ir.StringAttr.get(entry)
    lower(parsed, _PIPELINE, path)
    arguments = [_argument(value, len(graph.input) - number <= _moved(model))
                 for number, value in enumerate(graph.input)]
    return finish(parsed, entry, arguments, [value.name for value in graph.output])


def _moved(model: Any) -> int:
    for entry in model.metadata_props:
        if entry.key == "memplan.weights":
            return int(entry.value)
    return 0


def _weights_to_inputs(onnx: Any, model: Any) -> None:
    """Makes large initializers inputs, behind those that the model has."""
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
        if external or (tensor.data_type in floats and elements >= _LEAST_ELEMENTS):
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
    entry = model.metadata_props.add()
    entry.key, entry.value = "memplan.weights", str(moved)


def _argument(value: Any, is_weight: bool) -> Argument:
    sizes: List[Optional[FreeSize]] = []
    for number, dimension in enumerate(value.type.tensor_type.shape.dim):
        if dimension.HasField("dim_value"):
            sizes.append(None)
        else:
            sizes.append(FreeSize(dimension.dim_param or f"{value.name}_{number}"))
    return Argument(value.name, is_weight, tuple(sizes))
