# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function body under construction: text, names, scopes, and plain statements."""

import contextlib

from . import elements
from .values import MemType, Object, State, Value

PALETTE = [
    MemType((8,), "i64"),
    MemType((16,), "i64"),
    MemType((16,), "f32"),
    MemType((8,), "i32"),
    MemType((4, 4), "i32"),
    MemType((4, 8), "f32"),
    MemType((24,), "i8"),
    MemType((128,), "i8"),
    MemType((8,), "index"),
    MemType((3,), "f64"),
    MemType((40,), "i16"),
    MemType((9,), "i1"),
    MemType((), "i64"),
    MemType((0,), "i64"),
    MemType((2, 3, 4), "i8"),
    MemType((100,), "i64"),
    MemType((8,), "i64", space=1),
]


class Body:
    """Writes operations and tracks, at each point, which buffers may be accessed."""

    def __init__(self, module, rng, weights):
        self.module = module
        self.rng = rng
        self.weights = weights
        self.lines = []
        self.indent = 1
        self.counter = 0
        self.constants = {}
        self.values = []
        self.bits = []       # i1 values in scope
        self.numbers = []    # i64 values in scope
        self.affine_ivs = []
        self.state = State()
        # The object of arguments and globals, which outlives the function.
        self.outside = Object(None, freeable=False)
        self.loop = object()
        self.depth = 0
        self.types = rng.sample(PALETTE, k=rng.choice([1, 2, 2, 3]))

    # Text.

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def fresh(self):
        self.counter += 1
        return f"%v{self.counter}"

    def emit(self, operation):
        name = self.fresh()
        self.line(f"{name} = {operation}")
        return name

    def index(self, number):
        """An index constant; they stand at the top of the function."""
        return self.constants.setdefault(number, f"%i{number}")

    def prologue(self):
        return [
            f"  {name} = arith.constant {number} : index"
            for number, name in sorted(self.constants.items())
        ]

    def number(self):
        return self.module.number()

    def chance(self, probability):
        return self.rng.random() < probability

    # Scopes.

    @contextlib.contextmanager
    def scope(self):
        marks = [len(seen) for seen in
                 (self.values, self.bits, self.numbers, self.affine_ivs)]
        self.indent += 1
        self.depth += 1
        yield
        self.indent -= 1
        self.depth -= 1
        for seen, mark in zip(
                (self.values, self.bits, self.numbers, self.affine_ivs), marks):
            del seen[mark:]

    @contextlib.contextmanager
    def loop_scope(self):
        outer, self.loop = self.loop, object()
        with self.scope():
            yield
        self.loop = outer

    # Choosing.

    def pick(self, test):
        found = [value for value in self.values if test(value)]
        if not found:
            return None
        # Recent values are the interesting ones, but any may be picked.
        if self.chance(0.5):
            found = found[-4:]
        return self.rng.choice(found)

    def pick_readable(self, type_=None):
        return self.pick(lambda v: self.state.readable(v) and
                         (type_ is None or str(v.type) == str(type_)))

    def may_free(self, value):
        return (value.base and self.state.writable(value) and
                not value.type.layout and
                all(o.freeable and o.loop is self.loop for o in value.objects))

    def plain_type(self):
        return self.rng.choice(self.types)

    def bit(self):
        """A condition from the argument, an induction variable, or data."""
        if self.bits and self.chance(0.6):
            return self.rng.choice(self.bits)
        value = self.pick(lambda v: self.state.readable(v) and
                          v.type.elements and v.type.element == "i64")
        if value and self.chance(0.6):
            return self.emit(f"arith.trunci {self.load(value)} : i64 to i1")
        number = self.rng.choice(self.numbers)
        limit = elements.constant(self.emit, "i64", self.rng.randrange(3))
        return self.emit(f"arith.cmpi sle, {number}, {limit} : i64")

    # Accesses.

    def subscript(self, type_, which=None):
        index = []
        for size in type_.shape:
            at = {0: 0, 1: size - 1}.get(which, self.rng.randrange(size))
            index.append(self.index(at))
        return ", ".join(index)

    def load(self, value, which=None):
        at = self.subscript(value.type, which)
        return self.emit(f"memref.load {value.name}[{at}] : {value.type}")

    def mix(self, number):
        self.line(f"func.call @mix({number}) : (i64) -> ()")

    def checksum(self, value):
        """Adds the contents of the buffer to the checksum."""
        type_ = value.type
        if type_.elements == 0:
            return
        how = self.rng.random()
        if how < 0.35 and type_.rank:
            self.mix(self.sum_loop(value))
        elif how < 0.6 and type_.plain:
            name = self.module.helper("sum", type_)
            self.mix(self.emit(
                f"func.call @{name}({value.name}) : ({type_}) -> i64"))
        else:
            for which in range(3 if type_.elements > 2 else 1):
                self.mix(elements.to_i64(self.emit, type_.element,
                                         self.load(value, which)))

    def sum_loop(self, value):
        """A loop nest over all elements, scf or affine."""
        type_ = value.type
        affine = self.chance(0.3)
        total = elements.constant(self.emit, "i64", 7)
        names, ends = [], []
        for size in type_.shape:
            iv, carried, name = self.fresh(), self.fresh(), self.fresh()
            if affine:
                self.line(f"{name} = affine.for {iv} = 0 to {size} "
                          f"iter_args({carried} = {total}) -> (i64) {{")
            else:
                self.line(f"{name} = scf.for {iv} = {self.index(0)} to "
                          f"{self.index(size)} step {self.index(1)} "
                          f"iter_args({carried} = {total}) -> (i64) {{")
            self.indent += 1
            names.append(iv)
            ends.append(name)
            total = carried
        dialect = "affine" if affine else "memref"
        element = self.emit(f"{dialect}.load {value.name}"
                            f"[{', '.join(names)}] : {type_}")
        term = elements.to_i64(self.emit, type_.element, element)
        three = elements.constant(self.emit, "i64", 3)
        scaled = self.emit(f"arith.muli {total}, {three} : i64")
        result = self.emit(f"arith.addi {scaled}, {term} : i64")
        for name in reversed(ends):
            self.line(f"{'affine' if affine else 'scf'}.yield {result} : i64")
            self.indent -= 1
            self.line("}")
            result = name
        return result

    def fill(self, value):
        """Writes all of a buffer."""
        type_ = value.type
        scalar = elements.constant(self.emit, type_.element, self.number())
        how = self.rng.random()
        if how < 0.25 and type_.plain:
            name = self.module.helper("fill", type_)
            self.line(f"func.call @{name}({value.name}, {scalar}) : "
                      f"({type_}, {type_.element}) -> ()")
        elif how < 0.5 and type_.rank == 1 and type_.element == "i64":
            iv = self.fresh()
            self.line(f"scf.for {iv} = {self.index(0)} to "
                      f"{self.index(type_.shape[0])} step {self.index(1)} {{")
            self.indent += 1
            wide = self.emit(f"arith.index_cast {iv} : index to i64")
            item = self.emit(f"arith.addi {wide}, {scalar} : i64")
            self.line(f"memref.store {item}, {value.name}[{iv}] : {type_}")
            self.indent -= 1
            self.line("}")
        else:
            self.line(f"linalg.fill ins({scalar} : {type_.element}) "
                      f"outs({value.name} : {type_})")
        self.state.wrote(value)

    def allocate(self, type_, filled=True, local=False):
        align = ""
        if self.chance(0.15):
            align = f" {{alignment = {self.rng.choice([1, 8, 16, 64, 128, 256])}}}"
        if not local and type_.elements and type_.rank and self.chance(0.04):
            name = self.allocate_unknown(type_, align)
        else:
            op = "memref.alloca" if local else "memref.alloc"
            name = self.emit(f"{op}(){align} : {type_}")
        made = Object(self.loop, freeable=not local, local=local)
        value = Value(name, type_, [made])
        if filled:
            self.fill(value)
        self.values.append(value)
        return value

    def allocate_unknown(self, type_, align):
        """A buffer whose size no analysis knows, so that it is not planned."""
        # The argument is small.
        zero, bits = (elements.constant(self.emit, "i64", n) for n in (0, 8))
        some = self.emit(f"arith.maxsi {self.numbers[0]}, {zero} : i64")
        some = self.emit(f"arith.shrui {some}, {bits} : i64")
        none = self.emit(f"arith.index_cast {some} : i64 to index")
        sizes = [self.emit(f"arith.addi {none}, {self.index(size)} : index")
                 for size in type_.shape]
        hidden = MemType(type_.shape, type_.element, dynamic=True,
                         space=type_.space)
        name = self.emit(f"memref.alloc({', '.join(sizes)}){align} : {hidden}")
        return self.emit(f"memref.cast {name} : {hidden} to {type_}")

    def readable_of(self, type_):
        """A readable value of the type that may leave this region."""
        value = None
        if self.chance(0.5):
            value = self.pick(lambda v: self.state.readable(v) and
                              str(v.type) == str(type_) and
                              not any(o.local for o in v.objects))
        elif self.weights["global"] and self.chance(0.08):
            value = self.global_of(type_)
        return value or self.allocate(type_)

    def global_of(self, type_):
        """The module's mutable global of the type, or None."""
        if not type_.elements or type_.space is not None:
            return None
        symbol = f"global_{type_.name()}"
        item = elements.literal(type_.element, 41)
        self.module.globals[symbol] = (
            f'  memref.global "private" @{symbol} : {type_} = dense<{item}>')
        name = self.emit(f"memref.get_global @{symbol} : {type_}")
        self.state.initialised.add(self.outside)
        value = Value(name, type_, [self.outside], base=False)
        self.values.append(value)
        return value
