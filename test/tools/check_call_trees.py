#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the arena of a call tree with the bound of the inlined program.

  check_call_trees.py FILE=ENTRY ...

For each program, the call tree below ENTRY is planned with scope=module, and then
the program with all calls inlined. In every memory space, the arena of the tree
must have at most the bytes of the proven lower bound of the inlined program plus
the padding of its frames.
"""

import json
import os
import sys
import tempfile

from server import Server


def arenas(server, path, entry, passes, options):
    """(arena bytes, bound) by memory space of the entry function; frames."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        plan = f"--plan-memory=report=json report-file={report} {options}"
        answer = server.optimize("", path, *passes, plan, "-o", os.devnull)
        if answer.status:
            sys.exit(f"{path}: {answer.errors[:2000]}")
        with open(report) as file:
            arenas = json.load(file)["arenas"]
    own = [arena for arena in arenas if arena["function"] == entry]
    found = {}
    for arena in own:
        # The first arena of a space is the function's; the others are frames of workers in it.
        found.setdefault(arena["memory_space"], (arena["arena_bytes"], arena["bound_bytes"]))
    frames = sum(buffer["name"].startswith("frame") for arena in own
                 for buffer in arena.get("buffers", []))
    return found, frames, max((arena["alignment"] for arena in own), default=1)


def main():
    server, worse = Server(), 0
    for argument in sys.argv[1:]:
        path, entry = argument.rsplit("=", 1)
        apart = "in-place=false prepare=false"
        tree, frames, alignment = arenas(server, path, entry, [],
                                         f"scope=module entry-points={entry} {apart}")
        inlined, _, _ = arenas(server, path, entry, ["--inline=default-pipeline="], apart)
        for space, (size, _) in tree.items():
            bound = inlined.get(space, (0, 0))[1]
            fits = size <= bound + frames * alignment
            worse += not fits
            print(f"{os.path.basename(path)}: {size} bytes, {frames} frames, inlined at least "
                  f"{bound}{'' if fits else ': WORSE'}")
    print(f"{len(sys.argv) - 1} call trees, {worse} worse than inlined")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
