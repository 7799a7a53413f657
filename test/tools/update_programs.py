#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrites the expected arena sizes of executable programs.

  update_programs.py test/Integration/programs/*/*.mlir

For changes that improve plans; check the difference afterwards. Replaces the CHECK
lines of arenas and of allocations left, adds missing ones with a reason from the
planner's remarks, and drops those that no longer hold. Programs that fail are listed
and not changed.
"""

import re
import subprocess
import sys

KEY = re.compile(r"^// CHECK(?:-NOT)?: ((?:arena|left) @[\w$.]+(?: space \S+)?):")
RESULT = re.compile(r"^((?:arena|left) @[\w$.]+(?: space \S+)?): .*")
REASON = re.compile(r'Remark="\w+ not planned: (.*?)(?: at loc\(|"?$)')
BOUND = re.compile(r"Function=([\w$.]+) \| ArenaBytes=(\d+), BoundBytes=(\d+)")


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def remarks(path, deallocate):
    command = ["memplan-opt", "--plan-memory", "--remarks-filter=plan.*"]
    if deallocate:
        text = run(["mlir-opt", "--buffer-deallocation-pipeline", path]).stdout
        return subprocess.run(command, input=text, capture_output=True,
                              text=True, check=False).stderr
    return run(command + [path]).stderr


def reason_for(key, line, notes):
    """One comment line for a check that had none."""
    function = key.split()[1].lstrip("@")
    if key.startswith("left"):
        why = [REASON.search(note).group(1) for note in notes.splitlines()
               if f"Function={function} " in note and REASON.search(note)]
        return [f"// Not planned: {why[0]}."] if why else []
    for name, arena, bound in BOUND.findall(notes):
        if name == function and arena == bound and arena in line:
            return [f"// {bound} bytes are live at one time, so no plan is smaller."]
    return []


def update(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    comparisons = [line for line in lines if line.startswith("// PROGRAM:")]
    # Several comparisons have texts of their own.
    if len(comparisons) > 1 or any("--check-prefix" in c for c in comparisons):
        print(f"{path}: is compared in several ways: not changed")
        return
    done = run(["memplan-test-programs", "--print", path])
    if done.returncode != 0:
        print(f"{path}: {done.stdout.strip()[:300]}")
        return
    results = {}
    for line in done.stdout.splitlines():
        match = RESULT.match(line)
        if match:
            results[match.group(1)] = line
    new, seen, last = [], set(), 0
    for line in lines:
        match = KEY.match(line)
        if match:
            key = match.group(1)
            if key not in results:
                continue
            seen.add(key)
            line = f"// CHECK: {results[key]}"
        new.append(line)
        if line.startswith("// CHECK"):
            last = len(new)
    notes = remarks(path, any("deallocate" in c for c in comparisons))
    missing = []
    for key, line in results.items():
        if key not in seen:
            missing += reason_for(key, line, notes) + [f"// CHECK: {line}"]
    # FileCheck needs the checks in the order of the output.
    new[last:last] = missing
    if not any(key.startswith("left") for key in results):
        if "// CHECK-NOT: left" not in new:
            new.insert(last + len(missing), "// CHECK-NOT: left")
    else:
        new = [line for line in new if line != "// CHECK-NOT: left"]
    if new != lines:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(new) + "\n")
        print(f"{path}: updated")


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    for path in sys.argv[1:]:
        update(path)


if __name__ == "__main__":
    main()
