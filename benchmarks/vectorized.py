#!/usr/bin/python3
"""vectorized.py [--write FILE] [--only TEXT]: compares vectorized loops.

Compiles the programs of native.py with -O3 for this machine, once with each buffer
allocated separately and once planned. Compares the loops that LLVM vectorizes, by the
ops from which the loops come. Prints a table in Markdown. --only: programs with TEXT in
their names.
"""
import argparse
import collections
import os
import re
import tempfile

from native import DEALLOCATE, TOOL, collect, move_constants, run, tool

HEADER = """# Vectorized loops of planned code

Written by `./dev bench`; do not edit. Each program is compiled by clang with -O3 for the
machine on which it runs, as in [native-speed.md](native-speed.md). *loops* are the loops
that LLVM vectorized in *upstream* and in *planned*. A loop has the location of the op
from which it comes. *more* counts loops that are vectorized only when planned. Loops that
are vectorized only when not planned are counted as follows:

- *calls*: calls of memset or memcpy when planned, because LLVM then knows that they
  overwrite nothing else;
- *deleted*: copies of a buffer that is in place already;
- *unrolled*: unrolled and then vectorized as straight-line code (SLP), as far as LLVM's
  remarks show;
- *gone*: LLVM has no remark about them any more;
- *slower*: LLVM's remarks say for more loops of the op that they are not vectorized.

"""
KINDS = {
    "vectorized": r"vectorized loop", "missed": r"loop not vectorized",
    "calls": r"a call to llvm.mem", "deleted": r"Loop deleted", "unrolled": r"SLP vectorized",
}


def count_loops(path, options):
    """The number of LLVM's remarks by kind and line of the program."""
    text = run(TOOL, path, *options, "--memplan-to-llvm",
               "--mlir-print-debuginfo").stdout
    text = run(tool("mlir-opt"), "--mlir-print-debuginfo",
               "--ensure-debug-info-scope-on-llvm-func=emission-kind=LineTablesOnly",
               stdin=text).stdout
    text = run(tool("mlir-translate"), "--mlir-to-llvmir", stdin=text).stdout
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write(text)
    remarks = run(tool("clang"), "-O3", "-march=native", "-Wno-override-module",
                  "-Rpass=loop-(vectorize|idiom|delete)|slp-vectorizer",
                  "-Rpass-missed=loop-vectorize", "-c", path + ".ll",
                  "-o", path + ".o").stderr
    found = {kind: collections.Counter() for kind in KINDS}
    for line, said in re.findall(r"remark: .*?mlir:(\d+):\d+: (.*)", remarks):
        for kind, pattern in KINDS.items():
            if re.search(pattern, said):
                found[kind][line] += 1
    return found


def compare(name, text, folder):
    text, _ = move_constants(text)
    path = os.path.join(folder, "program.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    # Some programs free their buffers themselves.
    frees = [] if "memref.dealloc" in text else [DEALLOCATE]
    before = count_loops(path, frees)
    after = count_loops(path, ["--plan-memory", *frees])
    became = collections.Counter()
    for line, count in (before["vectorized"] - after["vectorized"]).items():
        for kind in ("missed", "calls", "deleted", "unrolled"):
            more = min(count, max(0, after[kind][line] - before[kind][line]))
            became[kind] += more
            count -= more
        became["gone"] += count
    more = (after["vectorized"] - before["vectorized"]).total()
    total = [found["vectorized"].total() for found in (before, after)]
    return [name, f"{total[0]} / {total[1]}", str(more)] + [
        str(became[kind]) for kind in ("calls", "deleted", "unrolled", "gone",
                                         "missed")]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    titles = ["program", "loops", "more", "calls", "deleted", "unrolled",
              "gone", "slower"]
    rows = [titles, ["---"] + ["---:"] * (len(titles) - 1)]
    with tempfile.TemporaryDirectory() as folder:
        for name, text, _ in collect():
            if options.only in name:
                rows.append(compare(name, text, folder))
    table = "".join("| " + " | ".join(row) + " |\n" for row in rows)
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(HEADER + table)
    print(table, end="")


if __name__ == "__main__":
    main()
