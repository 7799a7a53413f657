# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX files through the ONNX importer of iree-base-compiler."""
from __future__ import annotations

from dataclasses import replace
from typing import Any, List, Optional, Sequence

from . import _bodies, _known, _pools, _recurrent, _sizes, _unsigned
from ._child import isolated, kept
from ._model import Argument, FreeSize, Imported, ImportFailure
from ._tools import finish, lower, need
from ..running.models import OnnxModel

_PIPELINE = ("builtin.module(torch-onnx-to-torch-backend-pipeline,"
             "func.func(torch-scalarize-shapes),"
             "torch-backend-to-linalg-on-tensors-backend-pipeline)")
#: Models of an older opset are converted to this one.
_OLDEST = _bodies.OLDEST


@isolated
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
    _keep_nodes(model.graph)
    given = {_bodies.place_of(node): node for node in model.graph.node}
    try:
        model = _modern(onnx, model)
    except ImportFailure:
        raise
    except Exception as error:
        raise ImportFailure(f"{path}: ONNX cannot infer its types: {str(error)[:300]}") from None
    weights = _weights_to_inputs(onnx, model)
    while True:
        try:
            return _import(onnx, model, weights, path, entry)
        except ImportFailure as failure:
            smaller = _expanded(onnx, model, failure.ops)
            if smaller is None:
                raise ImportFailure(f"{failure}{_described(onnx, given.get(failure.place))}") from None
            model = smaller


def _described(onnx: Any, node: Any) -> str:
    """The node of the file that could not be lowered, with its attributes."""
    if node is None:
        return ""
    values = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    shown = [f"{name} = {value.decode() if isinstance(value, bytes) else value}"
             for name, value in values.items() if isinstance(value, (bytes, int, float, list)) and
             len(str(value)) < 40]
    return f" (in {node.op_type}{' with ' if shown else ''}{', '.join(shown)})"


def _keep_nodes(graph: Any) -> None:
    """Erases the nodes that are not to be kept, and returns what the last ones make."""
    count = kept([f"onnx.{node.op_type} at {_bodies.place_of(node)}" for node in graph.node])
    if count == len(graph.node):
        return
    del graph.node[count:]
    read = {name for node in graph.node for name in node.input}
    del graph.output[:]
    for node in graph.node:
        for name in node.output:
            if name and name not in read:
                graph.output.add().name = name


def _import(onnx: Any, model: Any, weights: Sequence[Any], path: str, entry: str) -> Imported:
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
    arguments = [_argument(value, len(graph.input) - number <= len(weights))
                 for number, value in enumerate(graph.input)]
    lower(parsed, _PIPELINE, path, arguments)
    return replace(finish(parsed, entry, arguments, [value.name for value in graph.output]),
                   model=OnnxModel(path, weights))


def _modern(onnx: Any, model: Any) -> Any:
    """The model without functions of its own, and with ops of a version that the compiler
    knows, if ONNX can convert it."""
    if model.functions:
        model = need("onnx.inliner").inline_local_functions(model)
    _check_old_scans(onnx, model)
    _known.check(onnx, model)
    _bodies.shorten_domains(model.graph)
    version = _version(model)
    if version < _OLDEST:
        mend = _pools.old_meaning(onnx, model, version)
        try:
            model = need("onnx.version_converter").convert_version(model, _OLDEST)
            version = _OLDEST
            mend(model)
        except Exception:  # The compiler may know the ops as they are.
            pass
    model = _settled(onnx, model)
    _unsigned.widen_onnx(onnx, model.graph, onnx.shape_inference.infer_shapes(model).graph)
    _pools.rewrite(onnx, model, version)
    _recurrent.expand(onnx, model, version)
    return model


def _check_old_scans(onnx: Any, model: Any) -> None:
    """Refuses a Scan of opset 8: the converter takes it for a later one, which has no dimension for
    batches."""
    for node in _known.nodes_of(onnx, model) if _version(model) == 8 else ():
        if node.op == "onnx.Scan":
            raise ImportFailure(f"onnx.Scan at {node.place}: ONNX converts a Scan of opset 8 without its "
                                "dimension for batches; export the model with a later opset")


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


def _expanded(onnx: Any, model: Any, ops: Sequence[str]) -> Any:
    """The model with one of these kinds of ops replaced by the ops that define it in the
    standard; None if there are none."""
    for op in ops:
        version = _version(model)
        if _bodies.expand(onnx, model, version, op):
            return _settled(onnx, model)
        name = op[len("onnx."):]
        if not any(node.op_type == name and not node.domain for node in model.graph.node) or \
                not onnx.defs.has(name):
            continue
        # A later version of the op may have a body.
        latest = onnx.defs.get_schema(name).since_version
        if version >= latest:
            continue
        try:
            newer = need("onnx.version_converter").convert_version(model, latest)
        except Exception:
            continue
        if _bodies.expand(onnx, newer, latest, op):
            return _settled(onnx, newer)
    return None


def _version(model: Any) -> int:
    """The opset of the ops of no other domain."""
    return max((entry.version for entry in model.opset_import
                if entry.domain in ("", "ai.onnx")), default=_OLDEST)


def _settled(onnx: Any, model: Any) -> Any:
    """The model with bodies and sizes that are known."""
    version = _version(model)
    while version >= _OLDEST and _sizes.fold(onnx, model) or _bodies.correct(onnx, model, version):
        pass
    _check_scans(onnx, model)
    return model


def _weights_to_inputs(onnx: Any, model: Any) -> List[Any]:
    """Makes large initializers inputs, behind those that the model has, and returns them."""
    graph = model.graph
    given = {value.name for value in graph.input}
    kept, moved = [], []
    for tensor in graph.initializer:
        if _known.is_argument(onnx, tensor):
            if tensor.name not in given:
                graph.input.append(onnx.helper.make_tensor_value_info(
                    tensor.name, tensor.data_type, list(tensor.dims)))
                moved.append(onnx.TensorProto.FromString(tensor.SerializeToString()))
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
