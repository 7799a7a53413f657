"""check_budgets.py TOOLS PERCENT,... FILE...: runs memplan-rematerialize on the joint
function of each FILE with budgets in percent of the peak of its order. If a budget is met,
the peak of the result is computed here from its ops, and the result must compute the same
bits (with TOOLS/run_joint.py); otherwise the pass must prove that no schedule meets it.
FLOPs must not decrease with smaller budgets. Prints a table."""
import json
import os
import re
import subprocess
import sys
import tempfile

tools, percents = sys.argv[1:3]
failures = 0


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def export(program):
    return json.loads(run("memplan-opt", program, "-o", os.devnull,
                          "--memplan-export-graph=output=-").stdout)


def count(graph):
    """The most bytes that are live at once, and the FLOPs, in program order."""
    storage = {s["id"]: s["bytes"] for s in graph["storages"]} if "storages" in graph else {}
    home = {}
    for value in graph["values"]:
        home[value["id"]] = value.get("storage", value["id"])
        storage.setdefault(home[value["id"]], value["bytes"])
    held = {home[entry["value"]] for entry in graph["inputs"]}
    held |= {s["id"] for s in graph.get("storages", []) if s.get("kind") == "constant"}
    last = {}
    for time, op in enumerate(graph["ops"]):
        for value in op.get("operands", []) + op.get("results", []):
            last[home[value]] = time
    for value in graph["outputs"]:
        last[home[value]] = len(graph["ops"])
    live = set(held)
    peak = bytes_live = sum(storage[s] for s in live)
    for time, op in enumerate(graph["ops"]):
        for value in op.get("results", []):
            if home[value] not in live:
                live.add(home[value])
                bytes_live += storage[home[value]]
        peak = max(peak, bytes_live + op.get("scratch_bytes", 0))
        for value in set(home[v] for v in op.get("operands", []) + op.get("results", [])):
            if value in live and value not in held and last[value] == time:
                live.remove(value)
                bytes_live -= storage[value]
    return peak, sum(op.get("flops", 0) for op in graph["ops"])


def execute(program):
    lines = run(sys.executable, os.path.join(tools, "run_joint.py"), program).stdout.splitlines()
    return [line for line in lines if line.startswith("result")]


def check(what, holds):
    global failures
    failures += not holds
    return "" if holds else " WRONG: " + what


for program in sys.argv[3:]:
    name = os.path.basename(program).split(".")[0]
    whole, flops = count(export(program))
    expected = execute(program)
    failures += not expected
    before = 0
    for percent in map(int, percents.split(",")):
        budget = whole * percent // 100
        with tempfile.TemporaryDirectory() as folder:
            found = os.path.join(folder, "found.mlir")
            result = run("memplan-opt", program, "-o", found,
                         f"--memplan-rematerialize=budget={budget} in-place=false output=-")
            if result.returncode:
                line = next(l for l in result.stderr.splitlines() if "error: " in l)
                why = re.sub(r".*error: @joint ", "", line)
                note = check("no proof", "cannot run in" in line)
                print(f"{name} {percent} {budget}: {why}{note}", flush=True)
                continue
            peak, now = count(export(found))
            note = check("peak", peak <= budget)
            note += check("FLOPs fall", now - flops >= before)
            note += check("results", execute(found) == expected)
            print(f"{name} {percent} {budget}: peak {peak}, "
                  f"{100 * (now - flops) / flops:.1f} % more FLOPs{note}", flush=True)
            before = now - flops
sys.exit(failures != 0)
