#!/usr/bin/python3
"""models.py [--write FILE [--replace]] [--runs N]: measures every strategy on every model.

The models are the example network, bufferized by upstream's passes, and each
*.memref.mlir of ../shared/models, if that folder exists. Prints tables in Markdown,
or writes them. Sizes are exact and the same on every machine; times are the minimum
of N runs (5) on this machine, so only their ratio is shown.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import tables

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "bin", "memplan-opt")
MODELS = os.path.join(os.path.dirname(ROOT), "shared", "models")
STRATEGIES = ("naive", "linear-scan", "greedy-by-size", "greedy-by-breadth",
              "best-fit", "hill-climb", "exact", "auto")

HEADER = """# Strategies and models

Written by `./dev bench`; do not edit. The models are the network of `examples/` and the
programs of `../shared/models`. They are bufferized with upstream's passes
(`canonicalize`, `cse`, `eliminate-empty-tensors`, `one-shot-bufferize`) and planned by
`plan-memory` with every strategy.

All sizes are in bytes, summed over the arenas of the program, with extents that are free
taken as 1. *sum* is the size of the
arenas without reuse, with the same alignment; *bound* is their lower bound. The column of
a strategy is the size of its arenas divided by the bound: 1.0000 is optimal.
*plan / parse* is the time of `plan-memory` with
`strategy=auto`, including verification, divided by the time in which MLIR parses the
program (`--mlir-timing`).

"""

FROM_TENSORS = """
## Planning from tensors

The table compares the arenas (`auto`) of the same programs, bufferized as above and by
`memplan-from-tensors`. The latter gives every op a destination of its own or a dying
operand first (`memplan-prepare-destinations`), and computes the operands of
concatenations in their place. Programs that are given on memrefs stay as they are.

"""


def run(*arguments):
    return subprocess.run((TOOL,) + arguments, check=True, text=True,
                          stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE).stderr


def plan(model, strategy, folder, entry="plan-memory"):
    """The sums over the arenas of the model's report."""
    report = os.path.join(folder, "report.json")
    run(model, "-o", os.devnull, f"--{entry}=strategy={strategy} "
        f"report=json report-file={report}")
    with open(report, encoding="utf-8") as file:
        arenas = json.load(file)["arenas"]
    return {
        key: sum(arena[key] for arena in arenas)
        for key in ("buffers_planned", "buffers_unplanned", "sum_bytes",
                    "bound_bytes", "arena_bytes")
    }


def plan_to_parse_ratio(model, runs):
    least = {"Parser": float("inf"), "PlanMemory": float("inf")}
    for _ in range(runs):
        timing = run(model, "-o", os.devnull, "--plan-memory", "--mlir-timing")
        for name in least:
            seconds = re.search(rf"^\s*([\d.]+) \([^)]*\)\s+{name}$", timing,
                                re.MULTILINE)
            least[name] = min(least[name], float(seconds.group(1)))
    return least["PlanMemory"] / max(least["Parser"], 1e-4)


def measure(name, model, runs, folder):
    plans = {s: plan(model, s, folder) for s in STRATEGIES}
    auto = plans["auto"]
    bound = auto["bound_bytes"]
    ratios = [f"{plans[s]['arena_bytes'] / bound:.4f}" if bound else "-"
              for s in STRATEGIES]
    buffers = str(auto["buffers_planned"])
    if auto["buffers_unplanned"]:
        buffers += f" (+{auto['buffers_unplanned']} not)"
    return [name, buffers, auto["sum_bytes"], bound, *ratios,
            auto["arena_bytes"], f"{plan_to_parse_ratio(model, runs):.2f}"]


def bufferize_plainly(source, folder):
    """Upstream's bufferization after its usual clean-up."""
    path = os.path.join(folder, "plain.mlir")
    run(source, "-o", path, "--pass-pipeline=builtin.module(" + ",".join([
        "canonicalize", "cse", "eliminate-empty-tensors",
        "one-shot-bufferize{bufferize-function-boundaries=true "
        "function-boundary-type-conversion=identity-layout-map}",
        "canonicalize", "cse"]) + ")")
    return path


def measure_from_tensors(name, source, plain, folder):
    before = plan(plain, "auto", folder)["arena_bytes"]
    after = plan(source, "auto", folder, "memplan-from-tensors")["arena_bytes"]
    return [name, before, after, f"{after / before:.3f}"]


def models(folder):
    """Yields the name of a model, its form on tensors and its form on memrefs."""
    source = os.path.join(ROOT, "examples", "mobilenet.mlir")
    yield "examples/mobilenet", source, bufferize_plainly(source, folder)
    for path in sorted(glob.glob(os.path.join(MODELS, "*.memref.mlir"))):
        source = path[:-len(".memref.mlir")] + ".mlir"
        yield os.path.basename(source)[:-len(".mlir")], source, path


def table(titles, rows):
    lines = [titles, ["---"] + ["---:"] * (len(titles) - 1)] + rows
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--replace", action="store_true",
                        help="write the page even if it has fewer rows than the old one")
    options = parser.parse_args()
    plans, pipelines = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name, source, path in models(folder):
            plans.append(measure(name, path, options.runs, folder))
            pipelines.append(measure_from_tensors(name, source, path, folder))
    text = HEADER + table(
        ["model", "buffers planned", "sum", "bound", *STRATEGIES,
         "arena (auto)", "plan / parse"], plans)
    text += FROM_TENSORS + table(
        ["model", "plain", "memplan-from-tensors", "ratio"], pipelines)
    print(text, end="")
    if options.write and not tables.write(options.write, text,
                                          replace=options.replace):
        sys.exit(1)


main()
