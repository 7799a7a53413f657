#!/usr/bin/python3
"""check_traps.py ROOT: checks that every test named in docs/traps.md exists and has the
named functions and problems, and that all traps have a row."""
import os
import re
import sys

root = sys.argv[1]
problems, numbers = [], []
with open(os.path.join(root, "docs/traps.md"), encoding="utf-8") as file:
    rows = [line.strip().strip("|").split("|") for line in file
            if re.match(r"\| \d", line)]
for row in rows:
    number, where = row[0].strip(), row[3]
    numbers.append(int(number))
    if not where.strip() and " comes with " not in row[2]:
        problems.append(f"{number}: neither a test nor what it comes with")
    for name, functions in re.findall(r"([\w/-]+\.mlir)(?: \(([^)]*)\))?", where):
        path = os.path.join(root, "test", name)
        if not os.path.exists(path):
            problems.append(f"{number}: there is no {name}")
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for function in re.findall(r"`(\w+)`", functions):
            if not re.search(rf"(?:func.func|memplan.problem)(?: private)? @{function}\b", text):
                problems.append(f"{number}: {name} has no @{function}")
if numbers != list(range(1, 26)):
    problems.append(f"the rows are {numbers}")
print("\n".join(problems) if problems else "every trap has its test")
sys.exit(1 if problems else 0)
