#!/usr/bin/python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""analysis.py [--write FILE [--replace]] [--runs N] [--large] [--only KIND]

Measures plan-memory on programs of growing size: the time of the pass, including
verification, and the time in which MLIR parses the program. `growth` is the
exponent of the time as a power of the number of ops; 1 is linear. --print KIND
SIZE prints a program instead.
"""
import argparse
import itertools
import math
import os
import re
import subprocess
import sys
import tempfile

import tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "bin", "memplan-opt")
SOLVER_BENCH = os.path.join(ROOT, "build", "bin", "memplan-solver-bench")
TYPE = "memref<16xf32>"

HEADER = """# The cost of the analysis

Written by `./dev bench`; do not edit. The programs of `benchmarks/analysis.py` are planned
with `strategy=greedy`, so that the solver takes little of the time. *plan / parse* is the
time of `plan-memory`, including verification, divided by the time in which MLIR parses the
program (`--mlir-timing`); the time in which MLIR verifies the program after a pass does
not count. *growth* is the exponent of the planning time in the number of ops, relative to
the previous row: 1 is linear, 2 quadratic. *MB* is the peak memory of `memplan-opt`. Call trees are planned with `scope=module`.

The states of the plan verifier at two points of a program share their equal parts. So a
buffer costs time only where its state changes, not wherever it is live (*wide-blocks*).
This does not hold for buffers that may be in several slots: if N conditionals each choose
between two buffers, and all results stay live (*choices*), the verifier compares each
result with all previous ones. For each asynchronous task (*tasks*) it visits all ops
between start and end.

If a value may be any of a growing number of buffers (*linked*, *nested*), the sets of
buffers of the values share their common parts, and the planner visits each value of a
group once, not once for each buffer.

In a loop that permutes many buffers (*permuted*) each buffer may be in any slot, and each
pair of slots is distinguished, which takes quadratic time. A chain of values, each of which
may be in one more slot, takes more than quadratic time if the slots cannot share bytes:
some seconds for 2000 values. A report has the live points of each buffer, and so takes
quadratic memory if many buffers share one slot and are live at many points (*linked*);
without a report they are not derived. For nests of a thousand levels (*loops*, *branches*,
*nested*) MLIR itself takes quadratic time, because it visits the inner ops again for each
level; some thousand levels are too deep for its recursion. `memplan-opt` asks for a larger
stack, so that ten thousand levels pass (20 s with one buffer).

In a block graph, parts that a buffer is live through as a whole are not visited block by
block (*wide-blocks*, where each buffer is live through half of the blocks). Such a part
lies between two blocks and is bypassed by the same edges. If edges overlap, as with a loop
that is entered in two places, and in a loop that a buffer from outside is live through,
each block costs time for each buffer that is live there.

Where staggered loops hand buffers around (*staggered-pairs*, *staggered-choices*), the
verifier knows for each two values whether they share bytes. Blocks share what they know of
the values that live through them, and each block relates its own value to those, which
takes quadratic time. The dataflow visits the blocks forwards and backwards in turn, so that
one visit of all blocks follows a chain of edges that lead back.

*best-fit* and *linear-scan* are the growth of the simple strategies for problems with the
lives of training (`memplan-solver-bench --growth`), where ops are buffers.

"""


def fill(name):
    return f"linalg.fill ins(%k : f32) outs({name} : {TYPE})"



def function(lines):
    head = ["func.func @f(%c: i1, %n: index) {",
            "  %c0 = arith.constant 0 : index",
            "  %c1 = arith.constant 1 : index",
            "  %k = arith.constant 1.0 : f32"]
    return "\n".join(head + lines + ["  return", "}"]) + "\n"


def chain(ops):
    """Each buffer is computed from the previous one."""
    lines = [f"%b0 = memref.alloc() : {TYPE}", fill("%b0")]
    for i in range(1, ops // 2):
        lines.append(f"%b{i} = memref.alloc() : {TYPE}")
        lines.append(f"linalg.exp ins(%b{i - 1} : {TYPE}) outs(%b{i} : {TYPE})")
    return function(lines)


def wide(buffers):
    """All buffers are written before any is read."""
    lines = []
    for i in range(buffers):
        lines += [f"%b{i} = memref.alloc() : {TYPE}", fill(f"%b{i}")]
    for i in range(buffers):
        lines.append(f"linalg.exp ins(%b{i} : {TYPE}) outs(%b{buffers - 1 - i} "
                     f": {TYPE})")
    return function(lines)


def training(count):
    """Half of the buffers are computed in a chain, and each of them is read by one of the
    other half, which are computed in place in the opposite order."""
    half = count // 2
    lines = made("%a0")
    for i in range(1, half):
        lines += [f"%a{i} = memref.alloc() : {TYPE}",
                  f"linalg.exp ins(%a{i - 1} : {TYPE}) outs(%a{i} : {TYPE})"]
    last = f"%a{half - 1}"
    for i in reversed(range(half)):
        lines += [f"%g{i} = memref.alloc() : {TYPE}",
                  f"linalg.mul ins({last}, %a{i} : {TYPE}, {TYPE}) outs(%g{i} : {TYPE})"]
        last = f"%g{i}"
    return function(lines + [f"linalg.exp ins({last} : {TYPE}) outs({last} : {TYPE})"])


def nest(levels, opening, closing):
    lines = []
    for i in range(levels):
        lines += [f"%b{i} = memref.alloc() : {TYPE}", fill(f"%b{i}"),
                  opening.replace("#", str(i))]
    for i in reversed(range(levels)):
        lines += [closing, f"linalg.exp ins(%b{i} : {TYPE}) outs(%b{i} : {TYPE})"]
    return function(lines)


def loops(levels):
    """A buffer at each level of a nest of loops."""
    return nest(levels, "scf.for %i# = %c0 to %n step %c1 {", "}")


def branches(levels):
    """A buffer at each level of a nest of conditionals."""
    return nest(levels, "scf.if %c {", "}")


def phi_cycles(count):
    """Loops, each of a carried buffer that is replaced in every iteration."""
    lines = []
    for i in range(count):
        lines += [
            f"%a{i} = memref.alloc() : {TYPE}", fill(f"%a{i}"),
            f"%r{i} = scf.for %i{i} = %c0 to %n step %c1 "
            f"iter_args(%x{i} = %a{i}) -> ({TYPE}) {{",
            f"  %b{i} = memref.alloc() : {TYPE}",
            f"  linalg.exp ins(%x{i} : {TYPE}) outs(%b{i} : {TYPE})",
            f"  scf.yield %b{i} : {TYPE}", "}",
            f"linalg.exp ins(%r{i} : {TYPE}) outs(%r{i} : {TYPE})"]
    return function(lines)


def permuted(count):
    """One loop that rotates its buffers by one position; the first one is fresh."""
    lines = []
    for i in range(count):
        lines += [f"%a{i} = memref.alloc() : {TYPE}", fill(f"%a{i}")]
    carried = ", ".join(f"%x{i} = %a{i}" for i in range(count))
    types = ", ".join([TYPE] * count)
    lines += [
        f"%r:{count} = scf.for %i = %c0 to %n step %c1 iter_args({carried}) "
        f"-> ({types}) {{",
        f"  %b = memref.alloc() : {TYPE}",
        f"  linalg.exp ins(%x{count - 1} : {TYPE}) outs(%b : {TYPE})",
        "  scf.yield " + ", ".join(["%b"] + [f"%x{i}" for i in range(count - 1)])
        + f" : {types}", "}"]
    for i in range(count):
        lines.append(f"linalg.exp ins(%r#{i} : {TYPE}) outs(%r#{i} : {TYPE})")
    return function(lines)


def branch(result, first, second):
    """A conditional that gives the buffer of one branch or the other."""
    return ([f"{result} = scf.if %c -> ({TYPE}) {{"] + first + ["} else {"]
            + second + ["}", f"linalg.exp ins({result} : {TYPE}) outs({result} "
                        f": {TYPE})"])


def made(name):
    return [f"{name} = memref.alloc() : {TYPE}", fill(name)]


def give(name):
    return f"scf.yield {name} : {TYPE}"


def joins(count):
    """Conditionals, each of which chooses one of two buffers."""
    lines = []
    for i in range(count):
        lines += made(f"%a{i}") + made(f"%b{i}") + branch(
            f"%r{i}", [give(f"%a{i}")], [give(f"%b{i}")])
    return function(lines)


def linked(count):
    """Conditionals that yield the buffer of the previous one, or a new one."""
    lines = made("%r0")
    for i in range(1, count + 1):
        lines += branch(f"%r{i}", [give(f"%r{i - 1}")],
                        made(f"%d{i}") + [give(f"%d{i}")])
    return function(lines)


def choices(count):
    """Conditionals that yield the buffer of the previous one, or one of their own;
    all of them are read in the end."""
    lines = made("%r0")
    for i in range(1, count + 1):
        lines += made(f"%d{i}")
        lines += branch(f"%r{i}", [give(f"%r{i - 1}")], [give(f"%d{i}")])[:-1]
    lines += [f"linalg.exp ins(%r{i} : {TYPE}) outs(%r{i} : {TYPE})"
              for i in range(count + 1)]
    return function(lines)


def computed(count):
    """Conditionals that yield the buffer of the previous one, or one that is computed
    from it. From 256 on the buffers are left as they are."""
    lines = made("%r0")
    for i in range(1, count):
        lines += branch(f"%r{i}", [give(f"%r{i - 1}")],
                        [f"%d{i} = memref.alloc() : {TYPE}",
                         f"linalg.exp ins(%r{i - 1} : {TYPE}) outs(%d{i} : {TYPE})",
                         give(f"%d{i}")])[:-1]
    return function(lines + [f"linalg.exp ins(%r{count - 1} : {TYPE}) "
                             f"outs(%r{count - 1} : {TYPE})"])


def selected(count):
    """Selects, each of which chooses between the results of the two before it."""
    lines = made("%r0") + made("%r1")
    for i in range(2, count):
        lines += [f"%r{i} = arith.select %c, %r{i - 2}, %r{i - 1} : {TYPE}",
                  f"linalg.exp ins(%r{i} : {TYPE}) outs(%r{i} : {TYPE})"]
    return function(lines)


def tasks(count):
    """Tasks, each of which waits for the previous one and reads its result."""
    lines = made("%a0") + ["%t0 = async.execute {", "  async.yield", "}"]
    for i in range(1, count + 1):
        lines += [f"%a{i} = memref.alloc() : {TYPE}",
                  f"%t{i} = async.execute [%t{i - 1}] {{",
                  f"  linalg.exp ins(%a{i - 1} : {TYPE}) outs(%a{i} : {TYPE})",
                  "  async.yield", "}"]
    return function(lines + [f"async.await %t{count} : !async.token"])


def nested(count):
    """Nested conditionals that yield the buffer of the inner one, or a new one."""
    lines = [f"%r{i} = scf.if %c -> ({TYPE}) {{" for i in range(count)]
    lines += made(f"%r{count}")
    for i in reversed(range(count)):
        lines += branch(f"%r{i}", [give(f"%r{i + 1}")],
                        made(f"%d{i}") + [give(f"%d{i}")])[1:]
    return function(lines)


def calls(count):
    """A tree of functions, each of which calls two others between its uses of a buffer."""
    lines = []
    for i in range(count, 0, -1):
        visibility = "private " if i > 1 else ""
        lines += [f"func.func {visibility}@f{i}() {{",
                  "  %k = arith.constant 1.0 : f32"] + made("%a")
        lines += [f"  func.call @f{j}() : () -> ()" for j in (2 * i, 2 * i + 1)
                  if j <= count]
        lines += [f"  linalg.exp ins(%a : {TYPE}) outs(%a : {TYPE})", "  return",
                  "}"]
    return "\n".join(lines) + "\n"


def cases(count):
    """A loop around a switch; each case replaces the carried buffer by a fresh one."""
    lines = made("%a") + [
        f"cf.br ^head(%c0, %a : index, {TYPE})", f"^head(%i: index, %x: {TYPE}):",
        "  %next = arith.addi %i, %c1 : index",
        "  %goes = arith.cmpi slt, %i, %n : index",
        "  %case = arith.index_cast %i : index to i32",
        "  cf.cond_br %goes, ^body, ^exit", "^body:",
        "  cf.switch %case : i32, [default: ^case0"
        + "".join(f", {i}: ^case{i}" for i in range(1, count)) + "]"]
    for i in range(count):
        lines += [f"^case{i}:", f"  %b{i} = memref.alloc() : {TYPE}",
                  f"  linalg.exp ins(%x : {TYPE}) outs(%b{i} : {TYPE})",
                  f"  cf.br ^head(%next, %b{i} : index, {TYPE})"]
    return function(lines + ["^exit:"])


def deep(levels):
    """A nest of loops through all of which one buffer is carried."""
    lines = made("%x0")
    for i in range(levels):
        lines.append(f"%r{i} = scf.for %i{i} = %c0 to %n step %c1 "
                     f"iter_args(%x{i + 1} = %x{i}) -> ({TYPE}) {{")
    lines += [f"%r{levels} = memref.alloc() : {TYPE}",
              f"linalg.exp ins(%x{levels} : {TYPE}) outs(%r{levels} : {TYPE})"]
    for i in range(levels, 0, -1):
        lines += [give(f"%r{i}"), "}"]
    return function(lines + [f"linalg.exp ins(%r0 : {TYPE}) outs(%r0 : {TYPE})"])


def casts(count):
    """One buffer with a chain of casts."""
    types = [TYPE, "memref<?xf32>"]
    lines = made("%x0")
    for i in range(count):
        lines.append(f"%x{i + 1} = memref.cast %x{i} : {types[i % 2]} to "
                     f"{types[(i + 1) % 2]}")
    last = types[count % 2]
    lines.append(f"linalg.exp ins(%x{count} : {last}) outs(%x{count} : {last})")
    return function(lines)


def handed(count):
    """A chain of functions, each of which passes a buffer to the next."""
    lines = []
    for i in range(count, 0, -1):
        visibility = "private " if i > 1 else ""
        lines += [f"func.func {visibility}@f{i}(%x: {TYPE}) {{",
                  "  %k = arith.constant 1.0 : f32"] + made("%a")
        if i < count:
            lines.append(f"  func.call @f{i + 1}(%a) : ({TYPE}) -> ()")
        lines += [f"  linalg.exp ins(%a : {TYPE}) outs(%x : {TYPE})", "  return",
                  "}"]
    return "\n".join(lines) + "\n"


def returned(count):
    """A chain of functions, each of which returns the buffer that the next one allocates."""
    lines = []
    for i in range(count, 0, -1):
        visibility = "private " if i > 1 else ""
        lines += [f"func.func {visibility}@f{i}() -> {TYPE} {{",
                  "  %k = arith.constant 1.0 : f32"]
        lines += ([f"  %a = func.call @f{i + 1}() : () -> {TYPE}"] if i < count
                  else made("%a"))
        lines += [f"  linalg.exp ins(%a : {TYPE}) outs(%a : {TYPE})",
                  f"  return %a : {TYPE}", "}"]
    return "\n".join(lines) + "\n"


def relayed(count):
    """A chain of functions, each of which passes a buffer to the next and returns what that
    one returns."""
    lines = []
    for i in range(count, 0, -1):
        visibility = "private " if i > 1 else ""
        lines += [f"func.func {visibility}@f{i}(%x: {TYPE}) -> {TYPE} {{",
                  f"  %a = memref.alloc() : {TYPE}",
                  f"  linalg.exp ins(%x : {TYPE}) outs(%a : {TYPE})"]
        last = "%a"
        if i < count:
            last = "%r"
            lines.append(f"  %r = func.call @f{i + 1}(%a) : ({TYPE}) -> {TYPE}")
        lines += [f"  return {last} : {TYPE}", "}"]
    return "\n".join(lines) + "\n"


def ring(blocks):
    """Blocks that forward two buffers in swapped order, and back to the first block."""
    lines = [f"%a = memref.alloc() : {TYPE}", fill("%a"),
             f"%b = memref.alloc() : {TYPE}", fill("%b"),
             f"cf.br ^b0(%a, %b : {TYPE}, {TYPE})"]
    for i in range(blocks):
        there = f"^b{i + 1}(%y{i}, %x{i} : {TYPE}, {TYPE})"
        lines += [f"^b{i}(%x{i}: {TYPE}, %y{i}: {TYPE}):",
                  f"  linalg.exp ins(%x{i} : {TYPE}) outs(%y{i} : {TYPE})",
                  f"  cf.br {there}"]
    lines += [f"^b{blocks}(%x{blocks}: {TYPE}, %y{blocks}: {TYPE}):",
              f"  cf.cond_br %c, ^b0(%x{blocks}, %y{blocks} : {TYPE}, {TYPE}), "
              "^exit", "^exit:"]
    return function(lines)


def staggered(blocks):
    """Blocks that each read a buffer of the block before, with a branch three blocks back."""
    lines = made("%a0") + ["cf.br ^b1"]
    for i in range(1, blocks):
        lines += [f"^b{i}:", f"  %a{i} = memref.alloc() : {TYPE}",
                  f"  linalg.exp ins(%a{i - 1} : {TYPE}) outs(%a{i} : {TYPE})",
                  f"  cf.cond_br %c, ^b{i + 1}, ^b{max(1, i - 3)}"]
    return function(lines + [f"^b{blocks}:"])


def hand_around(blocks, given):
    """Blocks, each of which hands a buffer of its own to the next one and `given` to the
    third one before; all buffers are read in the end."""
    lines = []
    for i in range(blocks):
        lines += made(f"%a{i}")
    lines.append(f"cf.br ^b1(%a0 : {TYPE})")
    for i in range(1, blocks):
        lines += [f"^b{i}(%x{i}: {TYPE}):",
                  f"  linalg.exp ins(%x{i} : {TYPE}) outs(%x{i} : {TYPE})",
                  f"  cf.cond_br %c, ^b{i + 1}(%a{i} : {TYPE}), "
                  f"^b{max(1, i - 3)}({given}{i} : {TYPE})"]
    lines.append(f"^b{blocks}(%x{blocks}: {TYPE}):")
    lines += [f"linalg.exp ins(%a{i} : {TYPE}) outs(%a{i} : {TYPE})" for i in range(blocks)]
    return function(lines)


def staggered_pairs(blocks):
    """Blocks, each of which hands a buffer of its own to the next one and to the third one
    before; all buffers are read in the end."""
    return hand_around(blocks, "%a")


def staggered_choices(blocks):
    """The same, but each block hands what it was given to the third one before, so that a
    value may be one of many buffers. From 257 on the buffers are left as they are."""
    return hand_around(blocks, "%x")


def measured(count):
    """A chain of buffers, each of which is as large as the one before it."""
    unknown = "memref<?xf32>"
    lines = [f"%b0 = memref.alloc(%n) : {unknown}",
             f"linalg.fill ins(%k : f32) outs(%b0 : {unknown})"]
    for i in range(1, count):
        lines += [f"%s{i} = memref.dim %b{i - 1}, %c0 : {unknown}",
                  f"%b{i} = memref.alloc(%s{i}) : {unknown}",
                  f"linalg.exp ins(%b{i - 1} : {unknown}) outs(%b{i} : {unknown})"]
    return function(lines)


def in_blocks(make):
    """The programs of another kind, with loops that are graphs of blocks."""
    def build(size):
        return subprocess.run(
            [TOOL, "--convert-linalg-to-loops", "--lower-affine",
             "--convert-scf-to-cf"], input=make(size), text=True,
            stdout=subprocess.PIPE, check=True).stdout
    build.__doc__ = (f"The programs of *{make.__name__}*, with loops that are "
                     "graphs of blocks.")
    return build


# By kind: its generator, the sizes to measure, and those of --large.
KINDS = {
    "chain": (chain, [1000, 10000], [100000]),
    "wide": (wide, [100, 1000], [10000]),
    "training": (training, [1000, 10000], [100000]),
    "loops": (loops, [10, 100], [1000]),
    "branches": (branches, [10, 100], [1000]),
    "phi-cycles": (phi_cycles, [10, 100], [1000]),
    "permuted": (permuted, [2, 20], [200]),
    "ring": (ring, [10, 100], [1000]),
    "joins": (joins, [10, 100], [1000]),
    "linked": (linked, [10, 100, 1000], [10000]),
    "computed": (computed, [100, 1000, 10000], [100000]),
    "choices": (choices, [10, 100], [200]),
    "selected": (selected, [10, 100], [1000]),
    "nested": (nested, [10, 100], [1000]),
    "tasks": (tasks, [10, 100], [1000]),
    "calls": (calls, [10, 100, 1000], [10000]),
    "handed": (handed, [10, 100, 1000], [10000]),
    "returned": (returned, [10, 100, 1000], [10000]),
    "relayed": (relayed, [10, 100, 1000], [30000]),
    "cases": (cases, [10, 100], [1000]),
    "deep": (deep, [10, 100], [500]),
    "casts": (casts, [100, 1000], [20000]),
    "staggered": (staggered, [150, 300, 600], [1200]),
    "staggered-pairs": (staggered_pairs, [150, 300, 600], [1200]),
    "staggered-choices": (staggered_choices, [60, 120], [240]),
    "measured": (measured, [1000, 10000], [100000]),
    "chain-blocks": (in_blocks(chain), [100, 1000], [10000]),
    "phi-cycles-blocks": (in_blocks(phi_cycles), [10, 100], [1000]),
    "wide-blocks": (in_blocks(wide), [100, 1000], [10000]),
}
# Options of a kind in addition to the strategy.
OPTIONS = {"calls": "scope=module", "returned": "scope=module", "relayed": "scope=module"}


# Runs a command for some seconds at most and prints its peak memory in MB.
MEASURED = """import resource, subprocess, sys
try:
    code = subprocess.run(sys.argv[2:], timeout=float(sys.argv[1])).returncode
except subprocess.TimeoutExpired:
    sys.exit(124)
print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, file=sys.stderr)
sys.exit(code)"""


def measure(path, options, runs, limit):
    """(seconds of planning, seconds of parsing, peak memory in MB) or None."""
    best = None
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, str(limit), TOOL, path,
             f"--plan-memory=strategy=greedy {options}", "-o", os.devnull,
             "--verify-each=false", "--mlir-timing", "--mlir-timing-display=list"],
            text=True, stderr=subprocess.PIPE, check=False)
        if done.returncode == 124:
            return None
        if "failed verification" in done.stderr:
            raise SystemExit(f"{path}: {done.stderr[:2000]}")
        done.check_returncode()
        times = [float(re.search(r"([\d.]+) \([^)]*\)\s+" + name,
                                 done.stderr).group(1))
                 for name in ("PlanMemory", "Parser")]
        times.append(float(done.stderr.rsplit("peak ", 1)[1]))
        best = times if best is None else [min(p) for p in zip(best, times)]
    return best


def rows(arguments, folder):
    for kind, (make, small, large) in KINDS.items():
        if arguments.only and kind not in arguments.only:
            continue
        before = None
        for size in small + (large if arguments.large else []):
            text = make(size)
            path = os.path.join(folder, f"{kind}-{size}.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            ops = sum(1 for line in text.splitlines()
                      if line.strip() not in ("}", "") and
                      not line.strip().startswith("^"))
            found = measure(path, OPTIONS.get(kind, ""), arguments.runs,
                            arguments.limit)
            if found is None:
                yield (f"| {kind} | {size} | {ops} | over {arguments.limit} s "
                       "| | | |")
                break
            plan, parse, peak = found
            growth = ""
            if before and before[0] > 0.001:
                growth = f"{math.log(plan / before[0]) / math.log(ops / before[1]):.2f}"
            before = (plan, ops)
            yield (f"| {kind} | {size} | {ops} | {1e6 * plan / ops:.1f} | "
                   f"{plan / max(parse, 1e-4):.1f} | {growth} | {peak:.0f} |")


# Simple strategies of memplan-solve, and the lives for which they are measured.
STRATEGIES, LIVES = ("linear-scan", "best-fit"), "training"


def strategy_rows(wanted):
    if not wanted:
        return
    table = subprocess.run(
        [SOLVER_BENCH, "--growth", "--max-size=100000"], text=True,
        stdout=subprocess.PIPE, check=True).stdout
    lines = [[cell.strip() for cell in line.strip("| ").split("|")]
             for line in table.splitlines() if line]
    sizes = [int(size) for size in lines[0][2:]]
    for lives, strategy, *times in lines[2:]:
        if lives != LIVES or strategy not in wanted:
            continue
        before = None
        for size, time in zip(sizes, map(float, times)):
            growth = ""
            if before:
                growth = f"{math.log(time * size / before, 10):.2f}"
            before = time * size
            yield f"| {strategy} | {size} | {size} | {time:.2f} | | {growth} | |"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--replace", action="store_true",
                        help="write the page even if it has fewer rows than the old one")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--limit", type=int, default=120, help="seconds for each run")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--only", action="append", choices=[*KINDS, *STRATEGIES])
    parser.add_argument("--print", nargs=2, metavar=("KIND", "SIZE"))
    arguments = parser.parse_args()
    if arguments.print:
        kind, size = arguments.print
        sys.stdout.write(KINDS[kind][0](int(size)))
        return
    table = ["| kind | size | ops | µs / op | plan / parse | growth | MB |",
             "|---|---|---|---|---|---|---|"]
    print("\n".join(table), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        wanted = [name for name in STRATEGIES
                  if not arguments.only or name in arguments.only]
        for row in itertools.chain(rows(arguments, folder), strategy_rows(wanted)):
            print(row, flush=True)
            table.append(row)
    if arguments.write:
        what = "\n".join(f"- *{kind}*: {make.__doc__}"
                         for kind, (make, _, _) in KINDS.items())
        text = HEADER + what + "\n\n" + "\n".join(table) + "\n"
        if not tables.write(arguments.write, text, columns=2,
                            replace=arguments.replace):
            sys.exit(1)


if __name__ == "__main__":
    main()
