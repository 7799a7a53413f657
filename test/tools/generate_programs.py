#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a module of random programs, free of undefined behaviour.

  generate_programs.py --seed 1 --first 0 --count 50 > fifty.mlir

The programs are the functions @program_<i>; @main calls each with a few
arguments and prints its checksum. --weights sets how often kinds of statements
are drawn: --weights for=8,dealloc=0.
"""

import argparse
import sys

from progen.module import FOR_DEALLOCATION, WEIGHTS, Module


def parse_weights(text):
    weights = {}
    for item in filter(None, text.split(",")):
        name, _, value = item.partition("=")
        if name not in WEIGHTS:
            raise SystemExit(f"no kind of statement '{name}'; there are: "
                             f"{', '.join(sorted(WEIGHTS))}")
        weights[name] = float(value)
    return weights


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--weights", type=parse_weights, default={})
    parser.add_argument("--without-frees", action="store_true",
                        help="only programs that buffer-deallocation-pipeline accepts")
    arguments = parser.parse_args()
    weights = dict(FOR_DEALLOCATION) if arguments.without_frees else {}
    weights.update(arguments.weights)
    module = Module(arguments.seed, arguments.first, arguments.count, weights)
    sys.stdout.write(module.render())


if __name__ == "__main__":
    main()
