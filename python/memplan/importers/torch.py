# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch: exported programs through the FX importer of iree-base-compiler."""
from __future__ import annotations

import functools
import io
import math
import operator
from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence, Tuple

from . import _unsigned
from ._child import isolated
from ._model import LEAST_ELEMENTS, Argument, FreeSize, Imported, ImportFailure, InputSpec
from ._tools import finish, keep_ops, lower, need
from ..running.models import TorchModel

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
          "upsample_bilinear2d", "upsample_bicubic2d", "grid_sampler_2d")


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
    hints = {size.name: size.hints for spec in specs for size in spec.sizes
             if isinstance(size, FreeSize)}
    return from_exported(program, entry, path, _dim_names(torch, arguments, shapes),
                         hints if specs else None)


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
    table.update(_own(torch))
    return table


def _own(torch: Any) -> Any:
    """Decompositions of what the compiler does not lower, or wrongly. Of several indices of
    free sizes the indexed dimensions are joined to one."""
    aten = torch.ops.aten

    def linear(shape: Sequence[Any], indices: Sequence[Any]) -> Any:
        """The place in a joined dimension."""
        place: Any = None
        for size, index in zip(shape, indices):
            index = torch.where(index < 0, index + size, index)
            place = index if place is None else place * size + index
        return place

    def is_known(indices: Sequence[Any]) -> bool:
        return all(isinstance(size, int) for index in indices for size in index.shape)

    def joined(indices: Sequence[Any]) -> Any:
        """The first and last indexed dimension; None if the op may stay as it is."""
        places = [n for n, index in enumerate(indices) if index is not None]
        given = [indices[n] for n in places]
        if len(places) < 2 or places[-1] - places[0] >= len(places) or is_known(given) or \
                any(index.dtype == torch.bool for index in given):
            return None
        return places[0], places[-1]

    def index(x: Any, indices: Sequence[Any]) -> Any:
        ends = joined(indices)
        if not ends:
            return NotImplemented
        first, last = ends
        place = linear(x.shape[first:last + 1], indices[first:last + 1])
        return aten.index(x.flatten(first, last), [None] * first + [place])

    def index_put(x: Any, indices: Sequence[Any], values: Any, accumulate: bool = False) -> Any:
        ends = joined(indices)
        if not ends or ends[0]:
            return NotImplemented
        last = ends[1]
        place = linear(x.shape[:last + 1], indices[:last + 1])
        window = x.shape[last + 1:]
        values = values.expand(*place.shape, *window).flatten(0, place.dim() - 1)
        result = aten.index_put(x.flatten(0, last), [place.flatten()], values, accumulate)
        return result.view(x.shape)

    def scatter(x: Any, dim: int, index: Any, source: Any) -> Any:
        if is_known([index]) and is_known([x]):
            return NotImplemented
        places = [index if n == dim % x.dim() else torch.arange(size, device=index.device).view(
            [-1 if m == n else 1 for m in range(x.dim())]) for n, size in enumerate(index.shape)]
        if isinstance(source, torch.Tensor):
            source = source[tuple(slice(size) for size in index.shape)]
        else:
            source = torch.full([], source, dtype=x.dtype, device=x.device)
        return index_put(x, places, source)

    def pad(x: Any, sizes: Sequence[Any], value: Any = 0) -> Any:
        """A negative size cuts, which the compiler writes as a slice out of bounds."""
        known = [isinstance(size, int) and size < 0 for size in sizes]
        if not any(known):
            return NotImplemented
        for number, is_cut in enumerate(known):
            if is_cut:
                dim = x.dim() - 1 - number // 2
                size = x.shape[dim]
                x = x.narrow(dim, 0, size + sizes[number]) if number % 2 else \
                    x.narrow(dim, -sizes[number], size + sizes[number])
        return aten.constant_pad_nd(x, [0 if is_cut else size
                                        for is_cut, size in zip(known, sizes)], value)

    def sort(x: Any, *, stable: Any = None, dim: int = -1, descending: bool = False) -> Any:
        return aten.sort(x, dim, descending)  # which is stable here

    def gelu(x: Any, *, approximate: str = "none") -> Any:
        """With tanh, which the compiler computes from few terms."""
        if approximate != "tanh":
            return NotImplemented
        wide = x.to(torch.float32) if x.dtype in (torch.float16, torch.bfloat16) else x
        inner = math.sqrt(2 / math.pi) * (wide + 0.044715 * wide * wide * wide)
        return (0.5 * wide * (1 + torch.tanh(inner))).to(x.dtype)

    def embedding_bag(weight: Any, indices: Any, offsets: Any, scale_grad_by_freq: bool = False,
                      mode: int = 0, sparse: bool = False, per_sample_weights: Any = None,
                      include_last_offset: bool = False, padding_idx: int = -1) -> Any:
        """With weights, which the compiler overlooks. There is a sum only."""
        if per_sample_weights is None:
            return NotImplemented
        if padding_idx >= 0:
            per_sample_weights = per_sample_weights.masked_fill(indices == padding_idx, 0)
        places = torch.arange(indices.shape[0], device=indices.device)
        bag = (offsets.unsqueeze(1) <= places.unsqueeze(0)).sum(0) - 1
        rows = weight[indices] * per_sample_weights.unsqueeze(1)
        result = aten.index_put(weight.new_zeros([offsets.shape[0], weight.shape[1]]), [bag], rows, True)
        if include_last_offset:
            result = result[:-1]
        return result, bag, torch.zeros_like(offsets), torch.zeros_like(offsets)

    def attention(query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0,
                  is_causal: bool = False, *, scale: Any = None, enable_gqa: bool = False) -> Any:
        """Scales the query alone, and keeps heads that share keys together: PyTorch's decomposition scales
        or repeats the keys as well, which are a cache in a decode step, and would be copied whole."""
        if dropout_p or query.dtype not in (torch.float32, torch.float64) or not isinstance(query.shape[-1], int):
            return NotImplemented
        shape, length = query.shape, key.shape[-2]
        if enable_gqa and query.dim() == 4 and query.shape[1] != key.shape[1]:
            query = query.reshape(shape[0], key.shape[1], shape[1] // key.shape[1] * shape[2], shape[3])
        elif enable_gqa:
            return NotImplemented
        is_safe = attn_mask is None
        scores = torch.matmul(query * (shape[-1]**-0.5 if scale is None else scale), key.transpose(-2, -1))
        if is_causal:
            attn_mask = torch.ones(shape[-2], length, dtype=torch.bool, device=query.device).tril()
        if attn_mask is not None:
            if attn_mask.dtype == torch.bool:
                attn_mask = torch.where(attn_mask, 0.0, -math.inf).to(query.dtype)
            scores = (scores.view(*shape[:-1], length) + attn_mask).view(scores.shape)
        # A row without keys is 0.
        weights = torch.softmax(scores, -1) if is_safe else aten._safe_softmax(scores, -1)
        return torch.matmul(weights, value).view(*shape[:-1], value.shape[-1])

    return {aten.constant_pad_nd.default: pad, aten.scaled_dot_product_attention.default: attention, aten.sort.stable: sort, aten.index.Tensor: index, aten.index_put.default: index_put,
            aten.scatter.src: scatter, aten.scatter.value: scatter, aten.gelu.default: gelu,
            aten._embedding_bag.default: embedding_bag,
            aten._embedding_bag_forward_only.default: embedding_bag}


def _decompose(torch: Any, program: Any, what: str) -> Any:
    """Decompositions change strides, after which a view may not be one, but a reshape."""
    aten = torch.ops.aten
    _forget_formulas(torch, program)
    views = program.graph.find_nodes(op="call_function", target=aten.view.default)
    failure = None
    try:
        for target in (aten.view.default, aten.reshape.default):
            for node in views:
                node.target = target
            try:
                with torch.no_grad():
                    return program.run_decompositions(_decompositions(torch))
            except Exception as error:
                failure = failure or error
    finally:
        for node in views:
            node.target = aten.view.default
    raise ImportFailure(f"{what} cannot be decomposed: {_line(failure)}") from None


def _forget_formulas(torch: Any, program: Any) -> None:
    """A program from a file has ranges of formulas such as 4*h among those of symbols, where
    PyTorch 2.13 expects none."""
    import sympy
    for node in program.graph.find_nodes(op="placeholder"):
        for size in getattr(node.meta.get("val"), "shape", ()):
            if isinstance(size, torch.SymInt):
                ranges = size.node.shape_env.var_to_range
                for formula in [key for key in ranges if not isinstance(key, sympy.Symbol)]:
                    del ranges[formula]
                return


def from_exported(program: Any, entry: str, what: str = "the exported program",
                  names: Sequence[Dict[int, str]] = (),
                  hints: Optional[Dict[str, Tuple[int, ...]]] = None) -> Imported:
    """Imports a torch.export.ExportedProgram. Weights and buffers are leading
    arguments, and what the program writes into buffers and arguments are results.
    `hints` are the sizes to plan for, by name; without them the sizes of the examples
    are."""
    torch = need("torch")
    fx = need("iree.compiler.extras.fx_importer", "torch")
    from torch.export.graph_signature import InputKind, OutputKind
    exported, program = program, _decompose(torch, program, what)
    inputs = program.graph_signature.input_specs
    is_weight = [_is_weight(program, spec) for spec in inputs]
    results = [spec.target or getattr(spec.arg, "name", "")
               for spec in program.graph_signature.output_specs]
    mutations = (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION)
    new_values = {spec.target: number
                  for number, spec in enumerate(program.graph_signature.output_specs)
                  if spec.kind in mutations}
    arguments = _arguments(program, is_weight, new_values, names, hints)
    held = {**program.constants, **program.state_dict}
    model = TorchModel(exported, functools.partial(_named, torch, exported, what),
                       {a.name: held[a.name] for a in arguments if a.is_weight},
                       [spec.target for spec in program.graph_signature.output_specs])
    for spec, weight in zip(inputs, is_weight):
        if weight:
            spec.kind = InputKind.USER_INPUT
    for spec in program.graph_signature.output_specs:
        if spec.kind in mutations:
            spec.kind = OutputKind.USER_OUTPUT
    _name_nodes(program.graph)
    _check_sizes(torch, program.graph, what)
    _unsigned.widen(torch, program.graph)
    _tensors_first(torch, program.graph)
    _drop_strides(torch, program.graph)
    _complete_views(torch, program.graph)
    _split_views(torch, program.graph)
    importer = fx.FxImporter()
    try:
        importer.import_program(program, func_name=entry)
    except Exception as error:
        raise ImportFailure(f"{what} cannot be imported: {_line(error)}") from None
    module = importer.module
    if any(node.meta.get("val") is not None and "meta" in str(getattr(node.meta["val"], "device", ""))
           for node in program.graph.nodes):
        module = _on_cpu(module)
    data = io.BytesIO()
    module.operation.write_bytecode(data)
    return replace(_lowered(what, data.getvalue(), entry, arguments, results), model=model)


@isolated
def _lowered(what: str, data: bytes, entry: str, arguments: Sequence[Argument],
             results: Sequence[str]) -> Imported:
    """Lowers a module of the compiler's own dialect of PyTorch."""
    ir = need("iree.compiler.ir")
    with ir.Context():
        module = ir.Module.parse(data)
    keep_ops(ir, module.body.operations[0])
    lower(module, _PIPELINE, what)
    return finish(module, entry, arguments, results)


def _named(torch: Any, exported: Any, what: str) -> Any:
    """The decomposed program, and where each node is, as the locations of the program say it."""
    program: Any = _decompose(torch, exported, what)
    _name_nodes(program.graph)
    return program, {node.name: node.meta["stack_trace"].split('"')[1] for node in program.graph.nodes}


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


def _arguments(program: Any, is_weight: Sequence[bool], new_values: Dict[Optional[str], int],
               names: Sequence[Dict[int, str]],
               hints: Optional[Dict[str, Tuple[int, ...]]]) -> List[Argument]:
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
            multiple, symbol = (expression or sympy.Integer(1)).as_coeff_Mul()
            if not isinstance(symbol, sympy.Symbol) or not multiple.is_Integer or multiple < 1:
                sizes.append(None)
                continue
            if expression not in by_symbol:
                by_symbol[expression] = _free_size(program, symbol, int(multiple), size,
                                                   named.get(number, str(expression)), hints)
            sizes.append(by_symbol[expression])
        name = spec.target if weight and spec.target else node.name
        arguments.append(Argument(name, weight, tuple(sizes), new_values.get(name)))
    return arguments


def _free_size(program: Any, symbol: Any, multiple: int, size: Any, name: str,
               hints: Optional[Dict[str, Tuple[int, ...]]]) -> FreeSize:
    interval = program.range_constraints.get(symbol)
    least, greatest = 0, None
    if interval is not None:
        least = int(interval.lower) * multiple
        # Without a limit it is an infinity, or the greatest 64-bit number.
        if bool(interval.upper < 2**40):
            greatest = int(interval.upper) * multiple
    # The examples of --input are made up, and no sizes to plan for.
    example = getattr(size.node, "hint", None)
    given = hints.get(name, ()) if hints is not None else \
        (example,) if isinstance(example, int) else ()
    return FreeSize(name, least, greatest, given, multiple)


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


def _insert(graph: Any, like: Any, function: Any, arguments: Any, value: Any) -> Any:
    """A node before `like` that has its place in the model."""
    with graph.inserting_before(like):
        made = graph.call_function(function, arguments)
    made.meta = {"val": value, "stack_trace": like.meta["stack_trace"]}
    return made


def _check_sizes(torch: Any, graph: Any, what: str) -> None:
    """Refuses results whose size depends on values, on which the compiler may not end."""
    from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
    for node in graph.nodes:
        value = node.meta.get("val")
        if node.op == "call_function" and isinstance(value, torch.Tensor) and \
                free_unbacked_symbols(value):
            place = node.meta["stack_trace"].split('"')[1]
            raise ImportFailure(f"{what} cannot be lowered to linalg: torch.{node.target} at {place}: "
                                "the size of its result depends on values")


def _drop_strides(torch: Any, graph: Any) -> None:
    """Erases as_strided where it only repeats the strides, as global pools of images with
    channels last have it: they may differ where the size is 1."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.as_strided.default):
        old, new = node.args[0].meta["val"], node.meta["val"]
        if len(old.shape) == len(new.shape) and new.storage_offset() == 0 and all(
                _extent(a) == _extent(b) and (_extent(a) == 1 or _extent(s) == _extent(t))
                for a, b, s, t in zip(old.shape, new.shape, old.stride(), new.stride())):
            _replace(graph, node, node.args[0])


def _replace(graph: Any, node: Any, by: Any) -> None:
    """Replaces a node; a result of the program keeps its name, by which its signature knows it."""
    users = [user.op for user in node.users]
    if "output" in users and (by.op != "call_function" or "output" in [u.op for u in by.users]):
        return
    node.replace_all_uses_with(by)
    graph.erase_node(node)
    if "output" in users:
        by.name = node.name


def _complete_views(torch: Any, graph: Any) -> None:
    """Gives views the size that they leave out, where it is a product of sizes of arguments:
    the compiler would write a quotient, whose value is not known to be the same."""
    import sympy
    found: Dict[Any, Tuple[Any, int]] = {}
    for node in graph.find_nodes(op="placeholder"):
        for number, size in enumerate(getattr(node.meta.get("val"), "shape", ())):
            if isinstance(_extent(size), sympy.Symbol):
                found.setdefault(_extent(size), (node, number))
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten.view.default):
        sizes = list(node.args[1])
        if -1 not in sizes:
            continue
        place = sizes.index(-1)
        extent = _extent(node.meta["val"].shape[place])
        factors = [extent] if isinstance(extent, int) else extent.as_ordered_factors()
        if not all(factor in found or isinstance(factor, (int, sympy.Integer))
                   for factor in factors):
            continue
        product: Any = 1
        value: Any = 1
        for factor in factors:
            one = number = int(factor) if factor not in found else 0
            if factor in found:
                source, dimension = found[factor]
                number = source.meta["val"].shape[dimension]
                one = _insert(graph, node, torch.ops.aten.sym_size.int, (source, dimension),
                              number)
            value = value * number
            product = one if product == 1 else _insert(graph, node, operator.mul,
                                                       (product, one), value)
        sizes[place] = product
        node.args = (node.args[0], sizes)


def _split_views(torch: Any, graph: Any) -> None:
    """Makes of a view with free sizes one for each change: where there are several, or
    dimensions of one element come or go as well, the compiler may take a free size to be 1."""
    aten = torch.ops.aten
    for node in graph.find_nodes(op="call_function", target=aten.view.default):
        source = node.args[0]
        shapes = [*source.meta["val"].shape], [*node.meta["val"].shape]
        old, new = ([_extent(size) for size in shape] for shape in shapes)
        if all(isinstance(size, int) for size in old):
            continue
        kept, made = ([n for n, size in enumerate(shape) if size != 1] for shape in (old, new))
        groups = _groups([old[n] for n in kept], [new[n] for n in made], node)
        changes = [(first, olds, news) for first, olds, news in groups or ()
                   if (olds, news) != (1, 1)]
        if not changes or len(changes) == 1 and 1 not in (*old, *new):
            continue
        # By group: the sizes before and after, as values and as arguments of a view.
        parts, position = [], 0
        for first, olds, news in groups or ():
            before = [(shapes[0][n], old[n] if isinstance(old[n], int) else _insert(
                graph, node, aten.sym_size.int, (source, n), shapes[0][n]))
                      for n in kept[first:first + olds]]
            after = [(shapes[1][n], node.args[1][n]) for n in made[position:position + news]]
            parts.append([before, before if (olds, news) == (1, 1) else after])
            position += news
        value, result = source.meta["val"], source
        for number in reversed([n for n, size in enumerate(old) if size == 1]):
            value = value.new_empty([*value.shape[:number], *value.shape[number + 1:]])
            result = _insert(graph, node, aten.squeeze.dim, (result, number), value)
        # Constant sizes first.
        for part in sorted(parts, key=lambda part: not all(isinstance(size, int)
                                                           for size, _ in part[0])):
            if part[0] is part[1]:
                continue
            part[0] = part[1]
            sizes = [size for before, _ in parts for size in before]
            value = value.new_empty([size for size, _ in sizes])
            result = _insert(graph, node, aten.view.default, (result, [arg for _, arg in sizes]),
                             value)
        for number in [n for n, size in enumerate(new) if size == 1]:
            value = value.new_empty([*value.shape[:number], 1, *value.shape[number:]])
            result = _insert(graph, node, aten.unsqueeze.default, (result, number), value)
        _replace(graph, node, result)


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
    """Lets the importer write "layer/node" and the line of the model as the location of each op:
    it takes the file and line of the last frame of the node's stack trace. The line is 0 where
    only PyTorch's own layers have one."""
    for node in graph.nodes:
        layers = node.meta.get("nn_module_stack") or {}
        layer = ""
        for path, _ in layers.values():
            layer = path or layer
        line = 0
        trace = node.meta.get("stack_trace") or node.stack_trace or ""
        for part in trace.split("\n"):
            words = part.strip().split(", ")
            if part.strip().startswith("File ") and len(words) > 1 and "/torch/nn/" not in words[0]:
                digits = words[1].replace("line ", "")
                line = int(digits) if digits.isdigit() else line
        name = f"{layer}/{node.name}" if layer else node.name
        node.meta["stack_trace"] = f'File "{name}", line {line}, in forward\n    {node.name}\n'
