# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch: exported programs through the FX importer of iree-base-compiler."""
from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from ._model import LEAST_ELEMENTS, Argument, FreeSize, Imported, ImportFailure, InputSpec
from ._tools import finish, lower, need

#: torch-scalarize-shapes must run: without it a view of two free sizes becomes a cast to
#: a wrong shape, and the program writes out of bounds.
_PIPELINE = ("builtin.module(func.func(torch-match-quantized-custom-ops),"
             "torchdynamo-export-to-torch-backend-pipeline,"
             "func.func(torch-scalarize-shapes),"
             "torch-backend-to-linalg-on-tensors-backend-pipeline)")
#: Decompositions that the compiler's own lowering does better.
_KEPT = ("roll", "one_hot", "empty_like", "all", "isfinite")
#: Decompositions beside the default ones; names of overload packets.
_ADDED = ("squeeze", "_native_batch_norm_legit", "_native_batch_norm_legit_no_training",
          "_native_batch_norm_legit_functional", "_adaptive_avg_pool2d", "addmm",
          "upsample_bilinear2d", "upsample_bicubic2d")


def from_file(path: str, entry: str) -> Imported:
    torch = need("torch")
    try:
        program = torch.export.load(path)
    except Exception as error:
        raise ImportFailure(f"{path} is not an exported program: {_line(error)}") from None
    return from_exported(program, entry, path)


def from_object(path: str, value: Any, arguments: Optional[Sequence[Any]], shapes: Any,
                specs: Sequence[InputSpec], entry: str) -> Imported:
    torch = need("torch")
    if isinstance(value, torch.export.ExportedProgram):
        return from_exported(value, entry, path)
    if not isinstance(value, torch.nn.Module):
        raise ImportFailure(f"{path} is a {type(value).__name__}; expected is a torch.nn.Module "
                            "or a torch.export.ExportedProgram")
    if arguments is None:
        if not specs:
            raise ImportFailure(f"{path} is a module without example arguments: give its inputs, "
                                "such as --input 'f32[B, 3, 224, 224]'")
        arguments, shapes = _examples(torch, value, specs)
    program = _export(torch, path, value.eval(), arguments, shapes)
    return from_exported(program, entry, path, _dim_names(torch, arguments, shapes))


def _export(torch: Any, path: str, module: Any, arguments: Sequence[Any], shapes: Any) -> Any:
    failure = None
    # The strict mode knows equal sizes as such, where the other one makes a guard that it
    # cannot prove; it takes fewer modules, and longer.
    for strict in (False, True) if shapes else (False,):
        try:
            with torch.no_grad():
                return torch.export.export(module, tuple(arguments), dynamic_shapes=shapes,
                                           strict=strict)
        except Exception as error:
            failure = failure or error
    raise ImportFailure(f"{path} cannot be exported: {_line(failure)}") from None


def _line(error: Optional[BaseException]) -> str:
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    return " ".join(lines[:3])[:500] if lines else type(error).__name__


def _dim_names(torch: Any, arguments: Any, shapes: Any) -> List[Dict[int, str]]:
    """The names that the caller gave to free sizes, by tensor in the order of the export,
    which keeps no names."""
    if isinstance(arguments, torch.Tensor):
        pairs = shapes.items() if isinstance(shapes, dict) else enumerate(shapes or ())
        return [{number: size.__name__ for number, size in pairs if hasattr(size, "__name__")}]
    if not isinstance(arguments, (tuple, list, dict)):
        return [{}]
    keys = list(arguments) if isinstance(arguments, dict) else range(len(arguments))
    found: List[Dict[int, str]] = []
    for key in keys:
        try:
            inner = shapes[key]
        except (TypeError, LookupError):  # shapes by the names of parameters, or none
            inner = None
        found += _dim_names(torch, arguments[key], inner)
    return found


def _examples(torch: Any, module: Any, specs: Sequence[InputSpec]) -> Tuple[List[Any], Any]:
    dtypes = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16,
              "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32,
              "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool}
    parameter = next(iter(module.parameters()), None)
    device = parameter.device if parameter is not None else torch.device("cpu")
    examples: Dict[str, int] = {}
    arguments, shapes, dims = [], [], {}
    for spec in specs:
        arguments.append(torch.zeros(spec.example_sizes(examples), dtype=dtypes[spec.dtype],
                                     device=device))
        free = {}
        for number, size in enumerate(spec.sizes):
            if not isinstance(size, FreeSize):
                continue
            if size.name not in dims:
                dims[size.name] = torch.export.Dim(size.name, min=max(size.least, 1),
                                                   max=size.greatest)
            free[number] = dims[size.name]
        shapes.append(free or None)
    return arguments, tuple(shapes) if any(shapes) else None


def _decompositions(torch: Any) -> Any:
    from torch._decomp import get_decompositions
    aten = torch.ops.aten
    table = torch.export.default_decompositions()
    for op in list(table):
        if op.namespace == "aten" and op._schema.name.split("::")[1] in _KEPT:
            del table[op]
    added = []
    for name in _ADDED:
        packet = getattr(aten, name, None)
        if packet is not None:
            added.append(packet.dims if name == "squeeze" else packet)
    table.update(get_decompositions(added))
    return table


def from_exported(program: Any, entry: str, what: str = "the exported program",
                  names: Sequence[Dict[int, str]] = ()) -> Imported:
    """Imports a torch.export.ExportedProgram. Weights and buffers are leading
    arguments, and what the program writes into buffers and arguments are results."""
    torch = need("torch")
    fx = need("iree.compiler.extras.fx_importer", "torch")
    from torch.export.graph_signature import InputKind, OutputKind
    # Decompositions change strides, after which a view may not be one.
    views = [node for node in program.graph.nodes if node.target is torch.ops.aten.view.default]
    for node in views:
        node.target = torch.ops.aten.reshape.default
    try:
        with torch.no_grad():
            program = program.run_decompositions(_decompositions(torch))
    except Exception as error:
        raise ImportFailure(f"{what} cannot be decomposed: {_line(error)}") from None
    finally:
        for node in views:
            node.target = torch.ops.aten.view.default
    inputs = program.graph_signature.input_specs
    is_weight = [_is_weight(program, spec) for spec in inputs]
    results = [spec.target or getattr(spec.arg, "name", "")
               for spec in program.graph_signature.output_specs]
    mutations = (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION)
    written = {spec.target for spec in program.graph_signature.output_specs
               if spec.kind in mutations}
    arguments = _arguments(program, is_weight, written, names)
    for spec, weight in zip(inputs, is_weight):
        if weight:
            spec.kind = InputKind.USER_INPUT
    for spec in program.graph_signature.output_specs:
        if spec.kind in mutations:
            spec.kind = OutputKind.USER_OUTPUT
    _name_nodes(program.graph)
    _tensors_first(torch, program.graph)
    _check_views(torch, program.graph, what)
    importer = fx.FxImporter()
    try:
        importer.import_program(program, func_name=entry)
    except Exception as error:
        raise ImportFailure(f"{what} cannot be imported: {_line(error)}") from None
    module = importer.module
    if any(node.meta.get("val") is not None and "meta" in str(getattr(node.meta["val"], "device", ""))
           for node in program.graph.nodes):
        module = _on_cpu(module)
    lower(module, _PIPELINE, what)
    return finish(module, entry, arguments, results)


def _is_weight(program: Any, spec: Any) -> bool:
    """Parameters, buffers, and other tensors of floats that are not small: integers stay
    in the program, because shapes are computed from them."""
    from torch.export.graph_signature import InputKind
    if spec.kind is InputKind.CONSTANT_TENSOR:
        value = program.constants.get(spec.target)
        return value is not None and value.is_floating_point() and \
            value.numel() >= LEAST_ELEMENTS
    return spec.kind in (InputKind.PARAMETER, InputKind.BUFFER)


def _on_cpu(module: Any) -> Any:
    """The program of a model on the meta device, whose constants name this device."""
    ir = need("iree.compiler.ir")
    text = module.operation.get_asm(enable_debug_info=True)
    text = text.replace('torch.constant.device "meta"', 'torch.constant.device "cpu"')
    with module.context:
        return ir.Module.parse(text)


def _arguments(program: Any, is_weight: Sequence[bool], written: Set[Optional[str]],
               names: Sequence[Dict[int, str]]) -> List[Argument]:
    import sympy
    from torch.export.graph_signature import InputKind
    by_symbol = {}
    arguments = []
    given = iter(names)
    placeholders = [node for node in program.graph.nodes if node.op == "placeholder"]
    for node, weight, spec in zip(placeholders, is_weight, program.graph_signature.input_specs):
        if spec.kind is InputKind.CONSTANT_TENSOR and not weight:
            continue
        value = node.meta.get("val")
        sizes: List[Optional[FreeSize]] = []
        named: Dict[int, str] = {} if weight else next(given, {})
        for number, size in enumerate(getattr(value, "shape", ())):
            expression = getattr(getattr(size, "node", None), "expr", None)
            if not isinstance(expression, sympy.Symbol):
                sizes.append(None)
                continue
            if expression not in by_symbol:
                by_symbol[expression] = _free_size(program, expression, size,
                                                   named.get(number, str(expression)))
            sizes.append(by_symbol[expression])
        name = spec.target if weight and spec.target else node.name
        arguments.append(Argument(name, weight, tuple(sizes), name in written))
    return arguments


def _free_size(program: Any, symbol: Any, size: Any, name: str) -> FreeSize:
    interval = program.range_constraints.get(symbol)
    least, greatest = 0, None
    if interval is not None:
        least = int(interval.lower)
        # Without a limit it is an infinity, or the greatest 64-bit number.
        if bool(interval.upper < 2**40):
            greatest = int(interval.upper)
    hint = getattr(size.node, "hint", None)
    return FreeSize(name, least, greatest, hint if isinstance(hint, int) else None)


def _tensors_first(torch: Any, graph: Any) -> None:
    """Rewrites ops of a size and a tensor, which the compiler takes in this order only
    where the op has a form of it."""
    aten = torch.ops.aten
    swapped = {aten.sub.Tensor: aten.rsub.Scalar, aten.add.Tensor: aten.add.Scalar,
               aten.mul.Tensor: aten.mul.Scalar}
    for node in graph.nodes:
        if node.target not in swapped or len(node.args) != 2 or node.kwargs:
            continue
        first, second = (arg.meta.get("val") if isinstance(arg, torch.fx.Node) else arg
                         for arg in node.args)
        if isinstance(second, torch.Tensor) and not isinstance(first, torch.Tensor):
            node.target, node.args = swapped[node.target], (node.args[1], node.args[0])


def _check_views(torch: Any, graph: Any, what: str) -> None:
    """Refuses views that the compiler gets wrong without a word: where free sizes are
    joined and dimensions of one element come or go at once, it casts a free size to 1."""
    for node in graph.nodes:
        if node.target is not torch.ops.aten.view.default:
            continue
        old = [_extent(size) for size in node.args[0].meta["val"].shape]
        new = [_extent(size) for size in node.meta["val"].shape]
        if old.count(1) == new.count(1) and (old + [0])[0] != 1 and (new + [0])[0] != 1:
            continue
        old, new = ([size for size in sizes if size != 1] for sizes in (old, new))
        for first, olds, news in _groups(old, new, node) or ():
            joined = [size for size in old[first:first + olds] if not isinstance(size, int)]
            if news == 1 and len(joined) > 1:
                place = node.meta["stack_trace"].split('"')[1]
                failure = ImportFailure(
                    f"{what} cannot be lowered to linalg: torch.aten.view at {place}: it joins free "
                    f"sizes ({', '.join(map(str, joined))}) and adds or drops dimensions of one "
                    "element, which the compiler gets wrong; einsum with a weight does this, and "
                    "matmul does not")
                failure.ops = ("torch.aten.view",)
                raise failure


def _extent(size: Any) -> Any:
    return size if isinstance(size, int) else size.node.expr


def _groups(old: Sequence[Any], new: Sequence[Any], node: Any
            ) -> Optional[List[Tuple[int, int, int]]]:
    """Which dimensions of the old shape become which of the new one, in order: the first
    old one, how many, and how many new ones. None if that is not known."""
    import sympy
    shape = [*node.args[0].meta["val"].shape, *node.meta["val"].shape]
    values: Dict[Any, Any] = {size.node.expr: getattr(size.node, "hint", None) for size in shape
                              if not isinstance(size, int)}
    if not all(isinstance(hint, int) for hint in values.values()):
        return None
    groups = []
    a = b = 0
    while a < len(old) and b < len(new):
        first, first_new = a, b
        left, right, a, b = old[a], new[b], a + 1, b + 1
        left_value, right_value = values.get(left, left), values.get(right, right)
        while sympy.expand(left - right) != 0:
            if left_value < right_value and a < len(old):
                left, left_value = left * old[a], left_value * values.get(old[a], old[a])
                a += 1
            elif left_value > right_value and b < len(new):
                right, right_value = right * new[b], right_value * values.get(new[b], new[b])
                b += 1
            else:
                return None
        groups.append((first, a - first, b - first_new))
    return groups if a == len(old) and b == len(new) else None


def _name_nodes(graph: Any) -> None:
    """Lets the importer write "layer/node" as the location of each op: it takes the file
    and line of the last frame of the node's stack trace."""
    for node in graph.nodes:
        layers = node.meta.get("nn_module_stack") or {}
        layer = ""
        for path, _ in layers.values():
            layer = path or layer
        line = 0
        trace = node.meta.get("stack_trace") or node.stack_trace or ""
        for part in trace.split("\n"):
            words = part.strip().split(", ")
            if part.strip().startswith("File ") and len(words) > 1:
                digits = words[1].replace("line ", "")
                line = int(digits) if digits.isdigit() else line
        name = f"{layer}/{node.name}" if layer else node.name
        node.meta["stack_trace"] = f'File "{name}", line {line}, in forward\n    {node.name}\n'
