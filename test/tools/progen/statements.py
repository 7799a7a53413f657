# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements without regions of their own: accesses, views, frees, calls."""

from . import elements
from .values import MemType, Object, Value


def allocate(body):
    body.allocate(body.plain_type(), filled=body.chance(0.7),
                  local=body.depth == 0 and body.chance(0.1))


def fill(body):
    value = body.pick(body.state.writable)
    if value:
        body.fill(value)


def read(body):
    value = body.pick_readable()
    if value:
        body.checksum(value)


def store_one(body):
    """Overwrites one element: the others must survive."""
    value = body.pick(lambda v: body.state.writable(v) and v.type.elements)
    if not value:
        return
    scalar = elements.constant(body.emit, value.type.element, body.number())
    body.line(f"memref.store {scalar}, {value.name}"
              f"[{body.subscript(value.type)}] : {value.type}")
    if value.type.elements == 1:
        body.state.wrote(value)


def same_shape(value, other):
    """Whether one linalg op may have both as operands."""
    return (value.type.shape == other.type.shape and
            value.type.element == other.type.element and
            value.type.dynamic == other.type.dynamic)


def combine(body):
    """out = a + b element by element; out may be one of them."""
    left = body.pick_readable()
    if not left:
        return
    right = body.pick(lambda v: body.state.readable(v) and same_shape(v, left))
    out = body.pick(lambda v: body.state.writable(v) and same_shape(v, left))
    if body.chance(0.4) and left.type.plain:
        out = body.allocate(left.type, filled=False)
    body.line(f"linalg.map {{ {elements.add_name(left.type.element)} }} "
              f"ins({left.name}, {right.name} : {left.type}, {right.type}) "
              f"outs({out.name} : {out.type})")
    body.state.wrote(out)


def copy(body):
    """memref.copy between buffers that cannot be the same memory."""
    source = body.pick_readable()
    if not source:
        return
    target = body.pick(lambda v: body.state.writable(v) and
                       same_shape(v, source) and disjoint(v, source))
    if not target and source.type.plain:
        target = body.allocate(source.type, filled=False)
    if not target:
        return
    op = "memref.copy {0}, {1} : {2} to {3}"
    if body.chance(0.4):
        op = "linalg.copy ins({0} : {2}) outs({1} : {3})"
    body.line(op.format(source.name, target.name, source.type, target.type))
    body.state.wrote(target)


def slice_of(body, source, offset, size):
    """The name and type of the elements [offset, offset + size)."""
    layout = f"strided<[1], offset: {offset}>" if offset else "strided<[1]>"
    type_ = MemType((size,), source.type.element, layout,
                    space=source.type.space)
    name = body.emit(f"memref.subview {source.name}[{offset}] [{size}] [1] : "
                     f"{source.type} to {type_}")
    return name, type_


def pieces(body):
    """The type of a slice of a whole number of cache lines, and the number of slices in
    the buffer."""
    element, count = body.rng.choice(
        [("i64", 8), ("i32", 16), ("f32", 16), ("i8", 64)])
    return MemType((count * body.rng.randrange(1, 3),), element), \
        body.rng.randrange(2, 4)


def concatenate(body):
    """Copies buffers to the slices of another buffer; most of them are not used again."""
    part, count = pieces(body)
    size = part.shape[0]
    whole = MemType((size * count,), part.element)
    target = None
    sources = []
    order = list(range(count))
    body.rng.shuffle(order)
    for position in order:
        # The target may be allocated before some of the sources.
        if target is None and body.chance(0.4):
            target = body.allocate(whole, filled=body.chance(0.3))
        source = body.allocate(part, filled=True)
        sources.append((position, source))
        if target is not None and body.chance(0.5):
            name, type_ = slice_of(body, target, position * size, size)
            body.line(f"memref.copy {source.name}, {name} : {part} to {type_}")
            sources.pop()
            if body.chance(0.2):
                body.checksum(source)
    if target is None:
        target = body.allocate(whole, filled=body.chance(0.3))
    for position, source in sources:
        name, type_ = slice_of(body, target, position * size, size)
        body.line(f"linalg.copy ins({source.name} : {part}) "
                  f"outs({name} : {type_})")
        if body.chance(0.3):
            body.fill(source)
        if body.chance(0.2):
            body.checksum(source)
    body.state.wrote(target)
    body.checksum(target)


def split(body):
    """Copies the slices of a buffer to separate buffers."""
    part, count = pieces(body)
    size = part.shape[0]
    source = body.allocate(MemType((size * count,), part.element), filled=True)
    parts = []
    for position in range(count):
        target = body.allocate(part, filled=False)
        name, type_ = slice_of(body, source, position * size, size)
        body.line(f"memref.copy {name}, {target.name} : {type_} to {part}")
        body.state.wrote(target)
        parts.append(target)
        if body.chance(0.2):
            body.fill(source)
    if body.chance(0.2):
        body.checksum(source)
    for target in parts:
        body.checksum(target)


def box_of(body, source, offsets, shape):
    """The name and type of a box of a plain buffer."""
    strides = [1]
    for size in reversed(source.type.shape[1:]):
        strides.insert(0, strides[0] * size)
    begin = sum(a * b for a, b in zip(offsets, strides))
    layout = f"strided<{strides}" + (f", offset: {begin}>" if begin else ">")
    type_ = MemType(shape, source.type.element, layout,
                    space=source.type.space)
    ones = [1] * len(shape)
    name = body.emit(f"memref.subview {source.name}{list(offsets)} "
                     f"{list(shape)} {ones} : {source.type} to {type_}")
    return name, type_


def pad(body):
    """Buffers side by side in the middle of a larger one: padding, and
    concatenation along an inner dimension."""
    element = body.rng.choice(["i64", "i32", "f32"])
    shape = tuple(body.rng.randrange(1, 6) for _ in range(body.rng.randrange(1, 3)))
    margins = [(body.rng.randrange(3), body.rng.randrange(3)) for _ in shape]
    count = body.rng.choice([1, 1, 1, 2])
    inner = margins[-1][0] + margins[-1][1] + count * shape[-1]
    sizes = [low + size + high for (low, high), size in zip(margins, shape)]
    whole = MemType(tuple(sizes[:-1] + [inner]), element)
    part = MemType(shape, element)
    target = None
    if body.chance(0.3):
        target = body.allocate(whole, filled=True)
    sources = []
    for _ in range(count):
        if body.chance(0.3):
            small_statement(body)
        source = body.allocate(part, filled=True)
        for _ in range(body.rng.randrange(3)):
            other = body.pick(lambda v: body.state.readable(v) and
                              same_shape(v, source)) or source
            out = source
            if body.chance(0.3):
                out = body.allocate(part, filled=False)
            body.line(f"linalg.map {{ {elements.add_name(element)} }} "
                      f"ins({source.name}, {other.name} : {part}, {other.type}) "
                      f"outs({out.name} : {part})")
            body.state.wrote(out)
            source = out
        sources.append(source)
    if target is None:
        target = body.allocate(whole, filled=True)
    for position, source in enumerate(sources):
        offsets = [low for low, _ in margins]
        offsets[-1] += position * shape[-1]
        if body.chance(0.1):
            small_statement(body)
        name, type_ = box_of(body, target, offsets, shape)
        op = "memref.copy {0}, {1} : {2} to {3}"
        if body.chance(0.3):
            op = "linalg.copy ins({0} : {2}) outs({1} : {3})"
        body.line(op.format(source.name, name, part, type_))
        if body.chance(0.2):
            body.fill(source)
        if body.chance(0.2):
            body.checksum(source)
    body.checksum(target)


def small_statement(body):
    body.rng.choice([fill, read, store_one, combine])(body)


def disjoint(one, other):
    """Whether both are known to be separate allocations."""
    known = all(o.local or o.freeable for v in (one, other) for o in v.objects)
    return known and not one.objects & other.objects


def view(body):
    source = body.pick(lambda v: body.state.writable(v) and v.type.elements)
    if not source:
        return
    makers = [cast, unranked, metadata]
    if source.type.plain and source.type.rank == 1:
        makers += [subview, subview, expand, reinterpret]
    if source.type.plain and source.type.rank == 2:
        makers += [collapse, transpose, subview_2d]
    if source.type.plain and source.type.shape == (128,) \
            and source.type.element == "i8":
        makers += [bytes_view] * 4
    made = body.rng.choice(makers)(body, source)
    if made:
        body.values.append(made)


def cast(body, source):
    if not source.type.plain or not source.type.rank:
        return None
    hidden = MemType(source.type.shape, source.type.element, dynamic=True,
                     space=source.type.space)
    name = body.emit(f"memref.cast {source.name} : {source.type} to {hidden}")
    return Value(name, hidden, source.objects, source.base, source.whole)


def unranked(body, source):
    if not source.type.plain:
        return None
    star = source.type.unranked()
    name = body.emit(f"memref.cast {source.name} : {source.type} to {star}")
    name = body.emit(f"memref.cast {name} : {star} to {source.type}")
    return Value(name, source.type, source.objects, source.base, source.whole)


def metadata(body, source):
    """Extracts the metadata of a buffer and makes a memref of it again."""
    if not source.type.plain or source.type.rank != 1:
        return None
    base = f"memref<{source.type.element}"
    base += ">" if source.type.space is None else f", {source.type.space}>"
    names = [body.fresh() for _ in range(4)]
    body.line(f"{', '.join(names)} = memref.extract_strided_metadata "
              f"{source.name} : {source.type} -> {base}, index, index, index")
    size = source.type.shape[0]
    name = body.emit(
        f"memref.reinterpret_cast {names[0]} to offset: [0], sizes: [{size}], "
        f"strides: [1] : {base} to {source.type}")
    # Correct only if the source starts at the begin of its allocation.
    if not source.base:
        return None
    return Value(name, source.type, source.objects, False, source.whole)


def subview(body, source):
    size = body.rng.randrange(1, source.type.shape[0] + 1)
    offset = body.rng.randrange(source.type.shape[0] - size + 1)
    if body.chance(0.25):
        layout, at = "strided<[1], offset: ?>", body.index(offset)
    else:
        layout, at = f"strided<[1], offset: {offset}>", str(offset)
    type_ = MemType((size,), source.type.element, layout,
                    space=source.type.space)
    if layout.endswith("offset: 0>"):
        type_.layout = "strided<[1]>"
    name = body.emit(f"memref.subview {source.name}[{at}] [{size}] [1] : "
                     f"{source.type} to {type_}")
    return Value(name, type_, source.objects, False, False)


def subview_2d(body, source):
    rows, columns = source.type.shape
    row = body.rng.randrange(rows)
    offset = row * columns
    layout = "strided<[1]>" if not offset else f"strided<[1], offset: {offset}>"
    type_ = MemType((columns,), source.type.element, layout,
                    space=source.type.space)
    name = body.emit(f"memref.subview {source.name}[{row}, 0] [1, {columns}] "
                     f"[1, 1] : {source.type} to {type_}")
    return Value(name, type_, source.objects, False, False)


def expand(body, source):
    size = source.type.shape[0]
    inner = next((d for d in (4, 3, 2) if size % d == 0), 1)
    type_ = MemType((size // inner, inner), source.type.element,
                    space=source.type.space)
    name = body.emit(
        f"memref.expand_shape {source.name} [[0, 1]] output_shape "
        f"[{size // inner}, {inner}] : {source.type} into {type_}")
    return Value(name, type_, source.objects, False, source.whole)


def collapse(body, source):
    type_ = MemType((source.type.elements,), source.type.element,
                    space=source.type.space)
    name = body.emit(f"memref.collapse_shape {source.name} [[0, 1]] : "
                     f"{source.type} into {type_}")
    return Value(name, type_, source.objects, False, source.whole)


def transpose(body, source):
    rows, columns = source.type.shape
    type_ = MemType((columns, rows), source.type.element,
                    f"strided<[1, {columns}]>", space=source.type.space)
    name = body.emit(f"memref.transpose {source.name} (i, j) -> (j, i) : "
                     f"{source.type} to {type_}")
    return Value(name, type_, source.objects, False, source.whole)


def reinterpret(body, source):
    if not source.base:
        return None
    size = source.type.shape[0]
    step = body.rng.choice([1, 2])
    offset = body.rng.randrange(size)
    count = (size - 1 - offset) // step + 1
    type_ = MemType((count,), source.type.element,
                    f"strided<[{step}], offset: {offset}>",
                    space=source.type.space)
    name = body.emit(
        f"memref.reinterpret_cast {source.name} to offset: [{offset}], "
        f"sizes: [{count}], strides: [{step}] : {source.type} to {type_}")
    return Value(name, type_, source.objects, False, False)


def bytes_view(body, source):
    type_ = MemType((8,), "i64")
    shift = body.rng.choice([0, 8, 64])
    # Upstream's deallocation compares pointers. A shifted view has another pointer
    # than the allocation, which would be freed while the view is still used.
    if not body.weights["dealloc"]:
        shift = 0
    name = body.emit(f"memref.view {source.name}[{body.index(shift)}][] : "
                     f"{source.type} to {type_}")
    return Value(name, type_, source.objects, False, False)


def select(body):
    one = body.pick(body.state.writable)
    if not one:
        return
    other = body.pick(lambda v: body.state.writable(v) and
                      str(v.type) == str(one.type))
    name = body.emit(f"arith.select {body.bit()}, {one.name}, {other.name} : "
                     f"{one.type}")
    body.values.append(Value(name, one.type, one.objects | other.objects,
                             one.base and other.base,
                             one.whole and other.whole))


def free(body):
    """Frees a buffer in one of the ways in which programs free."""
    value = body.pick(body.may_free)
    if not value:
        return
    # The frees below need a condition, so take one before the buffer dies.
    bit = body.bit()
    how = body.rng.random()
    if how < 0.5:
        body.line(f"memref.dealloc {value.name} : {value.type}")
    elif how < 0.7:
        body.line(f"scf.if {bit} {{")
        body.line(f"  memref.dealloc {value.name} : {value.type}")
        if body.chance(0.5):
            body.line("} else {")
            body.line(f"  memref.dealloc {value.name} : {value.type}")
        body.line("}")
    elif how < 0.85:
        other = body.pick(lambda v: body.may_free(v) and
                          str(v.type) == str(value.type))
        name = body.emit(f"arith.select {bit}, {value.name}, {other.name} : "
                         f"{value.type}")
        body.line(f"memref.dealloc {name} : {value.type}")
        body.state.kill(other.objects)
    else:
        keep = body.pick(lambda v: body.state.writable(v) and v.base and
                         not v.objects & value.objects and
                         v.type.space is None and not v.type.layout)
        retain = f" retain ({keep.name} : {keep.type})" if keep else ""
        if value.type.space is not None:
            return
        if retain:
            body.emit(f"bufferization.dealloc ({value.name} : {value.type}) "
                      f"if ({bit}){retain}")
        else:
            body.line(f"bufferization.dealloc ({value.name} : {value.type}) "
                      f"if ({bit})")
    body.state.kill(value.objects)


def call(body):
    """A call that reads, writes, returns, makes or frees a buffer."""
    type_ = body.plain_type()
    kind = body.rng.choice(
        ["pass", "pick", "make", "clone", "temp", "maybe", "recurse", "free"])
    if kind == "make":
        name = body.module.helper("make", type_)
        result = body.emit(f"func.call @{name}() : () -> {type_}")
        body.values.append(fresh_result(body, result, type_))
        return
    one = body.pick(lambda v: body.state.readable(v) and
                    str(v.type) == str(type_))
    if not one or kind == "free" and not (body.may_free(one) and
                                          body.weights["dealloc"]):
        return
    name = body.module.helper(kind, type_)
    if kind in ("temp", "recurse", "free"):
        body.line(f"func.call @{name}({one.name}) : ({type_}) -> ()")
        if kind == "free":
            body.state.kill(one.objects)
        return
    if kind == "clone":
        result = body.emit(f"func.call @{name}({one.name}) : "
                           f"({type_}) -> {type_}")
        body.values.append(fresh_result(body, result, type_))
        return
    if kind == "pass":
        result = body.emit(f"func.call @{name}({one.name}) : "
                           f"({type_}) -> {type_}")
        body.values.append(Value(result, type_, one.objects, one.base, one.whole))
        return
    bit = body.bit()
    if kind == "pick":
        other = body.pick_readable(type_)
        result = body.emit(
            f"func.call @{name}({one.name}, {other.name}, {bit}) : "
            f"({type_}, {type_}, i1) -> {type_}")
        body.values.append(Value(result, type_, one.objects | other.objects,
                                 one.base and other.base,
                                 one.whole and other.whole))
        return
    made = Object(body.loop)
    body.state.initialised.add(made)
    result = body.emit(f"func.call @{name}({one.name}, {bit}) : "
                       f"({type_}, i1) -> {type_}")
    body.values.append(Value(result, type_, one.objects | {made}, one.base))


def contract(body):
    """A call outside the module that may write one buffer over another."""
    type_ = body.plain_type()
    one = body.pick_readable(type_)
    if not one:
        return
    out = body.pick(lambda v: body.state.writable(v) and
                    str(v.type) == str(type_) and disjoint(v, one))
    if not out or body.chance(0.6):
        out = body.allocate(type_, filled=False)
    name = body.module.helper("over", type_)

    def write(source, target):
        body.line(f"func.call @{name}({source}, {target}) : "
                  f"({type_}, {type_}) -> ()")

    source = one.name
    for _ in range(body.rng.randrange(3)):
        # It is not used again, so the next call may write over it.
        target = body.emit(f"memref.alloc() : {type_}")
        write(source, target)
        source = target
    write(source, out.name)
    body.state.wrote(out)


def fresh_result(body, name, type_):
    made = Object(body.loop)
    body.state.initialised.add(made)
    return Value(name, type_, [made])


def global_(body):
    """Accesses a global buffer."""
    body.global_of(body.plain_type())


def nested_memref(body):
    """Stores a buffer in a memref of memrefs and loads it again."""
    value = body.pick(lambda v: body.state.writable(v) and v.type.plain and
                      v.type.space is None)
    if not value:
        return
    table = body.emit(f"memref.alloc() : memref<1x{value.type}>")
    zero = body.index(0)
    body.line(f"memref.store {value.name}, {table}[{zero}] : "
              f"memref<1x{value.type}>")
    name = body.emit(f"memref.load {table}[{zero}] : memref<1x{value.type}>")
    body.values.append(Value(name, value.type, value.objects, value.base,
                             value.whole))


def opaque_use(body):
    """A call outside the module that reads the buffer."""
    value = body.pick(lambda v: body.state.readable(v) and v.type.plain and
                      v.type.element in ("i64", "i32", "f32") and
                      v.type.rank and v.type.elements and
                      v.type.space is None)
    if not value:
        return
    kind = {"i64": "I64", "i32": "I32", "f32": "F32"}[value.type.element]
    body.module.externals.add(kind)
    star = value.type.unranked()
    name = body.emit(f"memref.cast {value.name} : {value.type} to {star}")
    body.line(f"func.call @printMemref{kind}({name}) : ({star}) -> ()")
