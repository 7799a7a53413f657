#!/usr/bin/python3
"""observe_models.py MKMAIN RUNTIME MODEL=ENTRY...: runs real programs with
libMemPlanRuntime (RUNTIME) and prints a table of the peaks of their allocations:
without a plan, after upstream's deallocation pipeline (a program that frees its memory
stays as it is), and planned; and the bytes that
the report of the plan predicts. MKMAIN adds a @harness_main that calls ENTRY; ENTRY `-`
is a program with a @main (`-i32`: which returns i32; `-timed`: which prints its time in
the last line).

The programs are instrumented before the harness is added, so that the memory of the
harness does not count. Fails if the three print different results, if the planned program
has another peak than the prediction, or if it disagrees with its plan
(memplan-graph compare-trace)."""
import json
import os
import re
import subprocess
import sys
import tempfile

LIBRARIES = ("libmlir_runner_utils.so", "libmlir_c_runner_utils.so")


def run(*command, text=None, env=None):
    result = subprocess.run(command, input=text, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=env)
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{result.stdout[-2000:]}"
                 f"{result.stderr[-4000:]}")
    return result.stdout


def optimize(file, *options):
    return run("memplan-opt", file, *options)


def execute(text, name, entry, mkmain, runtime, folder):
    """The output of the instrumented program, and what it has recorded."""
    file = os.path.join(folder, name + ".mlir")
    with open(file, "w", encoding="utf-8") as out:
        out.write(text)
    main = "main"
    if not entry.startswith("-"):
        text = run(sys.executable, mkmain, file, entry)
        main = "harness_main"
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
    trace = os.path.join(folder, name + ".json")
    libraries = run("llvm-config-22", "--libdir").strip()
    shared = [os.path.join(libraries, library) for library in LIBRARIES] + [runtime]
    lowered = optimize(file, "--memplan-to-llvm")
    output = run("mlir-runner", "-O2", "-e", main, "-entry-point-result=" + ("i32" if entry == "-i32" else "void"),
                 "-shared-libs=" + ",".join(shared), text=lowered,
                 env={**os.environ, "MEMPLAN_OBSERVE_JSON": trace})
    if entry == "-timed":
        output = output[:output.rstrip("\n").rfind("\n")]
    with open(trace, encoding="utf-8") as recorded:
        return (re.sub(r"base@ = 0x[0-9a-f]+", "", output), json.load(recorded),
                trace)


def observe(program, entry, mkmain, runtime, folder):
    def measure(name, text):
        return execute(text, name, entry, mkmain, runtime, folder)

    plan = os.path.join(folder, "plan.json")
    plain = measure("plain", optimize(program, "--memplan-instrument"))
    with open(program, encoding="utf-8") as file:
        frees = "memref.dealloc " in file.read()
    # Upstream's pipeline refuses programs that free memory.
    freed = plain if frees else measure(
        "freed", optimize(program, "--buffer-deallocation-pipeline",
                          "--memplan-instrument"))
    # Lowered, because the harness is added to the text; this removes the marks.
    planned = measure("planned", optimize(
        program, "--memplan-observe",
        "--plan-memory=require=verified scope=module lower=false report=json "
        f"report-file={plan}", "--memplan-instrument", "--memplan-lower"))
    name = os.path.basename(program)
    for other in (freed, planned):
        if other[0] != plain[0]:
            sys.exit(f"{name}: the results differ")
    with open(plan, encoding="utf-8") as report:
        totals = json.load(report)["totals"]
    predicted = totals["arena_bytes"] + totals["unplanned"]["bytes"]
    compared = run("memplan-graph", "compare-trace", "--plan=" + plan, planned[2])
    if "disagrees" in compared or planned[1]["peak"]["bytes"] != predicted:
        sys.exit(f"{name}: {planned[1]['peak']} instead of {predicted}\n{compared}")
    return [trace["peak"]["bytes"] for _, trace, _ in (plain, freed, planned)] + \
        [predicted, planned[1]["counts"]["birth"]]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    mkmain, runtime, *models = sys.argv[1:]
    print("| program | unplanned | deallocated | planned | predicted | lives |\n"
          "|---|---:|---:|---:|---:|---:|")
    for model in models:
        program, entry = model.rsplit("=", 1)
        with tempfile.TemporaryDirectory() as folder:
            row = observe(program, entry, mkmain, runtime, folder)
        name = os.path.basename(program).split(".")[0]
        print(f"| {name} | " + " | ".join(map(str, row)) + " |", flush=True)


main()
