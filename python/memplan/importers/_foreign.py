# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of the compiler's own dialects, as loops over tensors.

The compiler leaves scatter, sort, scan and topk as ops of the dialects tm_tensor and
iree_linalg_ext, which MLIR does not have. Each becomes a nest of scf.for ops that
extract and insert elements or slices, which bufferization updates in place.
util.optimization_barrier is dropped.
"""
from __future__ import annotations

from typing import Any, Callable, Iterator, List, Sequence

_DIALECTS = ("tm_tensor.", "iree_linalg_ext.")


def walk(op: Any) -> Iterator[Any]:
    """The operations inside of an op or a module, those inside of one before it. Erase and
    create none while this runs."""
    for region in op.operation.regions:
        for block in region:
            for inner in block:
                yield from walk(inner)
                yield inner.operation


class Builder:
    """Creates the ops before an op of the module."""

    def __init__(self, op: Any) -> None:
        from iree.compiler import ir
        from iree.compiler.dialects import arith, scf, tensor
        self.ir, self.arith, self.scf, self.tensor = ir, arith, scf, tensor
        self.op = op
        self.index_type = ir.IndexType.get()

    def constant(self, value: int) -> Any:
        return self.arith.ConstantOp(self.index_type, value).result

    def add(self, a: Any, b: Any) -> Any:
        return self.arith.AddIOp(a, b).result

    def as_index(self, value: Any) -> Any:
        if value.type == self.index_type:
            return value
        return self.arith.IndexCastOp(self.index_type, value).result

    def compare(self, predicate: int, a: Any, b: Any) -> Any:
        return self.arith.CmpIOp(predicate, a, b).result

    def sizes(self, value: Any) -> List[Any]:
        """The extent of each dimension, as index values."""
        shaped = self.ir.RankedTensorType(value.type)
        return [self.tensor.DimOp(value, self.constant(number)).result
                if shaped.is_dynamic_dim(number) else self.constant(shaped.get_dim_size(number))
                for number in range(shaped.rank)]

    def extract(self, value: Any, indices: Sequence[Any]) -> Any:
        return self.tensor.ExtractOp(value, list(indices)).result

    def insert(self, element: Any, value: Any, indices: Sequence[Any]) -> Any:
        return self.tensor.InsertOp(element, value, list(indices)).result

    def loop(self, count: Any, carried: Sequence[Any],
             body: Callable[[Any, List[Any]], Sequence[Any]]) -> List[Any]:
        """A loop from 0 to count; body gets the index and the carried values."""
        loop = self.scf.ForOp(self.constant(0), count, self.constant(1), list(carried))
        with self.ir.InsertionPoint(loop.body):
            results = body(loop.induction_variable, list(loop.inner_iter_args))
            self.scf.YieldOp(list(results))
        return list(loop.results)

    def nest(self, counts: Sequence[Any], carried: Sequence[Any],
             body: Callable[[List[Any], List[Any]], Sequence[Any]]) -> List[Any]:
        """Nested loops; body gets the indices, outermost first."""
        def inner(position: int, indices: List[Any], values: List[Any]) -> Sequence[Any]:
            if position == len(counts):
                return body(indices, values)
            return self.loop(counts[position], values,
                             lambda i, now: inner(position + 1, indices + [i], now))
        return list(inner(0, [], list(carried)))

    def branch(self, condition: Any, types: Sequence[Any], then: Callable[[], Sequence[Any]],
               otherwise: Callable[[], Sequence[Any]]) -> List[Any]:
        op = self.scf.IfOp(condition, list(types), has_else=True)
        for block, build in ((op.then_block, then), (op.else_block, otherwise)):
            with self.ir.InsertionPoint(block):
                self.scf.YieldOp(list(build()))
        return list(op.results)

    def inline(self, values: Sequence[Any]) -> List[Any]:
        """The op's region with the values as its arguments; returns what it yields."""
        block = self.op.regions[0].blocks[0]
        mapping = list(zip(block.arguments, values))

        def mapped(operand: Any) -> Any:
            for old, new in mapping:
                if old == operand:
                    return new
            return operand

        for inner in block.operations:
            operation = inner.operation
            if operation.name.endswith(".yield"):
                return [mapped(operand) for operand in operation.operands]
            copy = operation.clone()
            for number, operand in enumerate(operation.operands):
                copy.operands[number] = mapped(operand)
            mapping += zip(operation.results, copy.results)
        return []

    def yields_argument(self, number: int) -> bool:
        """True if the region only yields that argument."""
        operations = list(self.op.regions[0].blocks[0].operations)
        return len(operations) == 1 and \
            operations[0].operation.operands[0] == self.op.regions[0].blocks[0].arguments[number]

    def attribute(self, *names: str) -> int:
        for name in names:
            if name in self.op.attributes:
                return int(self.ir.IntegerAttr(self.op.attributes[name]).value)
        return 0

    def flag(self, name: str) -> bool:
        return name in self.op.attributes and bool(
            self.ir.BoolAttr(self.op.attributes[name]).value)


# Predicates of arith.cmpi; the last two are of unsigned numbers, such as truth values.
_EQUAL, _SIGNED_LESS_OR_EQUAL, _SIGNED_GREATER, _SIGNED_GREATER_OR_EQUAL = 0, 3, 4, 5
_GREATER, _GREATER_OR_EQUAL = 8, 9


def _scan(b: Builder) -> List[Any]:
    """Running sums and the like: out[i] = body(out[i - 1], in[i]); exclusive ones begin
    with the accumulator and read in[i - 1]."""
    source, out, accumulator = b.op.operands
    dimension, inclusive = b.attribute("dimension"), b.flag("inclusive")

    def step(indices: List[Any], values: List[Any]) -> Sequence[Any]:
        result, last = values
        position = indices[dimension]
        others = indices[:dimension] + indices[dimension + 1:]

        def first() -> Sequence[Any]:
            return [b.extract(source, indices) if inclusive else b.extract(last, others)]

        def next_one() -> Sequence[Any]:
            before = list(indices)
            before[dimension] = b.arith.SubIOp(position, b.constant(1)).result
            previous = b.extract(result, before)
            element = b.extract(source, indices if inclusive else before)
            return b.inline([previous, element])

        element_type = b.ir.RankedTensorType(out.type).element_type
        at_start = b.compare(_EQUAL, position, b.constant(0))
        value, = b.branch(at_start, [element_type], first, next_one)
        return [b.insert(value, result, indices), b.insert(value, last, others)]

    return b.nest(b.sizes(source), [out, accumulator], step)


def _sort(b: Builder) -> List[Any]:
    """Insertion of each element among those before it, by exchanges of neighbours; stable
    where the comparison of equal elements keeps them. That of StableHLO need not: a sort of
    JAX is stable."""
    dimension = b.attribute("dimension")
    tensors = list(b.op.operands)
    sizes = b.sizes(tensors[0])
    types = [b.ir.RankedTensorType(value.type).element_type for value in tensors]
    outer = sizes[:dimension] + sizes[dimension + 1:]

    def compare(first: List[Any], second: List[Any]) -> Any:
        return b.inline([x for pair in zip(first, second) for x in pair])[0]

    def in_order(lows: List[Any], highs: List[Any]) -> Any:
        before = compare(lows, highs)
        if b.op.name.startswith("tm_tensor."):
            return before
        return b.compare(_GREATER_OR_EQUAL, before, compare(highs, lows))

    def line(others: List[Any], values: List[Any]) -> Sequence[Any]:
        def at(position: Any) -> List[Any]:
            return others[:dimension] + [position] + others[dimension:]

        def insert_one(i: Any, now: List[Any]) -> Sequence[Any]:
            # j runs down from i to 1.
            def exchange(k: Any, held: List[Any]) -> Sequence[Any]:
                high = b.arith.SubIOp(i, k).result
                low = b.arith.SubIOp(high, b.constant(1)).result
                lows = [b.extract(value, at(low)) for value in held]
                highs = [b.extract(value, at(high)) for value in held]
                keep = in_order(lows, highs)
                chosen = b.branch(keep, types + types, lambda: lows + highs,
                                  lambda: highs + lows)
                count = len(held)
                held = [b.insert(x, value, at(low)) for x, value in zip(chosen[:count], held)]
                return [b.insert(x, value, at(high)) for x, value in zip(chosen[count:], held)]
            return b.loop(i, now, exchange)
        return b.loop(sizes[dimension], values, insert_one)

    return b.nest(outer, tensors, line)


def _scatter(b: Builder) -> List[Any]:
    """Each update goes to the element or slice that its indices name."""
    updates, indices, original = list(b.op.operands)[:3]
    index_type = b.ir.RankedTensorType(indices.type)
    target = b.ir.RankedTensorType(original.type)
    update_type = b.ir.RankedTensorType(updates.type)
    dimensions = list(b.ir.DenseI64ArrayAttr(b.op.attributes["dimension_map"]))
    depth = len(dimensions)
    # The last dimension of the indices may be left out if there is one index.
    has_depth = b.op.name.startswith("tm_tensor.") or index_type.rank > 1 and \
        update_type.rank - (index_type.rank - 1) in (target.rank - depth, target.rank) and \
        not index_type.is_dynamic_dim(index_type.rank - 1) and \
        index_type.get_dim_size(index_type.rank - 1) == depth
    batch = index_type.rank - (1 if has_depth else 0)
    window = update_type.rank - batch
    # The window is the last dimensions of the original.
    first = target.rank - window
    update_sizes, target_sizes = b.sizes(updates), b.sizes(original)

    def starts(at: Sequence[Any]) -> List[Any]:
        result = [b.constant(0) for _ in range(target.rank)]
        for number, dimension in enumerate(dimensions):
            place = list(at) + ([b.constant(number)] if has_depth else [])
            result[dimension] = b.as_index(b.extract(indices, place))
        return result

    def is_inside(begin: Sequence[Any]) -> Any:
        """Whether the window is inside of the original."""
        result = None
        for dimension in dimensions:
            size = update_sizes[batch + dimension - first] if dimension >= first else b.constant(1)
            for check in (b.compare(_SIGNED_GREATER_OR_EQUAL, begin[dimension], b.constant(0)),
                          b.compare(_SIGNED_LESS_OR_EQUAL, begin[dimension],
                                    b.arith.SubIOp(target_sizes[dimension], size).result)):
                result = check if result is None else b.arith.AndIOp(result, check).result
        return result

    def store(at: List[Any], begin: Sequence[Any], held: Any) -> Any:
        dynamic = b.ir.ShapedType.get_dynamic_size()
        window_static, window_sizes = [], []
        for number in range(batch, update_type.rank):
            if update_type.is_dynamic_dim(number):
                window_static.append(dynamic)
                window_sizes.append(update_sizes[number])
            else:
                window_static.append(update_type.get_dim_size(number))
        slice_type = b.ir.RankedTensorType.get(window_static, update_type.element_type)
        part = b.tensor.ExtractSliceOp(
            slice_type, updates, list(at), window_sizes, [],
            [dynamic] * batch + [0] * window, [1] * batch + window_static,
            [1] * update_type.rank).result
        return b.tensor.InsertSliceOp(
            part, held, list(begin), window_sizes, [], [dynamic] * target.rank,
            [1] * first + window_static, [1] * target.rank).result

    def combine(at: List[Any], begin: Sequence[Any], held: Any) -> Any:
        def one(inner: List[Any], values: List[Any]) -> Sequence[Any]:
            place = list(begin)
            for number in range(window):
                place[first + number] = b.add(place[first + number], inner[number])
            value, = b.inline([b.extract(updates, at + inner), b.extract(values[0], place)])
            return [b.insert(value, values[0], place)]

        return b.nest(update_sizes[batch:], [held], one)[0]

    # Whole slices, if they are overwritten.
    update = store if b.yields_argument(0) else combine

    def each(at: List[Any], values: List[Any]) -> Sequence[Any]:
        begin, held = starts(at), values[0]
        if b.op.name.startswith("tm_tensor."):
            return [update(at, begin, held)]
        # StableHLO leaves out the updates that are not inside.
        return b.branch(is_inside(begin), [held.type], lambda: [update(at, begin, held)],
                        lambda: [held])

    return b.nest(update_sizes[:batch], [original], each)


def _topk(b: Builder) -> List[Any]:
    """The k first elements in the order of the comparison, the earlier of equal ones first, by
    insertion into the outputs. What these hold at first is no element."""
    operands = list(b.op.operands)
    values, outputs = operands[0], operands[-2:]
    given = operands[1] if len(operands) == 4 else None
    dimension = b.attribute("dimension")
    sizes = b.sizes(values)
    width = b.sizes(outputs[0])[dimension]
    types = [b.ir.RankedTensorType(value.type).element_type for value in outputs]

    def key(value: Any) -> Any:
        """A number that is ordered as floats are in JAX: -0 is less than 0, NaN the greatest."""
        kind = b.ir.IntegerType.get_signless(types[0].width)
        bits = b.arith.BitcastOp(kind, value).result
        sign = b.arith.ShRSIOp(bits, b.arith.ConstantOp(kind, kind.width - 1).result).result
        most = b.arith.ConstantOp(kind, 2 ** (kind.width - 1) - 1).result
        return b.arith.XOrIOp(bits, b.arith.AndIOp(sign, most).result).result

    def beats(value: Any, other: Any) -> Any:
        if not b.op.name.startswith("tm_tensor.") and not isinstance(types[0], b.ir.IntegerType):
            return b.compare(_SIGNED_GREATER, key(value), key(other))
        return b.compare(_GREATER, b.inline([value, other])[0], b.inline([other, value])[0])

    def offer(indices: List[Any], held: List[Any]) -> Sequence[Any]:
        position = indices[dimension]
        value = b.extract(values, indices)
        index = b.extract(given, indices) if given is not None else \
            b.arith.IndexCastOp(types[1], position).result

        def at(k: Any) -> List[Any]:
            return indices[:dimension] + [k] + indices[dimension + 1:]

        def step(k: Any, now: List[Any]) -> Sequence[Any]:
            first, second, value, index, has_won = now
            other, other_index = b.extract(first, at(k)), b.extract(second, at(k))
            # Behind its place all others move on.
            is_empty = b.compare(_SIGNED_GREATER_OR_EQUAL, k, position)
            wins = b.arith.OrIOp(has_won, is_empty).result
            wins = b.arith.OrIOp(wins, beats(value, other)).result
            chosen = b.branch(wins, types + types, lambda: [value, index, other, other_index],
                              lambda: [other, other_index, value, index])
            return [b.insert(chosen[0], first, at(k)), b.insert(chosen[1], second, at(k)),
                    chosen[2], chosen[3], wins]

        false = b.arith.ConstantOp(b.ir.IntegerType.get_signless(1), 0).result
        return b.loop(width, held + [value, index, false], step)[:2]

    return b.nest(sizes, outputs, offer)


_LOWERINGS = {"scan": _scan, "sort": _sort, "scatter": _scatter, "topk": _topk}


def lower_all(module: Any) -> None:
    """Replaces the ops of the compiler's dialects that are known here."""
    from iree.compiler import ir
    found = [op for op in walk(module) if op.name.startswith((*_DIALECTS, "util."))]
    with module.context:
        for op in found:
            if op.name == "util.optimization_barrier":
                for result, operand in zip(op.results, op.operands):
                    result.replace_all_uses_with(operand)
                op.erase()
                continue
            lowering = _LOWERINGS.get(op.name.split(".", 1)[1])
            if lowering is None:
                continue
            with op.location, ir.InsertionPoint(op):
                results = lowering(Builder(op))
            for old, new in zip(op.results, results):
                old.replace_all_uses_with(new)
            op.erase()
