# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages of measured tables."""
import os
import re
import sys


def measured(text, columns):
    """The first `columns` cells of every row of every table under a heading."""
    rows = set()
    heading = ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = line
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and not re.fullmatch(r"[-: |]+", line):
            rows.add((heading, *cells[:columns]))
    return rows


def write(path, text, columns=1, replace=False):
    """Writes the page unless it lacks rows of the page at `path`, which may have been
    measured with more programs available. The first `columns` cells name a row.
    Returns False if it does not write."""
    if os.path.exists(path) and not replace:
        with open(path, encoding="utf-8") as file:
            missing = measured(file.read(), columns) - measured(text, columns)
        if missing:
            names = sorted({", ".join(row[1:]) for row in missing})
            print(f"{path} is left as it is: it has what was not measured now: "
                  f"{'; '.join(names)} (--replace writes it nevertheless)",
                  file=sys.stderr)
            return False
    # Replace the file as a whole.
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)
    return True
