#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one program unplanned and planned by every strategy, and compares.

  run_diff.py program.mlir

Prints the output of the program, then the sizes of the arenas of each function and
the number of allocations left beside them:

  arena @main: naive=192 others=128
  left @main: 1

`others` is printed where all the other strategies agree. The sizes are those of
buffers that are apart and filled where the program fills them (in-place=false,
sink-fills=false); plans with both are compared as well.
Each plan is verified from its IR, and planning the planned program
again must change nothing. Fails if an output differs, or if there is none.

With --reverse-steps each planned program is also executed with the ops of every
step (memplan.step, an op a line) in reverse order.
"""

import argparse
import itertools
import re
import sys

from execution import STRATEGIES, StepFailed, Tools, allocations


class Different(Exception):
    pass


def arena_sizes(planned):
    """{(function, memory space text): bytes}"""
    sizes = {}
    for function, kind, type_ in allocations(planned):
        if kind == "arena":
            shape, _, space = type_.partition(", ")
            sizes[function, space] = int(shape.partition("x")[0])
    return sizes


def describe(sizes):
    """"naive=192 others=128", or every strategy with its size."""
    others = {size for name, size in sizes.items() if name != "naive"}
    if len(others) == 1 and "naive" in sizes:
        return f"naive={sizes['naive']} others={others.pop()}"
    return " ".join(f"{name}={size}" for name, size in sizes.items())


STEP = re.compile(r"memplan\.step = (\d+)")


def reverse_steps(text):
    """`text` with consecutive lines of one step in reverse order."""

    def step_of(line):
        match = STEP.search(line)
        return match and match.group(1)

    lines = []
    for step, group in itertools.groupby(text.splitlines(), step_of):
        group = list(group)
        lines += reversed(group) if step else group
    return "\n".join(lines) + "\n"


def compare(tools, text, strategies, flags, reverse=False):
    lowered = tools.lower(text)
    original = tools.run(lowered)
    if not original.strip():
        raise Different("the program prints nothing")
    for byte in (1, 170):
        if tools.run(lowered, fresh_byte=byte) != original:
            raise Different("the program reads memory that it did not write")
    executed, plans = {}, {}
    asked = tools.options
    for in_place, strategy in itertools.product(("true", "false"), strategies):
        tools.options = f"{asked} in-place={in_place} sink-fills={in_place}"
        _, planned, _ = tools.plan(text, strategy, *flags)
        _, again, _ = tools.plan(planned, strategy, *flags)
        if again != planned:
            raise Different(f"{strategy}: a second planning changes the program")
        if planned not in executed:
            executed[planned] = tools.execute(planned, fresh_byte=170)
            reversed_ = reverse_steps(planned)
            if reverse and reversed_ == planned:
                raise Different("there is no step to reverse")
            if reverse and tools.execute(reversed_) != original:
                raise Different(f"{strategy}: planned, with steps reversed, it "
                                "prints something else")
        if executed[planned] != original:
            raise Different(f"{strategy}: planned, it prints\n"
                            f"{executed[planned]}\ninstead of\n{original}")
        if executed[planned].live > original.live:
            raise Different(f"{strategy}: planned, it leaves "
                            f"{executed[planned].live} buffers unfreed instead "
                            f"of {original.live}")
        plans[strategy] = planned
    return original, plans


def compare_deallocated(tools, text, flags):
    """If planned before buffer-deallocation-pipeline, the program must print the same
    as without a plan, and free every buffer that the pipeline frees without a plan."""
    freed = tools.execute(tools.deallocate(text))
    for kept in (True, False):
        planned = tools.plan_then_deallocate(text, kept, *flags)
        if "memplan.arena" not in planned:
            raise Different("nothing is planned")
        executed = tools.execute(planned, fresh_byte=170)
        if executed != freed:
            raise Different(f"planned with lower={kept}, then deallocated, it "
                            f"prints\n{executed}\ninstead of\n{freed}")
        if executed.live > freed.live:
            raise Different(f"planned with lower={kept}, then deallocated, it "
                            f"leaves {executed.live} buffers unfreed instead "
                            f"of {freed.live}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--deallocate", action="store_true",
                        help="add frees by buffer-deallocation-pipeline, and "
                        "raise them, first")
    parser.add_argument("--raise", action="store_true", dest="raise_",
                        help="raise lowered deallocations first")
    parser.add_argument("--then-deallocate", action="store_true",
                        help="run buffer-deallocation-pipeline after planning")
    parser.add_argument("--strategy", action="append", choices=STRATEGIES)
    parser.add_argument("--reverse-steps", action="store_true",
                        help="execute steps in reverse order too")
    parser.add_argument("--flag", action="append", default=[],
                        help="a further flag for memplan-opt")
    parser.add_argument("--options", default="",
                        help="further options of plan-memory")
    arguments = parser.parse_args()

    tools = Tools()
    tools.options = arguments.options
    strategies = arguments.strategy or STRATEGIES
    with open(arguments.program, encoding="utf-8") as file:
        text = file.read()
    try:
        if arguments.deallocate:
            text = tools.deallocate(text)
        if arguments.deallocate or arguments.raise_:
            text = tools.raise_deallocations(text)
        if arguments.then_deallocate:
            compare_deallocated(tools, text, arguments.flag)
        original, plans = compare(tools, text, strategies,
                                  arguments.flag, arguments.reverse_steps)
    except (StepFailed, Different) as problem:
        print(f"{arguments.program}: {problem}", file=sys.stderr)
        return 1
    print(original, end="")
    arenas = {name: arena_sizes(plan) for name, plan in plans.items()}
    for key in next(iter(arenas.values())):
        function, space = key
        where = f"@{function}" + (f" space {space}" if space else "")
        sizes = {name: found[key] for name, found in arenas.items()}
        print(f"arena {where}: {describe(sizes)}")
    left = {}
    for function, kind, _ in allocations(plans[strategies[-1]]):
        if kind == "buffer":
            left[function] = left.get(function, 0) + 1
    for function, count in left.items():
        print(f"left @{function}: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
