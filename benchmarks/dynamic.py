#!/usr/bin/python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dynamic.py [--write FILE [--replace]] [--only TEXT] [--runs N]

Measures what sizes cost that are known only when a program runs: the offset arithmetic
of a call, as a share of the call, and the time of plan-memory with one hint, as a
multiple of that of a copy of static shape. --only: programs with TEXT in their names.
"""
import argparse
import glob
import gzip
import json
import os
import re
import sys
import tempfile

import native
import nativedriver
import tables
from native import ROOT, TOOL, run, tool

SHARED = os.path.join(os.path.dirname(ROOT), "shared")
# Every free extent of a call. The arithmetic takes the same time at all sizes, so that its
# share is greatest at small ones.
EXTENT = 3
# What is called: not the networks of convolutions, where the share is smaller still, nor
# llama7b_dynseq, whose weights need 27 GB.
CALLED = re.compile(r"Bert|llama7b_L2|_dyn$|_decode|_prefill|_moe|_dynhw")
# The extents of the arguments that are the hint of planning; of the others 8.
HINTS = {"buddy_Bert_dynbatchseq": [8, 128], "llama7b_dynseq": [512],
         "llama7b_L2_dynseq": [512]}

HEADER = """# The cost of dynamic shapes

Written by `./dev bench`; do not edit. The programs of `../shared` whose sizes are known only
when they run.

*arithmetic* is the time of what a planned function does at its entry, the offsets of all
slots and what their sizes need, compiled with -O3. *call* is one whole call with all free
extents 3, the offsets among it. Both are minima on one machine. The larger convolutional networks are
not called, nor llama7b_dynseq, whose weights need 27 GB.

*planning* is the time of `plan-memory` with one hint (`--mlir-timing`), of the program and
of a copy whose arguments are of static shape, both after `canonicalize` and `cse`.

"""

CALLS = r"""
#include <stdint.h>
#include <stdio.h>
#include <time.h>
int64_t _mlir_ciface_offsets(%s);
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
/* The descriptor of every memref. */
static int64_t extents[64];
int main(void) {
  static volatile int64_t extent = %d, sink;
  for (int i = 0; i < 64; ++i)
    extents[i] = extent;
  double least = 1e300;
  for (int round = 0; round < 200; ++round) {
    double begin = now();
    for (int i = 0; i < 1000; ++i)
      sink = _mlir_ciface_offsets(%s);
    double time = (now() - begin) / 1000;
    least = time < least ? time : least;
  }
  printf("%%.1f\n", least);
}
"""


def programs():
    """Yields the name, the text, the function and the pass that plans it."""
    folder = os.path.join(SHARED, "models")
    for path in (sorted(glob.glob(os.path.join(folder, "dynamic", "*.memref.mlir")))
                 + glob.glob(os.path.join(folder, "*_dynbatch.memref.mlir"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        entry = re.search(r"func\.func @(\w+)\(.*\?x", text).group(1)
        yield os.path.basename(path).split(".")[0], text, entry, "plan-memory"
    for path in sorted(glob.glob(os.path.join(SHARED, "frameworks", "programs",
                                              "*dyn*.mlir.gz"))):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            text = file.read()
        text = text.replace("func.func public @", "func.func @")
        with open(path.replace(".mlir.gz", ".json"), encoding="utf-8") as file:
            entry = json.load(file)["entry"]
        yield os.path.basename(path).split(".")[0], text, entry, "memplan-from-tensors"


def arithmetic(text, entry, planner, folder):
    """(slots, ns of all offset arithmetic) of the program; None without slots."""
    lines = run(TOOL, f"--{planner}=lower=false", stdin=text).stdout.splitlines()
    start = next(i for i, line in enumerate(lines)
                 if re.match(rf"  func\.func @{entry}\(", line))
    end = next(i for i in range(start, len(lines)) if " memplan.arena " in lines[i])
    arguments, _, _ = nativedriver.find_signature("\n".join(lines), entry)
    names = [f"%arg{i}: {type_}" for i, type_ in enumerate(arguments)]
    slots = [match.group(1) for match in
             (re.match(r"\s*(%\S+) = memplan\.slot ", line) for line in lines[start:end])
             if match]
    if not slots:
        return None
    # What stands before the arena, and the sum of the offsets, which keeps all of them.
    sums = [f"%sum{i + 1} = arith.addi {f'%sum{i}' if i else slots[0]}, {slot} : index"
            for i, slot in enumerate(slots)]
    function = "\n".join(
        [line for line in lines if line.startswith("#")] +
        [f"func.func @offsets({', '.join(names)}) -> index "
         "attributes {llvm.emit_c_interface} {"] + lines[start + 1:end] + sums +
        [f"return %sum{len(slots)} : index", "}"])
    path = os.path.join(folder, "offsets")
    lowered = run(TOOL, "--memplan-lower", "--canonicalize", "--cse", "--memplan-to-llvm",
                  stdin=function).stdout
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write(run(tool("mlir-translate"), "--mlir-to-llvmir", stdin=lowered).stdout)
    with open(path + ".c", "w", encoding="utf-8") as file:
        file.write(CALLS % (
            ", ".join("int64_t *" if "memref" in type_ else "int64_t"
                      for type_ in arguments), EXTENT,
            ", ".join("extents" if "memref" in type_ else "extent" for type_ in arguments)))
    run(tool("clang"), "-O3", "-march=native", "-Wno-override-module", path + ".c",
        path + ".ll", "-o", path)
    return len(slots), min(float(run(path).stdout) for _ in range(3))


def call(text, entry, planner, folder):
    """ns of one call of the planned program."""
    nativedriver.DYNAMIC = EXTENT
    native.VARIANTS["dynamic"] = ([f"--{planner}", native.DEALLOCATE], native.LOWERED)
    text, constants = native.move_constants(re.sub(r"@main\b", "@program", text))
    entry = "program" if entry == "main" else entry
    path, _ = native.compile_program(text, entry, "dynamic", constants, folder)
    return min(float(run(path).stdout.split()[-5]) for _ in range(3))


def with_sizes(text, entry, values, static):
    """The program with a hint, or a copy whose arguments have these extents."""
    arguments, _, head = nativedriver.find_signature(text, entry)
    new, casts, left = head, [], list(values)
    for number, type_ in enumerate(arguments):
        if "?" not in type_:
            continue
        extents = [left.pop(0) if e == "?" else int(e)
                   for e in re.match(r"memref<((?:[\d?]+x)*)", type_).group(1).split("x")[:-1]]
        name = f"%arg{number}"
        if static:
            shape = type_.replace("x".join(re.match(r"memref<((?:[\d?]+x)*)", type_)
                                           .group(1).split("x")[:-1]),
                                  "x".join(map(str, extents)), 1)
            new = new.replace(f"{name}: {type_}", f"{name}_given: {shape}", 1)
            casts.append(f"{name} = memref.cast {name}_given : {shape} to {type_}")
        else:
            hints = ", ".join(map(str, extents))
            new = new.replace(f"{name}: {type_}", f"{name}: {type_} {{memplan.dim_hints = "
                              f"array<i64: {hints}>}}", 1)
    return text.replace(head, "\n".join([new] + casts), 1)


def planning(name, text, entry, runs, folder):
    """Seconds of plan-memory with one hint, and of that of the static copy."""
    times = []
    values = HINTS.get(name, [8])
    for static in (False, True):
        path = os.path.join(folder, "sized.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(run(TOOL, "--canonicalize", "--cse",
                           stdin=with_sizes(text, entry, values, static)).stdout)
        least = float("inf")
        for _ in range(runs):
            timing = run(TOOL, path, "-o", os.devnull, "--plan-memory", "--mlir-timing",
                         "--mlir-disable-threading").stderr
            least = min(least, float(re.search(r"^\s*([\d.]+) \([^)]*\)\s+PlanMemory$",
                                               timing, re.MULTILINE).group(1)))
        times.append(least)
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--replace", action="store_true",
                        help="write the page even if it has fewer rows than the old one")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    costs, times = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, text, entry, planner in programs():
            if options.only not in name:
                continue
            offsets = arithmetic(text, entry, planner, folder)
            if offsets is not None:
                slots, time = offsets
                cost = [name, str(slots), f"{time:.0f} ns"]
                if CALLED.search(name):
                    whole = call(text, entry, planner, folder)
                    cost += [f"{whole / 1000:.0f} us", f"{100 * time / whole:.3f} %"]
                else:
                    cost += ["-", "-"]
                costs.append(cost)
                print(" | ".join(cost), file=sys.stderr, flush=True)
            if planner == "plan-memory":
                sized, static = planning(name, text, entry, options.runs, folder)
                times.append([name, f"{1000 * sized:.0f} ms", f"{1000 * static:.0f} ms",
                              f"{sized / static:.2f}"])
                print(" | ".join(times[-1]), file=sys.stderr, flush=True)
    page = HEADER
    for titles, rows in ((["program", "slots", "arithmetic", "call", "share"], costs),
                         (["program", "planning", "static copy", "ratio"], times)):
        lines = [titles, ["---"] + ["---:"] * (len(titles) - 1)] + rows
        page += "".join("| " + " | ".join(line) + " |\n" for line in lines) + "\n"
    print(page, end="")
    if options.write and not tables.write(options.write, page.rstrip() + "\n",
                                          replace=options.replace):
        sys.exit(1)


if __name__ == "__main__":
    main()
