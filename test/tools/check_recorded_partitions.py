#!/usr/bin/python3
"""Compares memplan-graph's partitions of recorded joint graphs with recorded results of
PyTorch's default partition and of an exact minimum cut.

  check_recorded_partitions.py FILE.aten.json...

bytes: the byte-optimal cuts, with and without reductions recomputed.
default: the saved bytes, and a peak that is not above the recorded one. The peak of a
cut must not be above that of the default partition where the caller holds the primals.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import aten_graph


def partition(graph, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "joint.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(graph, file)
        text = subprocess.run(["memplan-graph", "partition", path, *options],
                              stdout=subprocess.PIPE, text=True,
                              check=True).stdout
    find = lambda pattern: int(re.search(pattern, text).group(1))
    result = {"saved": find(r"saved: .*?, (\d+) bytes \("),
              "flops": find(r"recomputed: .*, (\d+) FLOPs"),
              "peak": find(r"peak: .*pair (\d+) bytes")}
    if "cut:" in text:
        result["cut"] = find(r"cut: capacity (\d+)")
        if find(r"flow (\d+): no cut is smaller") != result["cut"]:
            sys.exit("the certificate does not hold")
    return result


def main():
    failures = 0

    def compare(what, found, expected, is_right=lambda a, b: a == b):
        nonlocal failures
        right = is_right(found, expected)
        failures += not right
        print(f"{what}: {found}",
              "equal" if found == expected else
              f"{'below' if found < expected else 'above'} {expected}"
              + ("" if right else " WRONG"))

    for path in sys.argv[1:]:
        recorded = aten_graph.Recorded(path)
        name = recorded.data["model"]
        results = recorded.data["results"]
        default = results["default_1.13_on_cse"]
        # The recorded peak does not count primals that the backward does not take.
        held = partition(recorded.joint(), "--strategy=default",
                         "--primals-are-held")
        for recompute, record in (
                ("medium", "bytes_optimal_reductions_recomputable"),
                ("cheap", "bytes_optimal_reductions_banned")):
            found = partition(recorded.joint(), "--primals-are-held",
                              "--recompute=" + recompute)
            compare(f"{name} bytes {recompute} cut", found["cut"],
                    results[record]["cut_value"])
            compare(f"{name} bytes {recompute} saved", found["saved"],
                    results[record]["saved_unique_storage_bytes_activations"])
            compare(f"{name} bytes {recompute} peak", found["peak"],
                    held["peak"], lambda a, b: a <= b)
        found = partition(recorded.joint(), "--strategy=default",
                          "--order-steps=0")
        compare(f"{name} default saved", found["saved"],
                default["saved_unique_storage_bytes_activations"])
        compare(f"{name} default peak", found["peak"], default["peak"],
                lambda a, b: a <= b)
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
