#!/usr/bin/env python3
"""training.py: training steps of the modules of ../shared/training, split by PyTorch's
default partition, its min-cut partition with several budgets, and memplan's at the same
number of kept bytes. Prints the tables of docs/training.md: bytes kept between the
functions, the peak of a step (torch.profiler) and the CPU time of a step; and the CPU time
that the partition functions take.

    training.py [--check FILE] [--write docs/training.md] [--table steps|partition] [CASE ...]

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
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUDGETS = ("min_cut", "min_cut:0.9", "min_cut:0.7", "min_cut:0.5", "min_cut:0.3")
OURS = "memplan.torch:partition"
#: The environment variable with the file into which `timed` writes.
TIMES = "MEMPLAN_TIMES"


def measure(check, case, specs):
    """The records of one module, by partition; all are timed in turns in one process."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        run = subprocess.run([sys.executable, check, "default", *specs, "--routes", "dynamo", "--measure",
                              "--cases", case, "--json", file.name], stdout=subprocess.PIPE, text=True)
        try:
            return {record["partition"]: record for record in json.load(file)}
        except ValueError:
            sys.exit(f"{case}: {run.stdout}")


def timed(joint, inputs, **options):
    """A partition function that times the default one, and memplan's without a budget and with
    half of what the default one keeps: the first call, and the least of five."""
    from torch._functorch.partitioners import default_partition
    import memplan.torch

    def seconds(call):
        found = []
        for _ in range(6):
            start = time.process_time()
            call()
            found.append(time.process_time() - start)
        return found[0], min(found[1:])

    record = {"ops": sum(n.op == "call_function" for n in joint.graph.nodes),
              "default": seconds(lambda: default_partition(joint, inputs, **options))}
    for name, budget in (("none", None), ("half", 0.5)):
        record[name] = seconds(lambda: memplan.torch.partition(joint, inputs, budget=budget, **options))
    with open(os.environ[TIMES], "a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    return default_partition(joint, inputs, **options)


def partition_rows(check, case):
    """The time of the partition functions for the largest graph of a module."""
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as file:
        folder = os.path.dirname(os.path.abspath(__file__))
        env = {**os.environ, TIMES: file.name,
               "PYTHONPATH": os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])}
        subprocess.run([sys.executable, check, "training:timed", "--routes", "dynamo", "--cases", case], env=env,
                       stdout=subprocess.PIPE, text=True)
        records = [json.loads(line) for line in file]
    if not records:
        sys.exit(f"{case}: no graph was split")
    record = max(records, key=lambda r: r["ops"])
    first, base = (record["default"][i] for i in (0, 1))
    yield (case, str(record["ops"]), f"{1e3 * first:.1f} / {1e3 * base:.1f}",
           *(f"{1e3 * record[name][0]:.1f} / {1e3 * record[name][1]:.1f} / {record[name][1] / base:.2f}"
             for name in ("none", "half")))


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


#: The rows of each table, and its head.
TABLES = {
    "steps": (rows_of, ("module", "budget, bytes", "PyTorch", "memplan", "missed")),
    "partition": (partition_rows, ("module", "ops", "default, ms", "memplan, no budget", "memplan, half")),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--check", default=os.path.join(os.path.dirname(ROOT), "shared", "training", "check.py"))
    parser.add_argument("--write", default="")
    parser.add_argument("--table", choices=TABLES)
    options = parser.parse_args()
    listed = subprocess.run([sys.executable, options.check, "--list"], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    cases = options.cases or [line.split()[0] for line in listed.splitlines()]
    for table, (rows, head) in TABLES.items():
        if options.table in (None, table):
            write(table, rows, head, cases, options)


def write(table, rows, head, cases, options):
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    print("\n".join(lines), flush=True)
    for case in cases:
        for row in rows(options.check, case):
            lines.append("| " + " | ".join(row) + " |")
            print(lines[-1], flush=True)
    if options.write:
        begin, end = (f"<!-- {edge}: benchmarks/training.py, {table} -->" for edge in ("begin", "end"))
        with open(options.write, encoding="utf-8") as file:
            text = file.read()
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(pattern.sub(lambda _: "\n".join([begin, *lines, end]), text))


if __name__ == "__main__":
    main()
