#!/usr/bin/python3
"""frameworks.py: the arenas of planners of frameworks, and those of memplan-solve.

The problems are ../shared/problems/frameworks, if that folder exists: the lifetimes that
planners of today were given. What each of them reached is in the README there. Prints a
table in Markdown; docs/Compared.md has it.
"""
import glob
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "bin", "memplan-solve")
FOLDER = os.path.join(os.path.dirname(ROOT), "shared", "problems", "frameworks")


def peers():
    """The arenas of peers by problem, from the table of the README."""
    found = {}
    with open(os.path.join(FOLDER, "README.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) > 5 and re.match(r"\d+ ", cells[4]):
                found[cells[1]] = int(cells[4].split()[0])
    return found


def solve(path):
    done = subprocess.run([TOOL, "--format=json", path], capture_output=True, text=True,
                          check=True)
    return json.loads(done.stdout)["arenas"][0]


def main():
    if not os.path.isdir(FOLDER):
        sys.exit(f"frameworks.py: {os.path.relpath(FOLDER)} does not exist")
    known = peers()
    print("| problem | buffers | bound | planner of the framework | memplan | status |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.csv"))):
        name = os.path.basename(path)[:-len(".csv")]
        plan = solve(path)
        arena, bound = plan["arena_bytes"], plan["bound_bytes"]
        peer = f"{known[name]} (+{100 * (known[name] / bound - 1):.1f} %)" if name in known else "?"
        print(f"| {name} | {len(plan['buffers'])} | {bound} | {peer} | {arena} | {plan['status']} |")


if __name__ == "__main__":
    main()
