#!/usr/bin/python3
"""Compares memplan-graph's profiles of a forward and backward pair with the
peaks that PyTorch's partitions were recorded with.

  check_recorded_peaks.py FILE.aten.json...

Every partition of a file that lists its order of ops is compared, as found and
reordered: forward peak, baseline, backward peak and the larger of the two.
"""
import json
import os
import subprocess
import sys
import tempfile

import aten_graph


def pair_profile(forward, backward):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, graph in (("fwd", forward), ("bwd", backward)):
            paths.append(os.path.join(folder, name + ".json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(graph, file)
        run = subprocess.run(
            ["memplan-graph", "profile", paths[0], "--backward=" + paths[1],
             "--format=json"], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(run.stdout)


def main():
    failures = 0
    for path in sys.argv[1:]:
        recorded = aten_graph.Recorded(path)
        for name in recorded.partitions():
            result = recorded.data["results"][name]
            for reordered in (False, True):
                suffix = "_reordered" if reordered else ""
                found = pair_profile(recorded.forward(name),
                                     recorded.backward(name, reordered))
                got = [found[k] for k in ("forward_peak_bytes",
                                          "baseline_bytes",
                                          "backward_peak_bytes", "peak_bytes")]
                expected = [result[k] for k in ("fwd_peak", "bwd_baseline",
                                                "bwd_peak" + suffix,
                                                "peak" + suffix)]
                verdict = "equal" if got == expected else f"not {expected}"
                failures += got != expected
                print(recorded.data["model"], name + suffix, got, verdict)
    sys.exit(failures > 0)


main()
