#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a file of MLIR with the programs that it describes as changes of others.

  changed_plans.py FILE.mlir

A change is a comment below the program that it changes:

  // CHANGE: It omits the first element.
  //-  cf.br ^header(%c0 : index)
  //+  cf.br ^header(%c1 : index)

It makes a further section (`// -----`): a copy of the section that it is in, without
other changes, in which the lines behind `//-`, which occur once, are those behind `//+`.
Several groups of such lines are several replacements. `// CHANGE @NAME: ...` makes a
function of this name in the same section instead, a copy of the function above.
"""

import re
import sys

HEAD = re.compile(r"// CHANGE(?: @(\w+))?:")
NAME = re.compile(r"@\w+")


def replace(lines, old, new, where):
    """The lines with `new` for `old`, which must occur once."""
    found = [i for i in range(len(lines)) if lines[i:i + len(old)] == old]
    if len(found) != 1 or not old:
        sys.exit(f"{where}: the lines to replace occur {len(found)} times")
    return lines[:found[0]] + new + lines[found[0] + len(old):]


def changed(base, change, where):
    """The base with all replacements of the change."""
    old, new = [], []
    for line in change:
        if line.startswith("//-"):
            if new:
                base, old, new = replace(base, old, new, where), [], []
            old.append(line[3:])
        else:
            new.append(line[3:])
    return replace(base, old, new, where)


def last_function(lines):
    """The last function that begins and ends at the left margin."""
    first = max(i for i, line in enumerate(lines) if line.startswith("func.func"))
    return lines[first:lines.index("}", first) + 1]


def expand(section, path):
    """The sections that a section stands for."""
    base, functions, others, i = [], [], [], 0
    while i < len(section):
        head = HEAD.match(section[i])
        if not head:
            base.append(section[i])
            i += 1
            continue
        where, title, change = f"{path}: {section[i]}", [section[i]], []
        i += 1
        while i < len(section) and section[i].startswith("//"):
            if HEAD.match(section[i]):
                break
            (change if section[i][2:3] in ("+", "-") else title).append(section[i])
            i += 1
        if head.group(1):
            copy = changed(last_function(base), change, where)
            copy[0] = NAME.sub("@" + head.group(1), copy[0], count=1)
            functions += title + copy
        else:
            others.append((title, change, where))
    return [base + functions] + [title + changed(base, change, where)
                                 for title, change, where in others]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        sections = file.read().split("\n// -----\n")
    made = [lines for section in sections
            for lines in expand(section.split("\n"), sys.argv[1])]
    print("\n// -----\n".join("\n".join(lines) for lines in made))


if __name__ == "__main__":
    main()
