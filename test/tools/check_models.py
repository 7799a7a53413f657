#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_models.py MODEL...: compares models with their frameworks and, bit for bit, with what `build` makes of
them, called through the C header, at up to three sizes. MODEL is what `python -m memplan check` takes, or
a name of test/python/import_models.py. A line for each model and size; the exit status is 1 if some differ.
"""
import os
import sys
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "python"))


def main(names):
    import import_models
    from linked import compare
    status = 0
    for name in names:
        case = import_models.MODELS[name]() if name in import_models.MODELS else None
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                lines = compare(case.model if case else name, case.inputs if case else ())
        except Exception as error:
            lines = [f"FAILED: {type(error).__name__}: {str(error)[:400]}"]
            status = 1
        for line in lines:
            print(f"{name}: {line}", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
