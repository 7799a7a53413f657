#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random nests of parallel loops before and after planning.

  fuzz_workers.py --first 1 --count 1000

Iterations allocate buffers: several at once and one after another, freed or not,
carried by a sequential loop, allocated in one of two branches or by callees, and read
by inner loops. The loops are of all kinds, of one or two dimensions, with any bounds
and steps, constant or not. Each program is planned with several options, executed and
compared. The planned program must be verified directly, lowered, and after
canonicalization and common subexpression elimination. The exit status is 1 after a
failure.
"""

import argparse
import itertools
import os
import random
import sys

from execution import STRATEGIES, StepFailed, Tools

OPTIONS = ["", "scope=module", "workers=2"]
BUFFER = "memref<8xi64>"
LIBRARY = """
func.func private @hide(%x: index) -> index {
  return %x : index
}
func.func private @scratch(%x: i64) -> i64 {
  %c3 = arith.constant 3 : index
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>)
    outs(%u : memref<8xi64>)
  %y = memref.load %u[%c3] : memref<8xi64>
  return %y : i64
}
"""


class Nest:
    """One program. Every value depends on all values computed before it."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.names = 0
        self.indent = 1

    def line(self, text):
        self.lines.append("  " * self.indent + text)

    def open(self, text):
        self.line(text)
        self.indent += 1

    def close(self, text="}"):
        self.indent -= 1
        self.line(text)

    def name(self):
        self.names += 1
        return f"%v{self.names}"

    def emit(self, text):
        name = self.name()
        self.line(f"{name} = {text}")
        return name

    def index(self, value):
        return self.emit(f"arith.constant {value} : index")

    def number(self, value):
        return self.emit(f"arith.constant {value} : i64")

    def combine(self, old, factor, new):
        scaled = self.emit(f"arith.muli {old}, {self.number(factor)} : i64")
        return self.emit(f"arith.addi {scaled}, {new} : i64")

    def fill(self, value, op="memref.alloc", type_=BUFFER):
        buffer = self.emit(f"{op}() : {type_}")
        self.line(f"linalg.fill ins({value} : i64) outs({buffer} : {type_})")
        return buffer

    def load(self, buffer):
        place = self.index(self.rng.randrange(8))
        return self.emit(f"memref.load {buffer}[{place}] : {BUFFER}")

    def carried(self, value):
        """A loop that replaces its carried buffer by a new one."""
        first = self.fill(value)
        bounds = [self.index(i) for i in (0, self.rng.randrange(4), 1)]
        result, variable, argument = self.name(), self.name(), self.name()
        self.open(f"{result} = scf.for {variable} = {bounds[0]} to {bounds[1]} "
                  f"step {bounds[2]} iter_args({argument} = {first}) "
                  f"-> ({BUFFER}) {{")
        last = self.combine(self.load(argument), 3, self.number(1))
        self.line(f"scf.yield {self.fill(last)} : {BUFFER}")
        self.close()
        return self.combine(value, 5, self.load(result))

    def branches(self, value):
        rest = self.emit(f"arith.remsi {value}, {self.number(2)} : i64")
        even = self.emit(f"arith.cmpi eq, {rest}, {self.number(0)} : i64")
        result = self.name()
        self.open(f"{result} = scf.if {even} -> ({BUFFER}) {{")
        self.line(f"scf.yield {self.fill(value)} : {BUFFER}")
        self.close("} else {")
        self.indent += 1
        self.line(f"scf.yield {self.fill(rest)} : {BUFFER}")
        self.close()
        return self.combine(value, 7, self.load(result))

    def body(self, value, depth):
        live = []
        for _ in range(self.rng.randrange(1, 5)):
            kind = self.rng.choice(["new", "new", "read", "end", "carried",
                                    "branches", "call", "loop"])
            if kind == "new":
                op = self.rng.choice(["memref.alloc"] * 3 + ["memref.alloca"])
                live.append((self.fill(value, op), op))
            elif kind == "read" and live:
                value = self.combine(value, 3,
                                     self.load(self.rng.choice(live)[0]))
            elif kind == "end" and live:
                buffer, op = live.pop(self.rng.randrange(len(live)))
                value = self.combine(value, 9, self.load(buffer))
                if op == "memref.alloc" and self.rng.random() < 0.5:
                    self.line(f"memref.dealloc {buffer} : {BUFFER}")
            elif kind == "carried":
                value = self.carried(value)
            elif kind == "branches":
                value = self.branches(value)
            elif kind == "call":
                value = self.emit(f"func.call @scratch({value}) : (i64) -> i64")
            elif kind == "loop" and depth < 3:
                value = self.loop(value, depth, [b for b, _ in live])
        for buffer, _ in live:
            if self.rng.random() < 0.6:
                value = self.combine(value, 11, self.load(buffer))
        return value

    def open_loop(self, variables, bounds):
        kind = self.rng.choice(["scf.parallel", "scf.forall",
                                "affine.parallel"])
        hidden = self.rng.random() < 0.3

        def operand(value):
            if kind == "affine.parallel":
                return str(value)
            name = self.index(value)
            return self.emit(f"func.call @hide({name}) : (index) -> index"
                             ) if hidden else name

        lower, upper, step = (", ".join(map(operand, part)) for part in bounds)
        self.open(f"{kind} ({', '.join(variables)}) = ({lower}) to ({upper}) "
                  f"step ({step}) {{")

    def loop(self, value, depth, outer):
        """A parallel loop; every iteration has a cell for its result."""
        rng = self.rng
        rank = rng.choice([1, 1, 2])
        counts = [rng.choice([0, 1, 2, 2, 3, 4] if rank == 1 else [1, 2, 3])
                  for _ in range(rank)]
        if depth == 0 and rng.random() < 0.4:
            counts[0] = rng.randrange(4, 12)
        lower = [rng.randrange(3) for _ in range(rank)]
        step = [rng.choice([1, 1, 2, 3]) for _ in range(rank)]
        # The last step may be shorter than the others.
        upper = [l + c * s - (rng.randrange(s) if c else 0)
                 for l, c, s in zip(lower, counts, step)]
        shape = [max(1, u) for u in upper]
        type_ = f"memref<{'x'.join(map(str, shape))}xi64>"
        cells = self.fill(value, type_=type_)
        variables = [self.name() for _ in range(rank)]
        self.open_loop(variables, (lower, upper, step))
        own = value
        for variable in variables:
            number = self.emit(f"arith.index_cast {variable} : index to i64")
            own = self.combine(own, 7, number)
        if outer and rng.random() < 0.7:
            own = self.combine(own, 5, self.load(rng.choice(outer)))
        own = self.body(own, depth + 1)
        self.line(f"memref.store {own}, {cells}[{', '.join(variables)}] "
                  f": {type_}")
        self.close()
        for cell in itertools.islice(
                itertools.product(*map(range, shape)), 12):
            place = ", ".join(self.index(i) for i in cell)
            value = self.combine(
                value, 5, self.emit(f"memref.load {cells}[{place}] : {type_}"))
        return value

    def program(self):
        value = self.number(1)
        live = []
        for _ in range(self.rng.randrange(1, 4)):
            live.append(self.fill(value))
            value = self.loop(value, 0, live)
            self.line(f"vector.print {value} : i64")
        for buffer in live:
            value = self.combine(value, 3, self.load(buffer))
        self.line(f"vector.print {value} : i64")
        return "\n".join([LIBRARY, "func.func @main() {", *self.lines,
                          "  return", "}", ""])


def check(tools, seed, text):
    """Tests all options; returns the numbers of planned and other buffers, or raises."""
    original = tools.execute(text)
    planned = left = 0
    for options in OPTIONS:
        tools.options = options
        kept, lowered, _ = tools.plan(text, STRATEGIES[seed % len(STRATEGIES)])
        planned += kept.count("= memplan.view")
        left += kept.count("= memref.alloc")
        printed = tools.execute(lowered, fresh_byte=170)
        if printed != original:
            raise StepFailed(f"comparison with '{options}'", printed)
        tools.memplan("verification after cleaning up", lowered,
                      "--canonicalize", "--cse", "--memplan-verify")
    return planned, left


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--driver", help="memplan-test-programs")
    arguments = parser.parse_args()
    tools = Tools(arguments.driver)
    wrong = planned = left = 0
    for seed in range(arguments.first, arguments.first + arguments.count):
        text = Nest(seed).program()
        try:
            counts = check(tools, seed, text)
            planned, left = planned + counts[0], left + counts[1]
        except StepFailed as problem:
            wrong += 1
            print(f"program {seed}: {problem}", flush=True)
            if arguments.keep:
                os.makedirs(arguments.keep, exist_ok=True)
                with open(f"{arguments.keep}/{seed}.mlir", "w",
                          encoding="utf-8") as file:
                    file.write(text)
    print(f"{arguments.count} programs, {wrong} wrong; "
          f"{planned} buffers planned, {left} left")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
