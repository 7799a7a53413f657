#!/usr/bin/python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares planned programs, plans of problems and orders of graphs with recorded ones,
byte for byte.

  check_plans.py [--update] [--times] HASHES ROOT PATH...

PATHs are files or folders below ROOT. HASHES has a line for each result: a hash of its
bytes (`fails` if there is none), the file below ROOT, and the options. Prints the
results that differ, and exits with 1 if there are any. A change that is meant to change
plans records them with --update; the difference of HASHES then names each of them.

--times prints the processor time that planning takes beyond parsing and printing, and
its sum. --update replaces HASHES; with some of the files only, keeps the other lines.

Needs memplan-test-programs, memplan-solve and memplan-graph on PATH.
"""
import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

TOOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools")
sys.path.insert(0, TOOLS)
import aten_graph  # noqa: E402
from server import Server  # noqa: E402

SERVER = Server()

# What programs are planned with.
PLANNING = ("default", "scope=module", "dynamic=bounded", "results=lend")
# What problems are solved with.
SOLVING = ("auto", "greedy", "best-fit", "hill-climb")
# What the commands of memplan-graph print.
GRAPHS = (("partition", "--format=json"), ("partition", "--strategy=default"),
          ("plan", "--format=csv"), ("reorder", "--graph=-"))


def hash_of(succeeded, output):
    return hashlib.sha256(output).hexdigest()[:16] if succeeded else "fails"


def read_program(path):
    with gzip.open(path) if path.endswith(".gz") else open(path, "rb") as file:
        return file.read().decode()


def without_numbers(planned):
    """The program without the numbers that bufferization gives to constants, and their
    order: upstream visits functions in the order of their addresses."""
    lines = re.sub(r"(@__constant_\w+?)_\d+\b", r"\1", planned).split("\n")
    is_constant = re.compile(r" *memref\.global .*@__constant_").match
    return "\n".join(sorted(filter(is_constant, lines))
                     + [line for line in lines if not is_constant(line)])


def plan_program(path, options):
    """(hash, seconds of processor time) of the program planned with these options."""
    text = read_program(path)
    on_tensors = "tensor<" in text and not path.endswith(".memref.mlir")
    command = "--memplan-from-tensors" if on_tensors else "--plan-memory"
    if options != "default":
        command += "=" + options
    begin = SERVER.seconds()
    answer = SERVER.optimize(text, command)
    seconds = SERVER.seconds() - begin
    output = without_numbers(answer.output) if on_tensors else answer.output
    return hash_of(answer.status == 0, output.encode()), seconds


def parse_program(path):
    """The seconds of processor time in which the program is parsed and printed."""
    begin = SERVER.seconds()
    SERVER.optimize(read_program(path))
    return SERVER.seconds() - begin


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return hash_of(result.returncode == 0, result.stdout)


def solve_problem(path, strategy):
    return run("memplan-solve", "--strategy=" + strategy, path)


def use_graph(path, options):
    with tempfile.TemporaryDirectory() as folder:
        graph = os.path.join(folder, "joint.json")
        with open(graph, "w", encoding="utf-8") as file:
            json.dump(aten_graph.Recorded(path).joint(), file)
        return run("memplan-graph", *options.split(), graph)


def find_files(root, path):
    """The files below `root`, relative to it, that are `path` or below it."""
    full = os.path.join(root, path)
    if os.path.isfile(full):
        return [path]
    if not os.path.isdir(full):
        sys.exit(f"no such file or folder: {full}")
    return [os.path.relpath(os.path.join(folder, name), root)
            for folder, _, names in os.walk(full) for name in names]


def make_jobs(files):
    """(function, file, options) of all results."""
    for file in files:
        if file.endswith((".mlir", ".mlir.gz")):
            yield from ((plan_program, file, options) for options in PLANNING)
        elif file.endswith(".csv"):
            yield from ((solve_problem, file, strategy) for strategy in SOLVING)
        elif file.endswith(".aten.json"):
            yield from ((use_graph, file, " ".join(options)) for options in GRAPHS)


def read_hashes(path):
    """{(file, options): hash}"""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return {(file, options): value for value, file, options in lines}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("hashes")
    parser.add_argument("root")
    parser.add_argument("paths", nargs="+")
    arguments = parser.parse_args()
    root = arguments.root
    files = sorted({file for path in arguments.paths for file in find_files(root, path)})
    jobs = list(make_jobs(files))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(
            lambda job: job[0](os.path.join(root, job[1]), job[2]), jobs))
        parsing = {}
        if arguments.times:
            programs = sorted({job[1] for job in jobs if job[0] is plan_program})
            parsing = dict(zip(programs, pool.map(
                lambda file: parse_program(os.path.join(root, file)), programs)))

    found = {}
    total = 0.0
    for (function, file, options), result in zip(jobs, results):
        if function is plan_program:
            result, seconds = result
            if arguments.times:
                seconds = max(0.0, seconds - parsing[file])
                total += seconds
                print(f"{seconds:8.2f} s  {file}  {options}")
        found[file, options] = result
    if arguments.times:
        print(f"{total:8.2f} s  in all")

    if arguments.update:
        known = read_hashes(arguments.hashes) if os.path.exists(arguments.hashes) else {}
        known = {key: value for key, value in known.items()
                 if os.path.exists(os.path.join(root, key[0])) and key[0] not in files}
        with open(arguments.hashes, "w", encoding="utf-8") as file:
            for key, value in sorted({**known, **found}.items()):
                print(value, *key, sep="\t", file=file)
        return

    known = read_hashes(arguments.hashes)
    differ = 0
    for key, value in found.items():
        if known.get(key) != value:
            differ += 1
            print(f"differs: {key[0]} {key[1]}: {value} instead of "
                  f"{known.get(key, 'none')}")
    made = sum(value != "fails" for value in found.values())
    print(f"{len(found)} results of {len(files)} files, {made} made, {differ} differ")
    sys.exit(differ != 0)


main()
