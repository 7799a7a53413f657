#!/usr/bin/env python3
# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares plans without and with overlaps, by their reports in JSON.

  check_overlaps.py apart.json overlapping.json FUNCTION PERCENT

Fails unless the function's arena is at least PERCENT % below the lower bound of plans
without overlaps, and exactly the buffers that share bytes while both are live are
listed with a proof.
"""

import itertools
import json
import sys


def arena_of(path, function):
    with open(path) as file:
        arenas = json.load(file)["arenas"]
    found = [arena for arena in arenas if arena["function"] == function]
    if len(found) != 1:
        sys.exit(f"{path}: {len(found)} arenas of @{function}")
    return found[0]


def are_live_together(one, other):
    return any(a[0] < b[1] and b[0] < a[1]
               for a in one["live"] for b in other["live"])


def share_bytes(one, other):
    return (one["offset"] < other["offset"] + other["size"] and
            other["offset"] < one["offset"] + one["size"])


def main():
    apart_path, overlapping_path, function, percent = sys.argv[1:]
    apart = arena_of(apart_path, function)
    arena = arena_of(overlapping_path, function)
    offsets = {slot["name"]: slot["offset"] for slot in arena["slots"]}
    sharing = {frozenset([one["name"], other["name"]])
               for one, other in itertools.combinations(arena["slots"], 2)
               if share_bytes(one, other) and are_live_together(one, other)}
    listed = set()
    for entry in arena["in_place"]:
        listed.add(frozenset([entry["read"], entry["written"]]))
        delta = offsets[entry["read"]] - offsets[entry["written"]]
        if entry["delta"] != delta or not entry["proof"]:
            sys.exit(f"no proof, or that of another place: {entry}")
    if sharing != listed:
        sys.exit(f"sharing bytes: {sharing}; listed: {listed}")
    bound, bytes_ = apart["bound_bytes"], arena["arena_bytes"]
    saved = 100 * (1 - bytes_ / bound)
    print(f"@{function}: {bytes_} bytes, {saved:.1f} % below the {bound} of "
          f"buffers that are apart; {len(listed)} overlaps, each with its proof")
    if saved < float(percent):
        sys.exit(f"less than {percent} %")


if __name__ == "__main__":
    main()
