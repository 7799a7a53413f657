#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs random programs before and after planning and compares their outputs.

  fuzz_programs.py --seed 1 --count 10000 --jobs 2

Programs go in batches, one module each. A batch is planned with one strategy
(they rotate), verified from its IR, executed and compared program by program; it
must not leave more buffers unfreed than the original; and a second planning must
change nothing. Every second planned batch is optimized, which is where alias
scopes have an effect. Every third batch first gets the frees of
buffer-deallocation-pipeline; the loops and branches of every fourth are made
graphs of blocks, and half of those are
canonicalized, which is where conditionals become selects; of every fourth the ops
of linalg become loops, of one kind after another; every fifth allocates on a
device, where it has none of these frees. The last line
counts programs, differences and complaints; the exit status is 1 if there are
any. --keep DIR saves each failing program, reduced, in a file of its own.
"""

import argparse
import concurrent.futures
import os
import re
import sys

from execution import LOOPS, STRATEGIES, StepFailed, Tools
from generate_programs import parse_weights
from progen.module import FOR_DEALLOCATION, Module
from progen.sizes import SizedModule
from reduce_program import reduce_text

REPORT = re.compile(r"^(\d+), (-?\d+)$")


def split_output(printed):
    """{program number: its output}"""
    parts, pending = {}, []
    for line in printed.splitlines():
        pending.append(line)
        match = REPORT.match(line)
        if match:
            parts[int(match.group(1))] = "\n".join(pending)
            pending = []
    return parts


class Failure:
    def __init__(self, kind, program, detail, text, strategy, optimize=False):
        self.kind = kind            # difference | complaint | crash | not-run
        self.program = program
        self.detail = detail
        self.text = text
        self.strategy = strategy
        self.optimize = optimize    # it is seen in the optimized program


def problem_of(tools, text, strategy, original=None, execute=True, optimize=False):
    """(kind, detail) of the first failure of one module, or None."""
    try:
        _, planned, _ = tools.plan(text, strategy)
    except StepFailed as failed:
        crash = failed.status == "timeout" or int(failed.status) not in (0, 1)
        return "crash" if crash else "complaint", str(failed)
    if not execute:
        return None
    try:
        if original is None:
            original = tools.execute(text)
        actual = tools.execute(planned, optimize=optimize)
    except StepFailed as failed:
        return "difference", str(failed)
    if actual != original:
        return "difference", first_difference(original, actual)
    return leak_of(original, actual)


def leak_of(original, planned):
    """The same if the planned program does not free a buffer that the original frees."""
    if planned.live > original.live:
        return "difference", (f"{planned.live} buffers are not freed, of the "
                              f"original {original.live}")
    return None


def summary(detail):
    """The detail in one line; for a stack dump, the innermost frames of this project."""
    frames = re.findall(r"#\d+ 0x\w+ (memplan::[\w:]+|\(anonymous[^(]*\S+)",
                        detail)
    if "Stack dump" in detail:
        return "stack dump " + " < ".join(frames[:6])
    return " ".join(detail.split())[:300]


def first_difference(expected, actual):
    left, right = expected.splitlines(), actual.splitlines()
    for i, (one, other) in enumerate(zip(left, right)):
        if one != other:
            return f"line {i + 1}: expected '{one}', got '{other}'"
    return f"expected {len(left)} lines, got {len(right)}"


def test_batch(tools, seed, first, count, options):
    """Failures of programs first..first+count-1 of the seed."""
    number = first // count
    strategy = options.strategy or STRATEGIES[number % len(STRATEGIES)]
    weights = dict(options.weights)
    deallocate = options.deallocate and number % 3 == 2
    make_blocks = options.blocks and number % 4 == 1
    canonicalize = make_blocks and number % 8 == 5
    on_device = (options.device and number % 5 == 3 and not deallocate and
                 not options.sizes)
    loops = LOOPS[number // 4 % len(LOOPS)]
    optimize = number % 2 == 1
    if deallocate:
        weights.update(FOR_DEALLOCATION)
    module = (SizedModule if options.sizes else Module)(seed, first, count,
                                                        weights)

    def text_of(functions):
        text = module.render(functions)
        if options.loops and number % 4 == 2:
            text = tools.make_loops(text, loops)
        if deallocate:
            text = tools.raise_deallocations(tools.deallocate(text))
        if make_blocks:
            text = tools.make_blocks(text)
        if canonicalize:
            text = tools.canonicalize(text)
        return tools.raise_device(text) if on_device else text

    try:
        text = text_of(module.functions)
        if options.execute:
            original = tools.execute(text)
    except StepFailed as failed:
        return [Failure("not-run", first, str(failed), module.render(), "-")]
    if options.check_generator and options.execute:
        for byte in (1, 170):
            if tools.execute(text, fresh_byte=byte) != original:
                raise SystemExit(f"seed {seed}, programs {first}..: the "
                                 "generated program has undefined behaviour")
    execute = False
    try:
        _, planned, _ = tools.plan(text, strategy)
        _, again, _ = tools.plan(planned, strategy)
        execute = options.execute
        if execute and deallocate and not make_blocks:
            freed = tools.execute(tools.plan_then_deallocate(
                module.render(), lower=number % 2 == 0))
            if freed != original or leak_of(original, freed):
                raise StepFailed("planned, then deallocated",
                                 first_difference(original, freed) +
                                 f"; {freed.live} buffers are not freed")
        if again != planned:
            raise StepFailed("idempotence", "a second planning changes more")
        if not execute:
            return []
        printed = tools.execute(planned, optimize=optimize)
        leak = leak_of(original, printed)
        actual, expected = split_output(printed), split_output(original)
        suspects = [f for f in module.functions
                    if leak or actual.get(program_number(f)) !=
                    expected.get(program_number(f))]
        if not suspects:
            return []
    except StepFailed as failed:
        suspects = module.functions
        whole = str(failed)
    else:
        whole = "differs in the batch only"
    failures = []
    for function in suspects:
        alone = text_of([function])
        # If planning the batch fails, planning the program alone shows why.
        problem = problem_of(tools, alone, strategy, execute=execute,
                             optimize=optimize)
        if len(failures) >= options.stop:
            break
        if problem:
            failures.append(Failure(problem[0], program_number(function),
                                    problem[1], alone, strategy, optimize))
    if not failures:
        failures.append(Failure("complaint", first, whole, text, strategy))
    return failures


def program_number(function):
    return int(function[0].rpartition("_")[2])


def reduced(tools, failure):
    """The failing program, reduced."""
    def fails(text):
        if failure.kind == "crash":
            problem = problem_of(tools, text, failure.strategy, "")
            return problem is not None and problem[0] == "crash"
        try:
            original = tools.execute(text)
            if any(tools.execute(text, fresh_byte=byte) != original
                   for byte in (1, 170)):
                return False
        except StepFailed:
            return False
        problem = problem_of(tools, text, failure.strategy, original,
                             optimize=failure.optimize)
        return problem is not None and problem[0] == failure.kind

    def still(text):
        # Parsing is cheap and rejects most candidates.
        return tools.parses(text) and fails(text)

    return reduce_text(failure.text, still)


def keep(tools, failure, seed, folder, reduce):
    text = reduced(tools, failure) if reduce else failure.text
    name = os.path.join(folder, f"{seed}-{failure.program}-{failure.kind}.mlir")
    with open(name, "w", encoding="utf-8") as file:
        file.write(f"// strategy={failure.strategy} seed={seed} "
                   f"program={failure.program}: {failure.kind}\n")
        for line in failure.detail.splitlines()[:12]:
            file.write(f"//   {line}\n")
        file.write(text)
    return name


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--batch", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--strategy", choices=STRATEGIES)
    parser.add_argument("--weights", type=parse_weights, default={})
    parser.add_argument("--keep", metavar="DIR")
    parser.add_argument("--reduce", type=int, default=3, metavar="N",
                        help="reduce the first N failures that are kept")
    parser.add_argument("--stop", type=int, default=20, metavar="N",
                        help="stop after N failures")
    parser.add_argument("--blocks", action=argparse.BooleanOptionalAction,
                        default=True,
                        help="batches whose loops become graphs of blocks")
    parser.add_argument("--loops", action=argparse.BooleanOptionalAction,
                        default=True,
                        help="batches whose linalg ops become loops")
    parser.add_argument("--deallocate", action=argparse.BooleanOptionalAction,
                        default=True, help="batches with upstream's frees")
    parser.add_argument("--device", action=argparse.BooleanOptionalAction,
                        default=True, help="batches that use gpu.alloc")
    parser.add_argument("--execute", action=argparse.BooleanOptionalAction,
                        default=True,
                        help="run the programs; else they are planned and "
                        "verified only")
    parser.add_argument("--sizes", action="store_true",
                        help="programs whose sizes are known only when they run, "
                        "each at several sizes")
    parser.add_argument("--check-generator", action="store_true",
                        help="check the generated programs for undefined behaviour")
    parser.add_argument("--driver", help="memplan-test-programs")
    parser.add_argument("--options", default="",
                        help="further options of plan-memory")
    options = parser.parse_args()

    tools = Tools(options.driver)
    tools.options = options.options
    failures, programs = [], 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        starts = range(options.first, options.first + options.count,
                       options.batch)
        runs = [pool.submit(test_batch, tools, options.seed, first,
                            min(options.batch,
                                options.first + options.count - first),
                            options) for first in starts]
        for run in runs:
            if run.cancelled():
                continue
            found = run.result()
            programs += options.batch
            for failure in found:
                failures.append(failure)
                print(f"program {failure.program} of seed {options.seed}, "
                      f"strategy {failure.strategy}: {failure.kind}: "
                      f"{summary(failure.detail)}", flush=True)
                if options.keep:
                    name = keep(tools, failure, options.seed, options.keep,
                                len(failures) <= options.reduce and
                                failure.kind != "not-run")
                    print(f"  kept in {name}", flush=True)
            if len(failures) >= options.stop:
                for other in runs:
                    other.cancel()
    programs = min(programs, options.count)
    differences = sum(f.kind == "difference" for f in failures)
    print(f"{programs} programs, {differences} differences, "
          f"{len(failures) - differences} complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
