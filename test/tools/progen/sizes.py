# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs whose buffers have sizes that are known only when they run.

Each program gets a seed, a memref<?xi64>, a memref<?x?xi64> and an index, and runs at
each of SIZES. A size is an SSA value; two buffers have one shape if their sizes are
the same values. Sizes are not negative and small, but for the index: it is negative or
huge in some calls, and sizes that depend on it stand under a condition.
"""

import random

from . import helpers

# The extents of the arguments and the index.
SIZES = [(0, 0, -5), (1, 1, 1 << 60), (1, 3, 2), (2, 0, 9), (7, 5, -1), (33, 4, 12)]

ELEMENTS = ["i64", "i32", "f32"]
MAX_DEPTH = 3
MAX_LINES = 220

WEIGHTS = {
    "allocate": 7, "fill": 2, "add": 6, "copy": 3, "read": 4, "view": 2,
    "free": 4, "call": 2, "if": 3, "guarded": 2, "for": 3, "carry": 3,
    "choose": 2, "parallel": 1, "work": 2, "size": 5, "dim": 2, "switch": 2,
    "grow": 1,
}


class Buffer:
    def __init__(self, name, sizes, element, root=None, owned=None):
        self.name = name
        # SSA names or numbers.
        self.sizes = tuple(sizes)
        self.element = element
        self.root = root or self
        # The block that may free the buffer; None for none.
        self.owned = owned
        self.alive = True
        self.filled = False
        self.layout = ""

    @property
    def type(self):
        shape = "".join(f"{s}x" if isinstance(s, int) else "?x" for s in self.sizes)
        layout = f", {self.layout}" if self.layout else ""
        return f"memref<{shape}{self.element}{layout}>"

    @property
    def readable(self):
        return self.root.alive and self.root.filled


class SizedModule:
    """Generates the programs numbered `first`.. of one seed, like module.Module."""

    def __init__(self, seed, first, count, weights=None, statements_each=16):
        self.weights = dict(WEIGHTS)
        # Upstream's deallocation refuses programs that free, and parallel loops.
        if weights and weights.get("dealloc") == 0:
            self.weights.update(free=0, parallel=0, call=0)
        self.helpers = {}
        self.functions = []
        for i in range(first, first + count):
            program = _Program(self, random.Random(f"{seed}.sized.{i}"), i)
            self.functions.append(program.generate(statements_each))

    def helper(self, kind, element, rank):
        name = f"{kind}_{rank}_{element}"
        self.helpers[name] = _HELPERS[kind](name, element, rank)
        return name

    def render(self, functions=None):
        functions = self.functions if functions is None else functions
        lines = ["module {", helpers.RUNNING_CHECKSUM]
        lines += [self.helpers[name] for name in sorted(self.helpers)]
        lines += [text for _, text in functions]
        lines += self.main([name for name, _ in functions])
        return "\n".join(lines + ["}", ""])

    def main(self, names):
        """The lines of @main, which calls these programs."""
        lines = ["  func.func @main() {",
                  "    %zero = arith.constant 0 : index",
                  "    %one = arith.constant 1 : index"]
        for i, (n, m, k) in enumerate(SIZES):
            lines += [
                f"    %n{i} = arith.constant {n} : index",
                f"    %m{i} = arith.constant {m} : index",
                f"    %k{i} = arith.constant {k} : index",
                f"    %p{i} = arith.constant {i} : i64",
                f"    %x{i} = memref.alloc(%n{i}) : memref<?xi64>",
                f"    %y{i} = memref.alloc(%n{i}, %m{i}) : memref<?x?xi64>"]
        for name in names:
            for i in range(len(SIZES)):
                # A program may write to them.
                lines += [
                    f"    linalg.fill ins(%p{i} : i64) outs(%x{i} : memref<?xi64>)",
                    f"    linalg.fill ins(%p{i} : i64) outs(%y{i} : memref<?x?xi64>)",
                    f"    call @{name}(%p{i}, %x{i}, %y{i}, %k{i}) : "
                    "(i64, memref<?xi64>, memref<?x?xi64>, index) -> ()"]
            number = name.rpartition("_")[2]
            lines += [f"    %f{number} = arith.constant {number} : i64",
                      f"    call @report(%f{number}) : (i64) -> ()"]
        for i in range(len(SIZES)) if self.weights["free"] else ():
            lines += [f"    memref.dealloc %x{i} : memref<?xi64>",
                      f"    memref.dealloc %y{i} : memref<?x?xi64>"]
        return lines + ["    return", "  }"]


class _Program:
    def __init__(self, module, rng, number):
        self.module = module
        self.rng = rng
        self.number = number
        self.lines = []
        self.indent = 2
        self.count = 0
        self.depth = 0
        self.constants = {}
        self.block = object()
        self.sizes = []
        self.buffers = []

    # Text.

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def emit(self, operation):
        self.count += 1
        self.line(f"%v{self.count} = {operation}")
        return f"%v{self.count}"

    def index(self, number):
        return self.constants.setdefault(number, f"%i{number}".replace("-", "m"))

    def chance(self, probability):
        return self.rng.random() < probability

    def generate(self, budget):
        name = f"program_{self.number}"
        x = Buffer("%x", ["%n"], "i64")
        y = Buffer("%y", ["%n", "%m"], "i64")
        x.filled = y.filled = True
        if self.chance(0.3):
            # A second name of an extent, as importers leave.
            self.line(f"%e = memref.dim %y, {self.index(0)} : memref<?x?xi64>")
            self.sizes.append("%e")
        self.sizes += ["%n", "%m"]
        self.buffers += [x, y]
        self.statements(budget)
        for buffer in list(self.buffers):
            if buffer.readable and self.chance(0.6):
                self.read_one(buffer)
        self.free_own(0.8)
        head = (f"  func.func @{name}(%p: i64, %x: memref<?xi64>, "
                "%y: memref<?x?xi64>, %k: index) {")
        extents = [f"    %n = memref.dim %x, {self.index(0)} : memref<?xi64>",
                   f"    %m = memref.dim %y, {self.index(1)} : memref<?x?xi64>"]
        top = [f"    {text} = arith.constant {number} : index"
               for number, text in sorted(self.constants.items())] + extents
        return name, "\n".join([head] + top + self.lines +
                               ["    return", "  }"])

    # Scopes.

    def inside(self, body):
        """Runs `body` in a region of its own."""
        marks = len(self.sizes), len(self.buffers), self.block
        alive = {b: b.root.alive for b in self.buffers}
        filled = {b: b.filled for b in self.buffers}
        self.block = object()
        self.depth += 1
        self.indent += 1
        result = body()
        self.indent -= 1
        self.depth -= 1
        self.block = marks[2]
        del self.sizes[marks[0]:], self.buffers[marks[1]:]
        assert all(b.root.alive == alive[b] for b in self.buffers)
        # The region may not be executed.
        for b, was in filled.items():
            b.filled = was
        return result

    def statements(self, budget):
        for _ in range(budget):
            kinds = ["allocate", "fill", "add", "copy", "read", "view", "free",
                     "call", "size", "work", "dim"]
            if self.depth < MAX_DEPTH and len(self.lines) < MAX_LINES:
                kinds += ["if", "guarded", "for", "carry", "choose", "parallel",
                          "switch", "grow"]
            weights = [self.module.weights[kind] for kind in kinds]
            kind = self.rng.choices(kinds, weights)[0]
            getattr(self, kind + "_")()

    def small(self):
        self.statements(self.rng.randrange(1, 5))
        self.free_own(0.7)

    # Choosing.

    def pick(self, test=lambda b: True):
        found = [b for b in self.buffers if b.root.alive and test(b)]
        if not found:
            return None
        return self.rng.choice(found[-5:] if self.chance(0.5) else found)

    def size(self):
        if self.chance(0.2):
            number = self.rng.choice([0, 1, 3, 8, 40])
            # Code that was not canonicalized has constants as operands.
            return self.index(number) if self.chance(0.4) else number
        return self.rng.choice(self.sizes[-4:] if self.chance(0.5) else self.sizes)

    def shape(self):
        known = [b.sizes for b in self.buffers if not b.layout]
        if known and self.chance(0.6):
            return self.rng.choice(known[-4:] if self.chance(0.5) else known)
        return tuple(self.size() for _ in range(self.rng.choice([1, 1, 2])))

    def bit(self):
        how = self.rng.randrange(3)
        if how == 0:
            one = self.emit(f"arith.constant {self.rng.randrange(5)} : i64")
            return self.emit(f"arith.cmpi sle, %p, {one} : i64")
        limit = self.index(self.rng.choice([0, 1, 2, 8]))
        value = self.rng.choice(self.sizes) if how == 1 else "%k"
        return self.emit(f"arith.cmpi slt, {value}, {limit} : index")

    # Sizes.

    def size_(self):
        a = self.rng.choice(self.sizes)
        b = self.rng.choice(self.sizes)
        small = self.index(self.rng.choice([2, 3, 5]))
        how = self.rng.choice(["add", "times", "down", "up", "max", "min", "less",
                               "apply", "half", "round", "mod", "pick", "guard"])
        if how == "add":
            made = self.emit(f"arith.addi {a}, {b} : index")
        elif how == "times":
            made = self.emit(f"arith.muli {a}, {small} : index")
        elif how == "down":
            made = self.emit(f"arith.divui {a}, {small} : index")
        elif how == "up":
            made = self.emit(f"arith.ceildivsi {a}, {small} : index")
        elif how in ("max", "min"):
            made = self.emit(f"arith.{how}si {a}, {b} : index")
        elif how == "less":
            less = self.emit(f"arith.subi {a}, {small} : index")
            made = self.emit(f"arith.maxsi {less}, {self.index(0)} : index")
        elif how == "apply":
            made = self.emit(
                f"affine.apply affine_map<()[s0, s1] -> (s0 + s1 floordiv 2)>()"
                f"[{a}, {b}]")
        elif how == "half":
            made = self.emit(
                f"affine.min affine_map<()[s0, s1] -> (s0 ceildiv 2, s1 + 1)>()"
                f"[{a}, {b}]")
        elif how == "round":
            made = self.emit(
                f"affine.apply affine_map<()[s0] -> ((s0 ceildiv 4) * 4)>()[{a}]")
        elif how == "guard":
            # The divisor may be 0 without the guard, and negative or huge.
            divisor = self.rng.choice([b, "%k"])
            guarded = self.emit(f"arith.maxui {divisor}, {self.index(1)} : index")
            kind = self.rng.choice(["divui", "ceildivui", "remui"])
            made = self.emit(f"arith.{kind} {a}, {guarded} : index")
        elif how == "mod":
            made = self.emit(f"arith.remui {a}, {small} : index")
        else:
            made = self.emit(f"arith.select {self.bit()}, {a}, {b} : index")
        # Keeps products small.
        if how in ("add", "times", "apply"):
            made = self.emit(f"arith.minsi {made}, {self.index(60)} : index")
        self.sizes.append(made)

    # Statements.

    def allocate(self, sizes, element, filled=True):
        dynamic = ", ".join(s for s in sizes if not isinstance(s, int))
        made = Buffer("", sizes, element, owned=self.block)
        align = " {alignment = 128 : i64}" if self.chance(0.1) else ""
        numbers = {text: number for number, text in self.constants.items()}
        if any(s in numbers for s in sizes) and self.chance(0.4):
            # An allocation of more static shape than its other names.
            shown = Buffer("", [numbers.get(s, s) for s in sizes], element)
            dynamic = ", ".join(s for s in shown.sizes if not isinstance(s, int))
            name = self.emit(f"memref.alloc({dynamic}){align} : {shown.type}")
            made.name = self.emit(f"memref.cast {name} : {shown.type} to {made.type}")
        else:
            made.name = self.emit(f"memref.alloc({dynamic}){align} : {made.type}")
        if filled:
            self.fill(made)
        self.buffers.append(made)
        return made

    def allocate_(self):
        self.allocate(self.shape(), self.rng.choice(ELEMENTS), self.chance(0.7))

    def scalar(self, element):
        number = self.rng.randrange(1, 9)
        text = f"{number}.5" if element == "f32" else f"{number}"
        return self.emit(f"arith.constant {text} : {element}")

    def fill(self, buffer):
        scalar = self.scalar(buffer.element)
        if self.chance(0.2) and len(buffer.sizes) == 1 and not buffer.layout:
            name = self.module.helper("fill", buffer.element, 1)
            whole = self.hide(buffer)
            self.line(f"func.call @{name}({whole}, {scalar}) : "
                      f"(memref<?x{buffer.element}>, {buffer.element}) -> ()")
        elif self.chance(0.2) and not buffer.layout:
            self.fill_by_loops(buffer, scalar)
        else:
            self.line(f"linalg.fill ins({scalar} : {buffer.element}) "
                      f"outs({buffer.name} : {buffer.type})")
        if buffer.root is buffer:
            buffer.filled = True

    def fill_by_loops(self, buffer, scalar):
        """A nest that stores to the buffer, maybe through a dynamic type."""
        hidden = Buffer("", ["?"] * len(buffer.sizes), buffer.element)
        shown = self.chance(0.5)
        name, kind = (buffer.name, buffer.type) if shown else (
            self.hide(buffer), hidden.type)
        variables = []
        for size in buffer.sizes:
            self.count += 1
            variables.append(f"%f{self.count}")
            end = self.index(size) if isinstance(size, int) else size
            self.line(f"scf.for {variables[-1]} = {self.index(0)} to {end} step "
                      f"{self.index(1)} {{")
            self.indent += 1
        self.line(f"memref.store {scalar}, {name}[{', '.join(variables)}] : {kind}")
        for _ in variables:
            self.indent -= 1
            self.line("}")

    def hide(self, buffer):
        """The buffer as a memref of dynamic shape."""
        hidden = Buffer(buffer.name, ["?"] * len(buffer.sizes), buffer.element)
        if hidden.type == buffer.type:
            return buffer.name
        return self.emit(f"memref.cast {buffer.name} : {buffer.type} to {hidden.type}")

    def fill_(self):
        buffer = self.pick(lambda b: b.name not in ("%x", "%y"))
        if buffer:
            self.fill(buffer)

    def same(self, buffer):
        return lambda b: (b.sizes == buffer.sizes and b.element == buffer.element
                          and b.readable)

    def add_(self):
        one = self.pick(lambda b: b.readable)
        if not one:
            return
        other = self.pick(self.same(one))
        out = self.pick(lambda b: b.sizes == one.sizes and
                        b.element == one.element and b.name not in ("%x", "%y"))
        if not out or self.chance(0.6):
            out = self.allocate(one.sizes, one.element, filled=False)
        add = "arith.addf" if one.element == "f32" else "arith.addi"
        self.line(f"linalg.map {{ {add} }} ins({one.name}, {other.name} : {one.type}, "
                  f"{other.type}) outs({out.name} : {out.type})")
        if out.root is out:
            out.filled = True

    def copy_(self):
        one = self.pick(lambda b: b.readable)
        if not one:
            return
        out = self.pick(lambda b: b.sizes == one.sizes and
                        b.element == one.element and b.root is not one.root
                        and b.name not in ("%x", "%y") and not b.layout
                        and b.owned)
        if not out or self.chance(0.6):
            out = self.allocate(one.sizes, one.element, filled=False)
        self.line(f"memref.copy {one.name}, {out.name} : {one.type} to {out.type}")
        if out.root is out:
            out.filled = True

    def read_one(self, buffer):
        rank = len(buffer.sizes)
        if buffer.layout or self.chance(0.5):
            total = self.sum_loop(buffer)
        else:
            name = self.module.helper("sum", buffer.element, rank)
            hidden = Buffer("", ["?"] * rank, buffer.element)
            total = self.emit(f"func.call @{name}({self.hide(buffer)}) : "
                              f"({hidden.type}) -> i64")
        self.line(f"func.call @mix({total}) : (i64) -> ()")

    def sum_loop(self, buffer):
        total = self.emit("arith.constant 7 : i64")
        ends, ivs = [], []
        for size in buffer.sizes:
            end = size if not isinstance(size, int) else self.index(size)
            self.count += 1
            own = self.count
            self.line(f"%v{own} = scf.for %j{own} = {self.index(0)} to {end} step "
                      f"{self.index(1)} iter_args(%s{own} = {total}) -> (i64) {{")
            self.indent += 1
            total = f"%s{own}"
            ivs.append(f"%j{own}")
            ends.append(f"%v{own}")
        item = self.emit(f"memref.load {buffer.name}[{', '.join(ivs)}] : {buffer.type}")
        item = _to_i64(self.emit, buffer.element, item)
        three = self.emit("arith.constant 3 : i64")
        scaled = self.emit(f"arith.muli {total}, {three} : i64")
        result = self.emit(f"arith.addi {scaled}, {item} : i64")
        for name in reversed(ends):
            self.line(f"scf.yield {result} : i64")
            self.indent -= 1
            self.line("}")
            result = name
        return result

    def read_(self):
        buffer = self.pick(lambda b: b.readable)
        if buffer:
            self.read_one(buffer)

    def view_(self):
        source = self.pick(lambda b: not b.layout)
        if not source:
            return
        rank = len(source.sizes)
        # Upstream folds a cast into a collapse although the types do not fit.
        is_cast = any(s in self.constants.values() for s in source.sizes)
        if rank == 2 and not is_cast and self.chance(0.5):
            a, b = (self.index(s) if isinstance(s, int) else s for s in source.sizes)
            if all(isinstance(s, int) for s in source.sizes):
                size = source.sizes[0] * source.sizes[1]
            else:
                size = self.emit(f"arith.muli {a}, {b} : index")
            made = Buffer("", [size], source.element, source.root)
            made.name = self.emit(f"memref.collapse_shape {source.name} [[0, 1]] : "
                                  f"{source.type} into {made.type}")
        elif rank == 1 and self.chance(0.5):
            size = source.sizes[0]
            made = Buffer("", [1, size], source.element, source.root)
            made.name = self.emit(
                f"memref.expand_shape {source.name} [[0, 1]] output_shape [1, {size}] : "
                f"{source.type} into {made.type}")
        elif rank == 1 and source.sizes[0] != 0:
            # The first half.
            size = source.sizes[0]
            whole = self.index(size) if isinstance(size, int) else size
            half = self.emit(f"arith.divui {whole}, {self.index(2)} : index")
            made = Buffer("", [half], source.element, source.root)
            made.layout = "strided<[1]>"
            made.name = self.emit(f"memref.subview {source.name}[0] [{half}] [1] : "
                                  f"{source.type} to {made.type}")
        else:
            return
        self.buffers.append(made)

    def free_(self):
        buffer = self.pick(lambda b: b.owned is self.block and b.root is b)
        if buffer:
            self.free(buffer)

    def free(self, buffer):
        if not self.module.weights["free"]:
            return
        self.line(f"memref.dealloc {buffer.name} : {buffer.type}")
        buffer.alive = False

    def free_own(self, probability):
        for buffer in list(self.buffers):
            if (buffer.owned is self.block and buffer.alive and buffer.root is buffer
                    and self.chance(probability)):
                self.free(buffer)

    def call_(self):
        """A private function that allocates."""
        buffer = self.pick(lambda b: b.readable and len(b.sizes) == 1 and not b.layout)
        if not buffer:
            return
        name = self.module.helper("twice", buffer.element, 1)
        total = self.emit(f"func.call @{name}({self.hide(buffer)}) : "
                          f"(memref<?x{buffer.element}>) -> i64")
        self.line(f"func.call @mix({total}) : (i64) -> ()")

    def work_(self):
        """A chain of buffers of one shape, each dead after the next."""
        sizes, element = self.shape(), self.rng.choice(ELEMENTS)
        last = self.allocate(sizes, element)
        for _ in range(self.rng.randrange(1, 4)):
            out = self.allocate(sizes, element, filled=False)
            add = "arith.addf" if element == "f32" else "arith.addi"
            self.line(f"linalg.map {{ {add} }} ins({last.name}, {last.name} : "
                      f"{last.type}, {last.type}) outs({out.name} : {out.type})")
            out.filled = True
            if self.chance(0.7):
                self.free(last)
            last = out
        self.read_one(last)

    # Regions.

    def if_(self):
        self.line(f"scf.if {self.bit()} {{")
        self.inside(self.small)
        if self.chance(0.6):
            self.line("} else {")
            self.inside(self.small)
        self.line("}")

    def guarded_(self):
        """A size that is negative or huge where control does not reach it."""
        ten = self.index(10)
        zero = self.index(0)
        if self.chance(0.5):
            value = (self.hidden() if self.chance(0.3)
                     else self.rng.choice(self.sizes))
            bit = self.emit(f"arith.cmpi sgt, {value}, {self.index(3)} : index")

            def size():
                return self.emit(f"arith.subi {value}, {self.index(3)} : index")
        else:
            low = self.emit(f"arith.cmpi sge, %k, {zero} : index")
            high = self.emit(f"arith.cmpi slt, %k, {ten} : index")
            bit = self.emit(f"arith.andi {low}, {high} : i1")
            factor = self.index(self.rng.choice([1, 8, -1]))

            def size():
                if factor == self.index(-1):
                    less = self.emit(f"arith.subi %k, {ten} : index")
                    return self.emit(f"arith.muli {less}, {factor} : index")
                return self.emit(f"arith.muli %k, {factor} : index")
        early = size() if self.chance(0.5) else None
        self.line(f"scf.if {bit} {{")

        def body():
            self.sizes.append(early or size())
            buffer = self.allocate([self.sizes[-1]], self.rng.choice(ELEMENTS))
            self.small()
            if buffer.alive:
                self.read_one(buffer)
                if self.chance(0.7):
                    self.free(buffer)

        self.inside(body)
        self.line("}")

    def hidden(self):
        """A constant extent that a cast hides."""
        number = self.rng.choice([0, 1, 5])
        shown, any_size = Buffer("", [number], "i32"), Buffer("", ["?"], "i32")
        name = self.emit(f"memref.alloc() : {shown.type}")
        name = self.emit(f"memref.cast {name} : {shown.type} to {any_size.type}")
        return self.emit(f"memref.dim {name}, {self.index(0)} : {any_size.type}")

    def for_(self):
        self.count += 1
        iv = f"%l{self.count}"
        end = self.rng.choice([self.index(2), self.index(3)] + self.sizes[:3])
        end = self.emit(f"arith.minsi {end}, {self.index(4)} : index")
        self.line(f"scf.for {iv} = {self.index(0)} to {end} step {self.index(1)} {{")

        def body():
            if self.chance(0.4):
                self.sizes.append(iv)
            self.small()

        self.inside(body)
        self.line("}")

    def carry_(self):
        """A loop that passes buffers of one shape to its next iteration."""
        sizes, element = self.shape(), self.rng.choice(ELEMENTS)
        count = self.rng.choice([1, 1, 2])
        inits = [self.allocate(sizes, element) for _ in range(count)]
        owns = self.chance(0.5) and bool(self.module.weights["free"])
        for init in inits:
            # The loop frees it, or may yield it.
            init.owned = None
        end = self.rng.choice([self.index(1), self.index(3), self.index(4)])
        self.count += 1
        own = self.count
        types = ", ".join([inits[0].type] * count)
        arguments = ", ".join(f"%c{own}_{i} = {b.name}" for i, b in enumerate(inits))
        self.line(f"%r{own}:{count} = scf.for %l{own} = {self.index(0)} to {end} step "
                  f"{self.index(1)} iter_args({arguments}) -> ({types}) {{")

        def body():
            # What the loop carries is used by its own names only.
            passed = [Buffer(f"%c{own}_{i}", sizes, element) for i in range(count)]
            hidden = [b for b in self.buffers if b in inits]
            for b in hidden:
                b.alive = False
            for b in passed:
                b.filled = True
                self.buffers.append(b)
            self.small()
            yields = []
            for b in passed:
                if owns:
                    fresh = self.allocate(sizes, element, filled=False)
                    add = "arith.addf" if element == "f32" else "arith.addi"
                    other = self.rng.choice([p for p in passed if p.alive])
                    self.line(f"linalg.map {{ {add} }} ins({b.name}, {other.name} : "
                              f"{b.type}, {b.type}) outs({fresh.name} : {b.type})")
                    fresh.owned = None
                    yields.append(fresh.name)
                elif self.chance(0.5):
                    fresh = self.allocate(sizes, element)
                    fresh.owned = None
                    yields.append(fresh.name)
                else:
                    yields.append(b.name)
            if owns:
                for b in passed:
                    self.line(f"memref.dealloc {b.name} : {b.type}")
            elif len(set(yields)) == len(yields) and self.chance(0.5):
                yields.reverse()
            self.line(f"scf.yield {', '.join(yields)} : {types}")
            for b in hidden:
                b.alive = True

        self.inside(body)
        self.line("}")
        for b in inits:
            b.alive = not owns
        for i in range(count):
            made = Buffer(f"%r{own}#{i}", sizes, element,
                          owned=self.block if owns else None)
            made.filled = True
            self.buffers.append(made)

    def choose_(self):
        """One of two buffers of one shape."""
        one = self.pick(lambda b: b.readable and not b.layout)
        if not one:
            return
        self.count += 1
        own = self.count
        self.line(f"%r{own} = scf.if {self.bit()} -> ({one.type}) {{")

        def fresh():
            if self.chance(0.5):
                self.statements(1)
            made = self.allocate(one.sizes, one.element)
            made.owned = None
            self.line(f"scf.yield {made.name} : {one.type}")

        def known():
            other = self.pick(lambda b: self.same(one)(b) and not b.layout)
            self.line(f"scf.yield {other.name} : {one.type}")
            return other

        self.inside(fresh)
        self.line("} else {")
        other = self.inside(known)
        self.line("}")
        other.root.owned = None
        made = Buffer(f"%r{own}", one.sizes, one.element, other.root)
        self.buffers.append(made)

    def dim_(self):
        """A size that is read from a buffer, also from one that a loop carries."""
        buffer = self.pick(lambda b: any(not isinstance(s, int) for s in b.sizes))
        if buffer:
            number = self.rng.choice([d for d, s in enumerate(buffer.sizes)
                                      if not isinstance(s, int)])
            self.sizes.append(self.emit(
                f"memref.dim {buffer.name}, {self.index(number)} : {buffer.type}"))

    def switch_(self):
        """One of several buffers of one shape, or nothing but statements."""
        three = self.index(3)
        which = self.emit(
            f"arith.remui {self.rng.choice(self.sizes + ['%k'])}, {three} : index")
        one = self.pick(lambda b: b.readable and not b.layout)
        if not one or self.chance(0.3):
            self.line(f"scf.index_switch {which}")
            for case in ("case 0", "case 2", "default"):
                self.line(case + " {")
                self.inside(self.small)
                self.line("  scf.yield")
                self.line("}")
            return
        self.count += 1
        own = self.count
        self.line(f"%r{own} = scf.index_switch {which} -> {one.type}")
        known = []

        def fresh():
            if self.chance(0.3):
                self.statements(1)
            made = self.allocate(one.sizes, one.element)
            made.owned = None
            self.line(f"scf.yield {made.name} : {one.type}")

        def old():
            other = self.pick(lambda b: self.same(one)(b) and not b.layout)
            known.append(other)
            self.line(f"scf.yield {other.name} : {one.type}")

        for case in ("case 0", "case 1", "default"):
            self.line(case + " {")
            self.inside(old if case == "default" or self.chance(0.3) else fresh)
            self.line("}")
        for other in known:
            other.root.owned = None
        # It lives as long as each that it may be.
        if len({other.root for other in known}) == 1:
            self.buffers.append(Buffer(f"%r{own}", one.sizes, one.element,
                                       known[0].root))

    def grow_(self):
        """A loop that carries a buffer whose extent may change."""
        element = self.rng.choice(ELEMENTS)
        init = self.allocate([self.rng.choice(self.sizes)], element)
        init.owned = None
        end = self.rng.choice([self.index(0), self.index(2), self.index(3)])
        self.count += 1
        own = self.count
        init_size = init.sizes[0]
        self.line(f"%r{own} = scf.for %l{own} = {self.index(0)} to {end} step "
                  f"{self.index(1)} iter_args(%c{own} = {init.name}) -> "
                  f"({init.type}) {{")

        def body():
            extent = self.emit(f"memref.dim %c{own}, {self.index(0)} : {init.type}")
            passed = Buffer(f"%c{own}", [extent], element)
            passed.filled = True
            init.alive = False
            self.buffers.append(passed)
            self.sizes.append(extent)
            if self.chance(0.7):
                self.read_one(passed)
            if self.chance(0.5):
                self.statements(2)
            how = self.rng.randrange(3)
            size = (init_size if how == 0 else extent if how == 1 else
                    self.emit(f"arith.divui {extent}, {self.index(2)} : index"))
            fresh = self.allocate([size], element)
            fresh.owned = None
            self.line(f"scf.yield {fresh.name} : {init.type}")
            init.alive = True

        self.inside(body)
        self.line("}")
        extent = self.emit(f"memref.dim %r{own}, {self.index(0)} : {init.type}")
        self.sizes.append(extent)
        made = Buffer(f"%r{own}", [extent], element)
        made.filled = True
        self.buffers.append(made)

    def parallel_(self):
        four = self.index(4)
        results = self.allocate([4], "i64")
        self.count += 1
        iv = f"%l{self.count}"
        self.line(f"scf.parallel ({iv}) = ({self.index(0)}) to ({four}) "
                  f"step ({self.index(1)}) {{")

        def body():
            sizes, element = self.shape(), self.rng.choice(ELEMENTS)
            one = self.allocate(sizes, element)
            other = self.allocate(sizes, element, filled=False)
            add = "arith.addf" if element == "f32" else "arith.addi"
            self.line(f"linalg.map {{ {add} }} ins({one.name}, {one.name} : {one.type}, "
                      f"{one.type}) outs({other.name} : {one.type})")
            total = self.sum_loop(other)
            self.line(f"memref.store {total}, {results.name}[{iv}] : {results.type}")
            self.free(one)
            self.free(other)
            self.line("scf.reduce")

        self.inside(body)
        self.line("}")
        self.read_one(results)


# Helpers.


def _to_i64(emit, element, value):
    if element == "i64":
        return value
    if element == "f32":
        value = emit(f"arith.bitcast {value} : f32 to i32")
    return emit(f"arith.extui {value} : i32 to i64")


def _sum(name, element, rank):
    shape = "?x" * rank
    total = "%total"
    lines = [f"  func.func private @{name}(%b: memref<{shape}{element}>) -> i64 {{",
             "    %zero = arith.constant 0 : index", "    %one = arith.constant 1 : index",
             "    %total = arith.constant 11 : i64", "    %three = arith.constant 3 : i64"]
    for d in range(rank):
        lines += [f"    %at{d} = arith.constant {d} : index",
                  f"    %n{d} = memref.dim %b, %at{d} : memref<{shape}{element}>"]
    for d in range(rank):
        lines.append(f"    %r{d} = scf.for %i{d} = %zero to %n{d} step %one "
                     f"iter_args(%s{d} = {total}) -> (i64) {{")
        total = f"%s{d}"
    at = ", ".join(f"%i{d}" for d in range(rank))
    lines.append(f"    %item = memref.load %b[{at}] : memref<{shape}{element}>")
    count = [0]

    def emit(operation):
        count[0] += 1
        lines.append(f"    %w{count[0]} = {operation}")
        return f"%w{count[0]}"

    item = _to_i64(emit, element, "%item")
    scaled = emit(f"arith.muli {total}, %three : i64")
    result = emit(f"arith.addi {scaled}, {item} : i64")
    for d in reversed(range(rank)):
        lines += [f"    scf.yield {result} : i64", "    }"]
        result = f"%r{d}"
    return "\n".join(lines + [f"    return {result} : i64", "  }"])


def _fill(name, element, rank):
    shape = "?x" * rank
    return (f"  func.func private @{name}(%b: memref<{shape}{element}>, %s: {element}) "
            f"{{\n    linalg.fill ins(%s : {element}) outs(%b : memref<{shape}{element}>)"
            "\n    return\n  }")


def _twice(name, element, rank):
    """Allocates buffers of the size of its argument, and of twice the size."""
    kind = f"memref<?x{element}>"
    add = "arith.addf" if element == "f32" else "arith.addi"
    one = "1.5" if element == "f32" else "1"
    body = _sum("sum", element, 1).split("\n")[1:-2]
    body = [line.replace("%b", "%d") for line in body]
    return "\n".join([
        f"  func.func private @{name}(%b: {kind}) -> i64 {{",
        "    %none = arith.constant 0 : index",
        "    %two = arith.constant 2 : index",
        f"    %some = arith.constant {one} : {element}",
        f"    %n = memref.dim %b, %none : {kind}",
        "    %m = arith.muli %n, %two : index",
        f"    %c = memref.alloc(%n) : {kind}",
        f"    linalg.map {{ {add} }} ins(%b, %b : {kind}, {kind}) outs(%c : {kind})",
        f"    %d = memref.alloc(%m) : {kind}",
        f"    linalg.fill ins(%some : {element}) outs(%d : {kind})",
        f"    %half = memref.subview %d[0] [%n] [1] : {kind} to "
        f"memref<?x{element}, strided<[1]>>",
        f"    memref.copy %c, %half : {kind} to memref<?x{element}, strided<[1]>>",
        f"    memref.dealloc %c : {kind}"] + body + [
            f"    memref.dealloc %d : {kind}", "    return %r0 : i64", "  }"])


_HELPERS = {"sum": _sum, "fill": _fill, "twice": _twice}
