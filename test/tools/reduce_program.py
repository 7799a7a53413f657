#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops operations from MLIR text while a property holds.

  reduce_program.py in.mlir 'command that succeeds on a file' > out.mlir

Works on lines and on the regions between braces, the largest first. It knows no
dialect, so the command must fail for text that does not parse.
"""

import subprocess
import sys
import tempfile


def chunks(lines):
    """(first, last) of each region with its operation, largest first."""
    stack, found = [], []
    for i, line in enumerate(lines):
        text = line.strip()
        if text.startswith("}") and stack:
            start = stack.pop()
            if not text.endswith("{"):
                found.append((start, i))
            else:
                stack.append(start)
                continue
        if text.endswith("{") and not text.startswith("}"):
            stack.append(i)
    return sorted(found, key=lambda c: c[0] - c[1])


def without(lines, first, last):
    return lines[:first] + lines[last + 1:]


def unwrapped(lines, first, last):
    """The region's content without its operation and terminator."""
    inner = lines[first + 1:last]
    inner = [l for l in inner if "scf.yield" not in l and "} else {" not in l]
    return lines[:first] + inner + lines[last + 1:]


def reduce_text(text, holds, rounds=6):
    """The smallest text found for which `holds` is true."""
    lines = text.splitlines()

    def attempt(candidate):
        return len(candidate) < len(lines) and holds("\n".join(candidate) + "\n")

    for _ in range(rounds):
        size = len(lines)
        # Drop whole regions, then replace regions by their content.
        for change in (without, unwrapped):
            seen = 0
            while True:
                found = chunks(lines)[seen:]
                if not found:
                    break
                candidate = change(lines, *found[0])
                if attempt(candidate):
                    lines = candidate
                else:
                    seen += 1
        # Drop runs of lines, then single ones, from the end, so that uses come before values.
        for width in (32, 16, 8, 4, 2, 1):
            i = len(lines) - width
            while i >= 0:
                candidate = lines[:i] + lines[i + width:]
                if attempt(candidate):
                    lines = candidate
                i -= width
                i = min(i, len(lines) - width)
        if len(lines) == size:
            break
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)

    def holds(text):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text)
            file.flush()
            return subprocess.run(f"{sys.argv[2]} {file.name}", shell=True,
                                  capture_output=True, check=False,
                                  timeout=60).returncode == 0

    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if not holds(text):
        raise SystemExit("the property does not hold for the whole file")
    sys.stdout.write(reduce_text(text, holds))


if __name__ == "__main__":
    main()
