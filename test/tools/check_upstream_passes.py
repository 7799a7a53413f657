#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs upstream's passes on planned programs, in memplan ops, then lowers them.

  check_upstream_passes.py --seed 1 --count 10 [--pass "--cse"]

The verifier must accept plans of random programs after each pass, and the lowered
programs must print the same as the original ones. The verifier may reject the result
of passes that order memory by SSA value (--affine-loop-fusion), and of those that
remove the bounds of a nest that writes one buffer over another. Passes that fail
themselves are left out. The last line has the counts.
"""

import argparse
import sys

from execution import StepFailed, Tools
from fuzz_programs import split_output, summary
from progen.module import Module

PASSES = [
    "--canonicalize",
    "--cse",
    "--loop-invariant-code-motion",
    "--control-flow-sink",
    "--inline",
    "--sccp",
    "--mem2reg",
    "--fold-memref-alias-ops",
    "--expand-strided-metadata",
    "--convert-linalg-to-loops",
    "--convert-linalg-to-affine-loops",
    "--lower-affine",
    "--scf-for-loop-canonicalization",
    "--scf-for-loop-peeling",
    "--buffer-hoisting",
    "--remove-dead-values",
    "--canonicalize --cse --loop-invariant-code-motion --canonicalize",
]
MAY_BE_REFUSED = [
    "--convert-scf-to-cf",
    "--convert-scf-to-cf --canonicalize --cse",
    "--scf-for-to-while",
    "--affine-scalrep",
    "--convert-linalg-to-affine-loops --affine-loop-fusion",
]


def check(tools, planned, expected, flags):
    """'fails', 'refused', 'differs' or 'equal', and why."""
    done = tools.server.optimize(planned, *flags.split())
    if done.status:
        return "fails", ""
    try:
        lowered, _ = tools.memplan("verify", done.output,
                                   "--memplan-verify=quiet", "--memplan-lower")
    except StepFailed as failed:
        return "refused", summary(str(failed))
    try:
        printed = split_output(tools.execute(lowered, fresh_byte=170))
    except StepFailed as failed:
        return "differs", summary(str(failed))
    different = [str(n) for n in expected if printed.get(n) != expected[n]]
    return ("differs" if different else "equal"), ", ".join(different)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--pass", dest="passes", action="append", default=[])
    parser.add_argument("--driver", help="memplan-test-programs")
    options = parser.parse_args()
    tools = Tools(options.driver)
    text = Module(options.seed, options.first, options.count,
                  {"opaque_use": 0}).render()
    expected = split_output(tools.execute(text))
    planned, _ = tools.memplan(
        "plan", text, "--plan-memory=lower=false require=verified")
    counts = dict.fromkeys(["equal", "differs", "refused", "fails"], 0)
    for flags in options.passes or PASSES + MAY_BE_REFUSED:
        verdict, why = check(tools, planned, expected, flags)
        allowed = verdict == "refused" and flags in MAY_BE_REFUSED
        if verdict in ("differs", "refused") and not allowed:
            print(f"{flags}: {verdict}: {why}", flush=True)
        if not allowed:
            counts[verdict] += 1
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    return 1 if counts["differs"] or counts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
