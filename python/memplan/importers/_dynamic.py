# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of StableHLO on free sizes, as JAX exports them.

The compiler lowers most of them for constant sizes only. Each becomes a linalg.generic, or
an op on slices and shapes of tensors, and its sizes become arithmetic on the extents of the
function's arguments, so that they are known when the function is entered.

JAX decides at export which dimensions a broadcast expands: those of one element. This does
not hold for StableHLO of other origin.
"""
from __future__ import annotations

import re
from typing import Any, Callable, Collection, Dict, List, Optional, Sequence

from ._foreign import Builder, walk
from ._unsigned import MARK, OTHER


class _Dynamic(Builder):
    def __init__(self, op: Any) -> None:
        super().__init__(op)
        from iree.compiler.dialects import linalg
        self.linalg = linalg
        self.free = self.ir.ShapedType.get_dynamic_size()

    def type_of(self, value: Any) -> Any:
        return self.ir.RankedTensorType(value.type)

    def shape_of(self, value: Any) -> List[Optional[int]]:
        """The constant sizes, None where they are free."""
        shaped = self.type_of(value)
        return [None if shaped.is_dynamic_dim(n) else shaped.get_dim_size(n)
                for n in range(shaped.rank)]

    def numbers(self, name: str) -> List[int]:
        return list(self.ir.DenseI64ArrayAttr(self.op.attributes[name]))

    # Sizes and indices: elements of small tensors of integers, as index values.

    def element(self, value: Any, number: int) -> Any:
        """An element of a tensor of rank 0 or 1; computed anew from the op that made it."""
        op = getattr(value.owner, "operation", value.owner)
        name = getattr(op, "name", "")
        known = {"stablehlo.add": self.arith.AddIOp, "stablehlo.subtract": self.arith.SubIOp,
                 "stablehlo.multiply": self.arith.MulIOp, "stablehlo.divide": self.arith.DivSIOp,
                 "stablehlo.remainder": self.arith.RemSIOp,
                 "stablehlo.maximum": self.arith.MaxSIOp,
                 "stablehlo.minimum": self.arith.MinSIOp}
        if name in known:
            return known[name](*(self.element(v, number) for v in op.operands)).result
        if name == "stablehlo.constant":
            held = self.ir.DenseIntElementsAttr(op.attributes["value"])
            return self.constant(held.get_splat_value().value if held.is_splat else held[number])
        if name == "stablehlo.get_dimension_size":
            dimension = self.ir.IntegerAttr(op.attributes["dimension"]).value
            return self.sizes(op.operands[0])[dimension]
        if name in ("stablehlo.convert", "stablehlo.reshape"):
            return self.element(op.operands[0], number)
        if name == "stablehlo.clamp":
            least, middle, greatest = op.operands
            return self.clamp(self.element(middle, number), self.element(greatest, number),
                              self.element(least, number))
        if name == "stablehlo.concatenate":
            for operand in op.operands:
                count = self.type_of(operand).get_dim_size(0)
                if number < count:
                    return self.element(operand, number)
                number -= count
        indices = [self.constant(number)] if self.type_of(value).rank else []
        return self.as_index(self.extract(value, indices))

    def elements(self, value: Any) -> List[Any]:
        return [self.element(value, n) for n in range(self.type_of(value).get_dim_size(0))]

    def clamp(self, value: Any, greatest: Any, least: Any = None) -> Any:
        least = self.constant(0) if least is None else least
        return self.arith.MaxSIOp(self.arith.MinSIOp(value, greatest).result, least).result

    # Ops on tensors.

    def empty(self, sizes: Sequence[Any], like: Any) -> Any:
        """A tensor of that type, with the free ones among the sizes."""
        shape = self.shape_of(like)
        mixed = [size if known is None else known for size, known in zip(sizes, shape)]
        return self.tensor.EmptyOp(mixed, self.type_of(like).element_type).result

    def generic(self, inputs: Sequence[Any], out: Any, maps: Sequence[Any],
                reductions: int, body: Callable[[List[Any]], Any]) -> Any:
        ir = self.ir
        kinds = ["parallel"] * (maps[-1].n_dims - reductions) + ["reduction"] * reductions
        op = self.linalg.GenericOp(
            [out.type], list(inputs), [out],
            ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps]),
            ir.ArrayAttr.get([ir.Attribute.parse(f"#linalg.iterator_type<{k}>") for k in kinds]))
        types = [self.type_of(v).element_type for v in (*inputs, out)]
        block = op.regions[0].blocks.append(*types)
        with ir.InsertionPoint(block):
            self.linalg.YieldOp([body(list(block.arguments))])
        return op.results[0]

    def filled(self, value: Any, sizes: Sequence[Any], like: Any) -> Any:
        """A tensor all of whose elements are the scalar."""
        out = self.empty(sizes, like)
        rank = self.type_of(out).rank
        maps = [self.ir.AffineMap.get_identity(rank)]
        return self.generic([], out, maps, 0, lambda _: value)

    def slice(self, value: Any, offsets: Sequence[Any], sizes: Sequence[Any], like: Any,
              strides: Optional[Sequence[Any]] = None) -> Any:
        shape = self.shape_of(like)
        rank = len(shape)
        given = [size for size, known in zip(sizes, shape) if known is None]
        return self.tensor.ExtractSliceOp(
            like.type, value, list(offsets), given, list(strides or []), [self.free] * rank,
            [self.free if known is None else known for known in shape],
            [self.free if strides else 1] * rank).result

    def index(self, dimension: int) -> Any:
        return self.linalg.IndexOp(dimension).result

    def zero(self, element: Any) -> Any:
        make = self.ir.IntegerAttr if isinstance(element, self.ir.IntegerType) else self.ir.FloatAttr
        return make.get(element, 0)

    def combine(self, name: str, a: Any, b: Any) -> Any:
        """Two scalars joined as an op of StableHLO does; None if that is not known here."""
        arith, ir = self.arith, self.ir
        real = {"add": arith.AddFOp, "multiply": arith.MulFOp, "maximum": arith.MaximumFOp,
                "minimum": arith.MinimumFOp}
        whole = {"add": arith.AddIOp, "multiply": arith.MulIOp, "maximum": arith.MaxSIOp,
                 "minimum": arith.MinSIOp, "and": arith.AndIOp, "or": arith.OrIOp}
        # Truth values.
        logical = {"add": arith.OrIOp, "multiply": arith.AndIOp, "maximum": arith.OrIOp,
                   "minimum": arith.AndIOp, "and": arith.AndIOp, "or": arith.OrIOp}
        known = real if not isinstance(a.type, ir.IntegerType) else \
            logical if a.type.width == 1 else whole
        made = known.get(name.split(".")[-1])
        return made(a, b).result if made else None


def _broadcast(b: _Dynamic) -> Any:
    source, shape = b.op.operands
    result = b.op.results[0]
    dimensions = b.numbers("broadcast_dimensions")
    rank = b.type_of(result).rank
    known = b.shape_of(result)
    places = [b.ir.AffineConstantExpr.get(0) if size == 1 and known[dimension] != 1
              else b.ir.AffineDimExpr.get(dimension)
              for dimension, size in zip(dimensions, b.shape_of(source))]
    maps = [b.ir.AffineMap.get(rank, 0, places), b.ir.AffineMap.get_identity(rank)]
    out = b.empty(b.elements(shape), result)
    return b.generic([source], out, maps, 0, lambda values: values[0])


def _iota(b: _Dynamic) -> Any:
    result = b.op.results[0]
    dimension = b.attribute("iota_dimension")
    element = b.type_of(result).element_type
    out = b.empty(b.elements(b.op.operands[0]), result)

    def body(_: List[Any]) -> Any:
        number = b.index(dimension)
        if isinstance(element, b.ir.IntegerType):
            return b.arith.IndexCastOp(element, number).result
        wide = b.arith.IndexCastOp(b.ir.IntegerType.get_signless(64), number).result
        return b.arith.SIToFPOp(element, wide).result

    return b.generic([], out, [b.ir.AffineMap.get_identity(b.type_of(out).rank)], 0, body)


def _groups(shape: Sequence[Optional[int]]) -> List[List[int]]:
    """The dimensions by the one of them that is not 1."""
    groups: List[List[int]] = []
    leading: List[int] = []
    for number, size in enumerate(shape):
        if size != 1:
            groups.append(leading + [number])
            leading = []
        elif groups:
            groups[-1].append(number)
        else:
            leading.append(number)
    return groups


def _reassociation(b: _Dynamic, shape: Sequence[Optional[int]]) -> Any:
    i64 = b.ir.IntegerType.get_signless(64)
    return b.ir.ArrayAttr.get([b.ir.ArrayAttr.get([b.ir.IntegerAttr.get(i64, n) for n in group])
                               for group in _groups(shape)])


def _reshape(b: _Dynamic) -> Any:
    source, *shape = b.op.operands
    result = b.op.results[0]
    old, new = b.shape_of(source), b.shape_of(result)
    plain = [size for size in old if size != 1]
    # With one free size, the others in order, only dimensions of one element come and go.
    is_simple = plain == [size for size in new if size != 1] and plain.count(None) == 1
    if is_simple:
        free = b.sizes(source)[old.index(None)]
        if len(plain) != len(old):
            kept = [b.free if size is None else size for size in plain]
            source = b.tensor.CollapseShapeOp(
                b.ir.RankedTensorType.get(kept, b.type_of(source).element_type), source,
                _reassociation(b, old)).result
        if len(plain) != len(new):
            source = b.tensor.ExpandShapeOp(
                result.type, source, _reassociation(b, new), [free],
                [b.free if size is None else size for size in new]).result
        return source
    if not shape:
        return None
    sizes = b.elements(shape[0])
    sizes_type = b.ir.RankedTensorType.get([len(sizes)], b.index_type)
    return b.tensor.ReshapeOp(result.type, source,
                              b.tensor.FromElementsOp(sizes_type, sizes).result).result


def _starts(b: _Dynamic, starts: Sequence[Any], sizes: Sequence[Any], whole: Any) -> List[Any]:
    return [b.clamp(b.element(start, 0), b.arith.SubIOp(extent, size).result)
            for start, size, extent in zip(starts, sizes, b.sizes(whole))]


def _update_slice(b: _Dynamic) -> Any:
    whole, part, *starts = b.op.operands
    sizes, shape = b.sizes(part), b.shape_of(part)
    rank = len(shape)
    given = [size for size, known in zip(sizes, shape) if known is None]
    return b.tensor.InsertSliceOp(
        part, whole, _starts(b, starts, sizes, whole), given, [], [b.free] * rank,
        [b.free if known is None else known for known in shape], [1] * rank).result


def _slice(b: _Dynamic) -> Any:
    source, *starts = b.op.operands
    sizes = [b.constant(size) for size in b.numbers("slice_sizes")]
    return b.slice(source, _starts(b, starts, sizes, source), sizes, b.op.results[0])


def _real_slice(b: _Dynamic) -> Any:
    source, first, last, step = b.op.operands
    offsets, limits, strides = (b.elements(v) for v in (first, last, step))
    sizes = [b.arith.CeilDivSIOp(b.arith.SubIOp(limit, offset).result, stride).result
             for offset, limit, stride in zip(offsets, limits, strides)]
    return b.slice(source, offsets, sizes, b.op.results[0], strides)


def _text_lists(b: _Dynamic, name: str) -> Dict[str, List[int]]:
    """The fields of an attribute of StableHLO, which has no bindings here."""
    text = str(b.op.attributes[name])
    found = {key: [int(word) for word in words.replace(" ", "").split(",") if word]
             for key, words in re.findall(r"(\w+) = \[([^\]]*)\]", text)}
    found.update((key, [int(word)]) for key, word in re.findall(r"(\w+) = (\d+)", text))
    return found


def _gather(b: _Dynamic) -> Any:
    """Each element is read at the place that its index vector names, moved so that the
    slice is inside."""
    source, indices = b.op.operands[:2]
    result = b.op.results[0]
    if b.op.name == "stablehlo.dynamic_gather":
        slice_sizes = b.elements(b.op.operands[2])
    else:
        slice_sizes = [b.constant(size) for size in b.numbers("slice_sizes")]
    numbers = _text_lists(b, "dimension_numbers")
    offset_dims = numbers.get("offset_dims", [])
    dropped = numbers.get("collapsed_slice_dims", []) + numbers.get("operand_batching_dims", [])
    start_map = numbers.get("start_index_map", [])
    vector_dim = numbers.get("index_vector_dim", [0])[0]
    rank = b.type_of(result).rank
    batch_dims = [d for d in range(rank) if d not in offset_dims]
    kept = [d for d in range(b.type_of(source).rank) if d not in dropped]
    index_rank = b.type_of(indices).rank
    index_sizes = b.sizes(indices)
    source_sizes = b.sizes(source)
    limits = {d: b.arith.SubIOp(source_sizes[d], slice_sizes[d]).result for d in start_map}
    # The extents of the result: of the slice, or of the indices.
    of_batch = [size for d, size in enumerate(index_sizes) if d != vector_dim]
    extents = [slice_sizes[kept[offset_dims.index(d)]] if d in offset_dims
               else of_batch[batch_dims.index(d)] for d in range(rank)]
    pairs = zip(numbers.get("operand_batching_dims", []),
                numbers.get("start_indices_batching_dims", []))
    batching = {d: i - (1 if i > vector_dim else 0) for d, i in pairs}

    def body(_: List[Any]) -> Any:
        place = [b.constant(0)] * b.type_of(source).rank
        for d, number in batching.items():
            place[d] = b.index(batch_dims[number])
        vector = [b.index(d) for d in batch_dims]
        for number, d in enumerate(start_map):
            at = list(vector)
            if vector_dim < index_rank:
                at.insert(vector_dim, b.constant(number))
            place[d] = b.clamp(b.as_index(b.extract(indices, at)), limits[d])
        for number, d in enumerate(offset_dims):
            place[kept[number]] = b.add(place[kept[number]], b.index(d))
        return b.extract(source, place)

    out = b.empty(extents, result)
    return b.generic([], out, [b.ir.AffineMap.get_identity(rank)], 0, body)


def _widened(b: _Dynamic, value: Any, to: Any) -> Any:
    if value.type == to:
        return value
    arith = b.arith
    if not isinstance(value.type, b.ir.IntegerType):
        return arith.ExtFOp(to, value).result
    is_truth = value.type.width == 1
    if isinstance(to, b.ir.IntegerType):
        return (arith.ExtUIOp if is_truth else arith.ExtSIOp)(to, value).result
    return (arith.UIToFPOp if is_truth else arith.SIToFPOp)(to, value).result


def _dot(b: _Dynamic) -> Any:
    left, right = b.op.operands
    result = b.op.results[0]
    numbers = _text_lists(b, "dot_dimension_numbers")
    batch = list(zip(numbers.get("lhs_batching_dimensions", []),
                     numbers.get("rhs_batching_dimensions", [])))
    summed = list(zip(numbers.get("lhs_contracting_dimensions", []),
                      numbers.get("rhs_contracting_dimensions", [])))
    ranks = b.type_of(left).rank, b.type_of(right).rank
    free = [[d for d in range(rank) if d not in [pair[side] for pair in batch + summed]]
            for side, rank in enumerate(ranks)]
    # Dimensions of the loops: batch, of the left, of the right, summed.
    loops: List[Dict[int, int]] = [{}, {}]
    sizes = [b.sizes(left), b.sizes(right)]
    extents: List[Any] = []
    for pair in batch:
        for side in (0, 1):
            loops[side][pair[side]] = len(extents)
        extents.append(sizes[0][pair[0]])
    for side in (0, 1):
        for d in free[side]:
            loops[side][d] = len(extents)
            extents.append(sizes[side][d])
    count = len(extents)
    for number, pair in enumerate(summed):
        for side in (0, 1):
            loops[side][pair[side]] = count + number
    total = count + len(summed)
    dim = b.ir.AffineDimExpr.get
    maps = [b.ir.AffineMap.get(total, 0, [dim(loops[side][d]) for d in range(ranks[side])])
            for side in (0, 1)]
    maps.append(b.ir.AffineMap.get(total, 0, [dim(d) for d in range(count)]))
    element = b.type_of(result).element_type

    def body(values: List[Any]) -> Any:
        product = b.combine("multiply", *(_widened(b, v, element) for v in values[:2]))
        return b.combine("add", values[2], product)

    zero = b.arith.ConstantOp(element, b.zero(element)).result
    return b.generic([left, right], b.filled(zero, extents, result), maps, len(summed), body)


def _reduce_window(b: _Dynamic) -> Any:
    """Pools. The windows are the reduced loops, whose extents an operand without a use
    has."""
    if len(b.op.operands) != 2 or "base_dilations" in b.op.attributes:
        return None
    source, initial = b.op.operands
    result = b.op.results[0]
    rank = b.type_of(source).rank
    window = b.numbers("window_dimensions")
    strides, dilations = (b.numbers(name) if name in b.op.attributes else [1] * rank
                          for name in ("window_strides", "window_dilations"))
    operations = list(b.op.regions[0].blocks[0].operations)
    if len(operations) != 2:
        return None
    first = b.extract(initial, [])
    source_sizes = b.sizes(source)
    padding = [0] * (2 * rank)
    if "padding" in b.op.attributes:
        held = b.ir.DenseIntElementsAttr(b.op.attributes["padding"])
        padding = [held.get_splat_value().value if held.is_splat else held[n]
                   for n in range(2 * rank)]
    if any(padding):
        low, high = padding[0::2], padding[1::2]
        shape = [b.free if size is None else size + low[n] + high[n]
                 for n, size in enumerate(b.shape_of(source))]
        pad = b.tensor.PadOp(b.ir.RankedTensorType.get(shape, b.type_of(source).element_type),
                             source, [], [], low, high)
        with b.ir.InsertionPoint(pad.regions[0].blocks.append(*[b.index_type] * rank)):
            b.tensor.YieldOp(first)
        source = pad.result
        source_sizes = b.sizes(source)
    extents: List[Any] = []
    for n in range(rank):
        covered = (window[n] - 1) * dilations[n]
        room = b.arith.SubIOp(source_sizes[n], b.constant(covered)).result
        extents.append(b.arith.CeilDivSIOp(room, b.constant(strides[n])).result)
    expr = [b.ir.AffineDimExpr.get(n) * strides[n] + b.ir.AffineDimExpr.get(rank + n) * dilations[n]
            for n in range(rank)]
    dims = [b.ir.AffineDimExpr.get(n) for n in range(2 * rank)]
    maps = [b.ir.AffineMap.get(2 * rank, 0, part) for part in (expr, dims[rank:], dims[:rank])]
    sizes = b.tensor.EmptyOp(window, b.type_of(source).element_type).result
    name = operations[0].operation.name
    return b.generic([source, sizes], b.filled(first, extents, result), maps, rank,
                     lambda values: b.combine(name, values[2], values[0]))


def _unsigned(b: _Dynamic) -> Any:
    """An op on unsigned integers, of which only its mark tells."""
    if MARK not in b.op.attributes:
        return None
    arith, ir = b.arith, b.ir
    name, result = b.op.name[len("stablehlo."):], b.op.results[0]
    element = b.type_of(result).element_type
    known = {"maximum": arith.MaxUIOp, "minimum": arith.MinUIOp}
    predicates = {"EQ": 0, "NE": 1, "LT": 6, "LE": 7, "GT": 8, "GE": 9}

    def body(values: List[Any]) -> Any:
        if name == "compare":
            direction = str(b.op.attributes["comparison_direction"])
            return b.compare(predicates[direction.rstrip(">").split()[-1]], *values[:2])
        if name in known:
            return known[name](*values[:2]).result
        if name != "convert":
            zero, one, most = (arith.ConstantOp(element, n).result for n in (0, 1, -1))
            is_zero = b.compare(0, values[1], zero)
            divisor = arith.SelectOp(is_zero, one, values[1]).result
            if name == "divide":
                return arith.SelectOp(is_zero, most, arith.DivUIOp(values[0], divisor).result).result
            return arith.SelectOp(is_zero, values[0], arith.RemUIOp(values[0], divisor).result).result
        if not isinstance(element, ir.IntegerType):
            return arith.UIToFPOp(element, values[0]).result
        if not isinstance(values[0].type, ir.IntegerType):
            return arith.FPToUIOp(element, values[0]).result
        return arith.ExtUIOp(element, values[0]).result

    maps = [ir.AffineMap.get_identity(b.type_of(result).rank)] * (len(b.op.operands) + 1)
    out = b.empty(b.sizes(b.op.operands[0]), result)
    return b.generic(b.op.operands, out, maps, 0, body)


_LOWERINGS = {
    **{f"stablehlo.{name}": _unsigned for name in OTHER},
    "stablehlo.dynamic_broadcast_in_dim": _broadcast, "stablehlo.dynamic_iota": _iota,
    "stablehlo.dynamic_reshape": _reshape, "stablehlo.reshape": _reshape,
    "stablehlo.dynamic_update_slice": _update_slice, "stablehlo.dynamic_slice": _slice,
    "stablehlo.real_dynamic_slice": _real_slice, "stablehlo.gather": _gather,
    "stablehlo.dynamic_gather": _gather, "stablehlo.dot_general": _dot,
    "stablehlo.reduce_window": _reduce_window}


def _lower(module: Any, names: Collection[str]) -> None:
    from iree.compiler import ir
    def is_free(value: Any) -> bool:
        return not ir.RankedTensorType(value.type).has_static_shape

    found = [op for op in walk(module) if op.name in names]
    with module.context:
        for op in found:
            if MARK not in op.attributes and not any(map(is_free, (*op.operands, *op.results))):
                continue
            with op.location, ir.InsertionPoint(op):
                result = _LOWERINGS[op.name](_Dynamic(op))
            if result is None:
                continue
            op.results[0].replace_all_uses_with(result)
            op.erase()


def lower_all(module: Any) -> None:
    """Replaces the ops on free sizes that are known here. Calls are inlined before."""
    _lower(module, _LOWERINGS)


def keep_gathers_inside(module: Any) -> None:
    """Clamps the indices of gathers of any origin, so that each slice is inside; the compiler's
    own lowering reads where they say."""
    from iree.compiler import ir
    _lower(module, ["stablehlo.gather"])
    found = [op for op in walk(module) if op.name == "stablehlo.gather"]
    with module.context:
        for op in found:
            with op.location, ir.InsertionPoint(op):
                b = _Dynamic(op)
                numbers = _text_lists(b, "dimension_numbers")
                indices = op.operands[1]
                element = ir.IntegerType(b.type_of(indices).element_type)
                most = 2 ** (element.width - (0 if element.is_unsigned else 1)) - 1
                shape = b.shape_of(op.operands[0])
                sizes = b.numbers("slice_sizes")
                limits = [min(most, int(shape[d] or 0) - sizes[d]) for d in numbers.get("start_index_map", [])]
                if not limits:
                    continue
                rank = b.type_of(indices).rank
                vector_dim = numbers.get("index_vector_dim", [0])[0]

                def made(name: str, kind: Any, operands: Sequence[Any], **attributes: Any) -> Any:
                    return ir.Operation.create(
                        f"stablehlo.{name}", [kind], list(operands), attributes).result

                scalar = ir.RankedTensorType.get([], element)
                least = made("constant", scalar, [],
                             value=ir.Attribute.parse(f"dense<0> : {scalar}"))
                if len(set(limits)) == 1:
                    greatest = made("constant", scalar, [],
                                    value=ir.Attribute.parse(f"dense<{limits[0]}> : {scalar}"))
                else:
                    vector = ir.RankedTensorType.get([len(limits)], element)
                    greatest = made(
                        "broadcast_in_dim", indices.type,
                        [made("constant", vector, [],
                              value=ir.Attribute.parse(f"dense<{limits}> : {vector}"))],
                        broadcast_dimensions=ir.DenseI64ArrayAttr.get([vector_dim]))
                    least = made("broadcast_in_dim", indices.type, [least],
                                 broadcast_dimensions=ir.DenseI64ArrayAttr.get([]))
                op.operands[1] = made("clamp", indices.type, [least, indices, greatest])
