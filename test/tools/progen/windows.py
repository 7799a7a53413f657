# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that read a window of one buffer for each element of another.

The order of the loops, strides, dilations, margins, the direction and the place of the
sum vary, and with them the possible overlaps of result and input. Loops that read and
write equal indices vary in the shapes of the buffers.
"""

from . import elements
from .statements import expand
from .values import MemType, Value

MOST_ITERATIONS = 3000


class Index:
    """sign * stride * loop + dilation * tap + constant, along one dimension."""

    def __init__(self, body, size, loops, taps):
        rng = body.rng
        self.loop = rng.randrange(len(loops)) if loops else None
        extent = loops[self.loop] if loops else 1
        self.tap = rng.randrange(len(taps)) if taps and rng.random() < 0.8 else None
        count = taps[self.tap] if self.tap is not None else 1
        self.dilation = rng.choice([1, 1, 2])
        self.stride = rng.choice([1, 1, 1, 2, 3])
        span = self.dilation * (count - 1)
        # Mostly a stride with which the index stays inside.
        if extent > 1 and rng.random() < 0.8:
            self.stride = max(0, min(self.stride, (size - 1 - span) // (extent - 1)))
        self.constant = -rng.randrange(2) if span else 0
        if rng.random() < 0.12:
            self.constant += self.stride * (extent - 1)
            self.stride = -self.stride
        ends = [self.stride * (extent - 1), 0]
        self.least = self.constant + min(ends)
        self.most = self.constant + max(ends) + span
        self.inside = 0 <= self.least and self.most < size

    def terms(self, loops, taps):
        found = []
        if self.loop is not None:
            found.append((loops[self.loop], self.stride))
        if self.tap is not None:
            found.append((taps[self.tap], self.dilation))
        return found

    def affine(self, loops, taps):
        text = " + ".join(f"{name} * {factor}"
                          for name, factor in self.terms(loops, taps)
                          if factor)
        return f"{text or '0'} + {self.constant}"

    def emit(self, body, loops, taps):
        """Emits the index by arithmetic or by an affine map."""
        if body.chance(0.5):
            terms = self.terms(loops, taps)
            names = [f"d{i}" for i in range(len(terms))]
            sum_ = " + ".join([f"{n} * {f}" for n, (_, f) in zip(names, terms)] +
                              [str(self.constant)])
            return body.emit(
                f"affine.apply affine_map<({', '.join(names)}) -> ({sum_})>"
                f"({', '.join(name for name, _ in terms)})")
        total = body.index(self.constant) if self.constant >= 0 else body.emit(
            f"arith.constant {self.constant} : index")
        for name, factor in self.terms(loops, taps):
            by = body.emit(f"arith.constant {factor} : index")
            scaled = body.emit(f"arith.muli {name}, {by} : index")
            total = body.emit(f"arith.addi {total}, {scaled} : index")
        return total


def open_loop(body, affine, size, start=None):
    """Opens a loop of `size` iterations, which may carry a sum; returns its variable,
    the sum, and the result."""
    variable = body.fresh()
    head = (f"affine.for {variable} = 0 to {size}" if affine else
            f"scf.for {variable} = {body.index(0)} to {body.index(size)} "
            f"step {body.index(1)}")
    if start is None:
        body.line(head + " {")
        body.indent += 1
        return variable, None, None
    carried, result = body.fresh(), body.fresh()
    body.line(f"{result} = {head} iter_args({carried} = {start}) -> (i64) {{")
    body.indent += 1
    return variable, carried, result


def close_loop(body, affine, value=None):
    if value:
        body.line(f"{'affine' if affine else 'scf'}.yield {value} : i64")
    body.indent -= 1
    body.line("}")


def result_type(body, source):
    if body.chance(0.3):
        return body.plain_type()
    shape = list(source.type.shape)
    how = body.rng.randrange(4)
    if how == 0:
        shape[-1] *= 2
    elif how == 1:
        shape[0] = max(1, shape[0] // 2)
    elif how == 2 and len(shape) == 1 and shape[0] % 4 == 0:
        shape = [shape[0] // 4, 4]
    element = source.type.element
    if body.chance(0.2):
        element = body.rng.choice(["i8", "i32", "i64"])
    return MemType(shape, element, space=source.type.space)


def dismiss(body, source):
    """Marks the buffer as not used again, so that it may be overwritten."""
    if body.may_free(source) and body.chance(0.8):
        if body.weights["dealloc"] and body.chance(0.5):
            body.line(f"memref.dealloc {source.name} : {source.type}")
        body.state.kill(source.objects)


def same_indices(body):
    """A loop over two buffers with equally many elements at equal or exchanged indices;
    their shapes may differ."""
    source = body.pick(lambda v: body.state.readable(v) and v.type.plain and
                       v.type.rank in (1, 2) and v.type.elements > 1)
    if not source:
        return
    read = source if source.type.rank == 2 else expand(body, source)
    rows, columns = read.type.shape
    shapes = [(rows, columns)]
    for factor in (2, 4):
        if rows % factor == 0:
            shapes.append((rows // factor, columns * factor))
        if columns % factor == 0:
            shapes.append((rows * factor, columns // factor))
    type_ = MemType(body.rng.choice(shapes), read.type.element,
                    space=read.type.space)
    out = body.allocate(type_, filled=False)
    sizes = [min(pair) for pair in zip(type_.shape, read.type.shape)]
    step = -1 if sizes[0] == sizes[1] and body.chance(0.3) else 1
    if sizes[0] * sizes[1] > MOST_ITERATIONS:
        return
    affine = body.chance(0.5)
    loops = [open_loop(body, affine, size)[0] for size in sizes]
    dialect, at = "affine" if affine else "memref", ", ".join(loops)
    to = ", ".join(loops[::step])
    item = body.emit(f"{dialect}.load {read.name}[{at}] : {read.type}")
    item = elements.add(body.emit, type_.element, item,
                        elements.constant(body.emit, type_.element, 7))
    body.line(f"{dialect}.store {item}, {out.name}[{to}] : {type_}")
    for _ in sizes:
        close_loop(body, affine)
    if list(type_.shape) == sizes:
        body.state.wrote(out)
    else:
        # The rest of the buffer is not initialised.
        body.values.remove(out)
        part = MemType(sizes, type_.element,
                       f"strided<[{type_.shape[1]}, 1]>", space=type_.space)
        name = body.emit(
            f"memref.subview {out.name}[0, 0] [{sizes[0]}, {sizes[1]}] [1, 1] : "
            f"{type_} to {part}")
        body.state.initialised |= out.objects
        body.values.append(Value(name, part, out.objects, False, False))
        body.checksum(body.values[-1])
    dismiss(body, source)


def window(body):
    source = body.pick(lambda v: body.state.readable(v) and v.type.rank and
                       v.type.elements and not v.type.dynamic)
    if not source:
        return
    type_ = result_type(body, source)
    taps = [body.rng.choice([1, 2, 3]) for _ in range(body.rng.randrange(3))]
    work = type_.elements
    for count in taps:
        work *= count
    if not type_.rank or not type_.elements or work > MOST_ITERATIONS:
        return
    out = body.allocate(type_, filled=False)
    order = list(range(type_.rank))
    if body.chance(0.15):
        body.rng.shuffle(order)
    indices = [Index(body, size, list(type_.shape), taps)
               for size in source.type.shape]
    affine = all(i.inside for i in indices) and body.chance(0.6)
    around = body.rng.choice([None, None, None, 1, 2])
    if around:
        open_loop(body, affine, around)
    loops = [None] * type_.rank
    for dimension in order:
        loops[dimension], _, _ = open_loop(body, affine,
                                           type_.shape[dimension])
    dialect = "affine" if affine else "memref"

    def store(number):
        item = elements.from_i64(body.emit, type_.element, number)
        body.line(f"{dialect}.store {item}, {out.name}"
                  f"[{', '.join(loops)}] : {type_}")

    def load(tap_names):
        if affine:
            at = [i.affine(loops, tap_names) for i in indices]
        else:
            at = [i.emit(body, loops, tap_names) for i in indices]
        item = body.fresh()
        text = f"{dialect}.load {source.name}[{', '.join(at)}] : {source.type}"
        if affine or all(i.inside for i in indices):
            body.line(f"{item} = {text}")
            return elements.to_i64(body.emit, source.type.element, item)
        # Elements outside of the buffer are not read.
        inside = None
        for name, size in zip(at, source.type.shape):
            own = body.emit(f"arith.cmpi ult, {name}, {body.index(size)} : index")
            inside = (body.emit(f"arith.andi {inside}, {own} : i1")
                      if inside else own)
        result = body.fresh()
        body.line(f"{result} = scf.if {inside} -> (i64) {{")
        body.indent += 1
        body.line(f"{item} = {text}")
        number = elements.to_i64(body.emit, source.type.element, item)
        body.line(f"scf.yield {number} : i64")
        body.indent -= 1
        body.line("} else {")
        body.indent += 1
        margin = elements.constant(body.emit, "i64", 5)
        body.line(f"scf.yield {margin} : i64")
        body.indent -= 1
        body.line("}")
        return result

    total = elements.constant(body.emit, "i64", 11)
    if body.chance(0.1):
        store(total)
    names, ends = [], []
    for count in taps:
        variable, total, result = open_loop(body, affine, count, total)
        names.append(variable)
        ends.append(result)
    three = elements.constant(body.emit, "i64", 3)
    scaled = body.emit(f"arith.muli {total}, {three} : i64")
    total = body.emit(f"arith.addi {scaled}, {load(names)} : i64")
    for result in reversed(ends):
        close_loop(body, affine, total)
        total = result
    store(total)
    if not taps and body.chance(0.1):
        store(body.emit(f"arith.addi {total}, {load(names)} : i64"))
    for _ in type_.shape:
        close_loop(body, affine)
    if around:
        close_loop(body, affine)
    body.state.wrote(out)
    dismiss(body, source)
