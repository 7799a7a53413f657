#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executes wrong plans and prints which of them give the correct output.

  check_lost_bytes.py plans.mlir

The file has programs in memplan ops, separated by lines `// -----`. Each program with
a @main should print something else than with a separate allocation for every
placement; otherwise its number is printed.
"""

import re
import sys

from execution import Tools

PLACEMENT = re.compile(
    r"(%\w+ = )memplan\.(?:view .* to|renew .* :) (memref<.*>)$")


def unshared(text):
    """The program with an allocation for every placement."""
    return "\n".join(PLACEMENT.sub(r"\1memref.alloc() {alignment = 64} : \2",
                                   line) for line in text.splitlines())


def main():
    tools = Tools()
    with open(sys.argv[1], encoding="utf-8") as file:
        programs = file.read().split("// -----\n")
    executed, wrong = 0, 0
    for number, program in enumerate(programs):
        if "@main" not in program:
            continue

        def execute(text, byte):
            lowered, _ = tools.memplan("lower", text, "--memplan-lower")
            return tools.execute(lowered, fresh_byte=byte)

        expected = execute(unshared(program), 1)
        if expected != execute(unshared(program), 170):
            print(f"program {number} reads what it has not written")
            wrong += 1
        executed += 1
        if execute(program, 170) == expected:
            print(f"program {number} prints what it should: {expected!r}")
            wrong += 1
    print(f"{executed} programs, {wrong} print what they should")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
