#!/usr/bin/python3
"""native.py [--write FILE] [--rounds N] [--only NAME]: how fast planned code is.

Compiles each kernel of kernels.py with -O3 for this machine, with its buffers
allocated in several ways, runs all of them in turn, N rounds (9), and prints a
table in Markdown: least time of a call as a ratio to upstream's deallocation,
loops that LLVM vectorized, allocations a call. Results must be equal bit for bit.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import kernels

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "bin", "memplan-opt")

HEADER = """# The speed of planned code

Written by `./dev bench`; do not edit. Each kernel is compiled by clang with -O3
for the machine it runs on. *upstream* is `buffer-deallocation-pipeline`, one
malloc and one free for each buffer, and the time that the others are shown
against; *early free* adds `optimize-allocation-liveness`; *planned* is
`plan-memory`, lowered by `memplan-to-llvm`; *no scopes* is the same without
`memplan-alias-scopes`. Times are the least of all rounds, in which the variants
take turns. *loops* are those that LLVM vectorized, in the order of the columns.

"""

VARIANTS = {
    "upstream": ["--buffer-deallocation-pipeline", "--memplan-to-llvm"],
    "early free": ["--buffer-deallocation-pipeline",
                   "--optimize-allocation-liveness", "--memplan-to-llvm"],
    "planned": ["--plan-memory", "--memplan-to-llvm"],
    "no scopes": ["--plan-memory", "--memplan-to-llvm=alias-scopes=false"],
}

DRIVER = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct matrix { float *base, *data; int64_t offset, sizes[2], strides[2]; };
void _mlir_ciface_kernel(struct matrix *, struct matrix *);
void *__real_malloc(size_t);
static long mallocs;
void *__wrap_malloc(size_t size) { ++mallocs; return __real_malloc(size); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
  enum { N = 128 };
  float *memory[2];
  struct matrix m[2];
  for (int i = 0; i < 2; ++i) {
    memory[i] = aligned_alloc(64, N * N * sizeof(float));
    m[i] = (struct matrix){memory[i], memory[i], 0, {N, N}, {N, 1}};
  }
  for (int i = 0; i < N * N; ++i)
    memory[0][i] = (float)((i * 37 % 101) - 50) / 400.0f;
  for (int i = 0; i < 3; ++i)
    _mlir_ciface_kernel(&m[0], &m[1]);
  mallocs = 0;
  _mlir_ciface_kernel(&m[0], &m[1]);
  long in_a_call = mallocs;
  double least = 1e300;
  double stop = now() + 1.5e8;
  do {
    double start = now();
    _mlir_ciface_kernel(&m[0], &m[1]);
    double time = now() - start;
    least = time < least ? time : least;
  } while (now() < stop);
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < N * N; ++i) {
    uint32_t bits;
    memcpy(&bits, &memory[1][i], sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
  }
  printf("%.0f %ld %016llx\n", least, in_a_call, (unsigned long long)hash);
  return 0;
}
"""


def run(*arguments, stdin=None):
    done = subprocess.run(arguments, text=True, input=stdin,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}:\n{done.stderr}")
    return done


def tool(name):
    folder = run("llvm-config-22", "--bindir").stdout.strip()
    return os.path.join(folder, name)


def compile_kernel(text, pipeline, folder, name):
    """The program's path and the number of loops that were vectorized."""
    path = os.path.join(folder, name.replace(" ", "-"))
    lowered = run(TOOL, *pipeline, stdin=text).stdout
    with open(path + ".ll", "w", encoding="utf-8") as file:
        file.write(run(tool("mlir-translate"), "--mlir-to-llvmir",
                       stdin=lowered).stdout)
    flags = ["-O3", "-march=native", "-Wno-override-module"]
    remarks = run(tool("clang"), *flags, "-Rpass=loop-vectorize", "-c",
                  path + ".ll", "-o", path + ".o").stderr
    run(tool("clang"), *flags, os.path.join(folder, "driver.c"), path + ".o",
        "-Wl,--wrap=malloc", "-lm", "-o", path)
    return path, len(re.findall(r"vectorized loop", remarks))


def measure(name, text, folder, rounds):
    text = text.replace("func.func private @kernel", "func.func @kernel")
    text = text.replace("{no_inline}", "{llvm.emit_c_interface}")
    programs = {v: compile_kernel(text, p, folder, v)
                for v, p in VARIANTS.items()}
    least = dict.fromkeys(programs, float("inf"))
    mallocs, hashes = {}, {}
    for _ in range(rounds):
        for variant, (path, _) in programs.items():
            time, count, digest = run(path).stdout.split()
            least[variant] = min(least[variant], float(time))
            mallocs[variant] = count
            hashes[variant] = digest
    if len(set(hashes.values())) > 1:
        sys.exit(f"{name}: results differ: {hashes}")
    base = least["upstream"]
    return [name, f"{base / 1000:.0f} us"] + [
        f"{least[v] / base:.2f}" for v in VARIANTS if v != "upstream"] + [
            " / ".join(str(loops) for _, loops in programs.values()),
            " / ".join(mallocs.values())]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    titles = ["kernel", "upstream", "early free", "planned", "no scopes",
              "loops", "mallocs"]
    rows = [titles, ["---"] + ["---:"] * (len(titles) - 1)]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "driver.c"), "w",
                  encoding="utf-8") as file:
            file.write(DRIVER)
        for name, text in kernels.kernels().items():
            if options.only in name:
                rows.append(measure(name, text, folder, options.rounds))
    table = "".join("| " + " | ".join(row) + " |\n" for row in rows)
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(HEADER + table)
    print(table, end="")


main()
