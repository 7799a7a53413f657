#!/usr/bin/env python3
"""training.py: training steps of the modules of ../shared/training, split by PyTorch's
default partition, its min-cut partition with several budgets, and memplan's at the same
number of kept bytes. Prints the table of docs/training.md: bytes kept between the
functions, the peak of a step (torch.profiler) and the CPU time of a step.

    training.py [--check FILE] [--write docs/training.md] [CASE ...]

FILE is the check.py that trains, compares and measures (default: ../shared/training/check.py);
run it with the Python of build/frameworks, PYTHONPATH and the library path as for memplan.
Stops if memplan's results differ from the default's, or from eager where that is wrong.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUDGETS = ("min_cut", "min_cut:0.9", "min_cut:0.7", "min_cut:0.5", "min_cut:0.3")
OURS = "memplan.torch:partition"
BEGIN, END = "<!-- begin: benchmarks/training.py -->", "<!-- end: benchmarks/training.py -->"


def measure(check, case, specs):
    """The records of one module, by partition; all are timed in turns in one process."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        run = subprocess.run([sys.executable, check, "default", *specs, "--routes", "dynamo", "--measure",
                              "--cases", case, "--json", file.name], stdout=subprocess.PIPE, text=True)
        try:
            return {record["partition"]: record for record in json.load(file)}
        except ValueError:
            sys.exit(f"{case}: {run.stdout}")


def cell(record, base):
    if record["status"] not in ("equal", "close"):
        return "wrong" if record["status"] == "wrong" else "crash"
    return f"{record['kept']} / {record['peak']} / {record['ms_least'] / base['ms_least']:.2f}"


def rows_of(check, case):
    first = measure(check, case, BUDGETS)
    theirs = [first[spec] for spec in BUDGETS if "kept" in first[spec]]
    limits = sorted({record["kept"] for record in theirs}, reverse=True)
    ours = {limit: f"{OURS},budget={limit}" for limit in limits}
    found = measure(check, case, [*BUDGETS, OURS, *ours.values()])
    for spec, record in found.items():
        if spec.startswith(OURS) and record["status"] not in ("equal", "close"):
            sys.exit(f"{case}: {spec}: {record['status']} {record.get('error', '')}")
    base = found["default"]
    yield (case, "default", cell(base, base) if base["status"] != "wrong" else "wrong", "", "")
    yield (case, "no budget", cell(found["min_cut"], base), cell(found[OURS], base),
           notes(found["min_cut"], found[OURS], base))
    for limit, spec in ours.items():
        same = next(found[s] for s in BUDGETS if found[s].get("kept") == limit)
        yield (case, str(limit), cell(same, base), cell(found[spec], base), notes(same, found[spec], base))


def notes(theirs, mine, base):
    """The lines that are missed, and by how much."""
    found = []
    if theirs["status"] in ("equal", "close") and mine["kept"] <= theirs["kept"]:
        if mine["peak"] > theirs["peak"]:
            found.append(f"peak {100 * (mine['peak'] / theirs['peak'] - 1):+.1f} %")
        if mine["ms_least"] > 1.05 * theirs["ms_least"]:
            found.append(f"time {100 * (mine['ms_least'] / theirs['ms_least'] - 1):+.0f} %")
    if mine["kept"] > theirs["kept"]:
        found.append(f"keeps {mine['kept'] - theirs['kept']} more")
    if mine["peak"] > base["peak"]:
        found.append(f"peak {100 * (mine['peak'] / base['peak'] - 1):+.1f} % of default's")
    return ", ".join(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--check", default=os.path.join(os.path.dirname(ROOT), "shared", "training", "check.py"))
    parser.add_argument("--write", default="")
    options = parser.parse_args()
    listed = subprocess.run([sys.executable, options.check, "--list"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    cases = options.cases or [line.split()[0] for line in listed.splitlines()]
    lines = ["| module | budget, bytes | PyTorch | memplan | missed |", "|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    for case in cases:
        for row in rows_of(options.check, case):
            lines.append("| " + " | ".join(row) + " |")
            print(lines[-1], flush=True)
    if options.write:
        with open(options.write, encoding="utf-8") as file:
            text = file.read()
        pattern = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(pattern.sub(lambda _: "\n".join([BEGIN, *lines, END]), text))


if __name__ == "__main__":
    main()
