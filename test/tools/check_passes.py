#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that plan-memory is equal to a sequence of passes.

  check_passes.py FOLDER...

For all programs of the folders, plan-memory and the sequence memplan-extract,
memplan-solve, memplan-materialize and memplan-lower must give the same text with each
of several sets of options. Needs memplan-opt on PATH.
"""

import difflib
import pathlib
import subprocess
import sys

from execution import program_of

# Options of memplan-extract and of memplan-solve.
OPTIONS = [
    ("", ""),
    ("scope=module", ""),
    ("scope=module workers=4", "strategy=best-fit"),
    ("workers=0 alignment=256 callee-trust=none", "strategy=naive"),
    ("dynamic=bounded results=lend workers=2 in-place=false", ""),
]


def run(programs, *flags):
    done = subprocess.run(["memplan-opt", "--split-input-file", *flags],
                          input=programs, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(flags)} failed:\n{done.stderr[-4000:]}")
    return done.stdout


def main():
    files = sorted(file for folder in sys.argv[1:]
                   for file in pathlib.Path(folder).rglob("*.mlir"))
    programs = "\n// -----\n".join(map(program_of, files))
    for extract, solve in OPTIONS:
        # plan-memory raises by itself, memplan-extract does not.
        raised = "--memplan-raise-deallocations"
        whole = run(programs, raised,
                    f"--plan-memory=require=verified {extract} {solve}")
        steps = run(programs, raised, f"--memplan-extract={extract}",
                    f"--memplan-solve={solve}", "--memplan-materialize",
                    "--memplan-lower")
        if "memplan.arena" not in whole:
            sys.exit(f"{extract}: nothing is planned")
        if whole != steps:
            difference = difflib.unified_diff(whole.splitlines(),
                                              steps.splitlines(), "plan-memory",
                                              "its passes", lineterm="")
            sys.exit(f"{extract} {solve}:\n" +
                     "\n".join(list(difference)[:60]))
        print(f"{len(files)} programs: {extract} {solve}")


if __name__ == "__main__":
    main()
