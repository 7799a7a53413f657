#!/usr/bin/python3
"""check_carried.py PROGRAM: for each function @f of PROGRAM with a function @run_f, which
calls it between @meter_begin and @meter_end, checks that the most bytes that it has on the
heap at once are the peak of memplan-profile. The memory of arguments belongs to the
caller; it counts from when the function replaces it by memory that it frees itself."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile

import execution


def run(*command, env=None):
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    if done.returncode:
        sys.exit("%s failed:\n%s" % (" ".join(command)[:400], done.stderr[-3000:]))
    return done.stdout


def measure(lowered, name, meter, folder):
    trace = os.path.join(folder, name + ".csv")
    libraries = [meter, *execution.runner_libraries()]
    run("mlir-runner", "-e", "run_" + name, "-entry-point-result=void",
        "-shared-libs=" + ",".join(libraries), lowered, env=dict(os.environ, HEAP_METER=trace))
    live, peak, sizes = 0, 0, {}
    with open(trace) as file:
        for row in csv.DictReader(file):
            if row["event"] == "alloc":
                sizes[row["pointer"]] = int(row["bytes"])
                live += sizes[row["pointer"]]
            else:
                live -= sizes.pop(row["pointer"], 0)
            peak = max(peak, live)
    return peak


def main():
    program = sys.argv[1]
    with open(program) as file:
        names = re.findall(r"@run_(\w+)\(", file.read())
    with tempfile.TemporaryDirectory() as folder:
        meter, lowered = os.path.join(folder, "meter.so"), os.path.join(folder, "lowered.mlir")
        here = os.path.dirname(os.path.abspath(__file__))
        run("clang-22", "-shared", "-fPIC", "-O1", "-o", meter, os.path.join(here, "heap_meter.c"))
        with open(program) as source, open(lowered, "w") as file:
            file.write(execution.Tools().lower(source.read()))
        wrong = 0
        for name in names:
            profile = json.loads(run(
                "memplan-opt", program, "-o", "/dev/null",
                "--memplan-profile=function=%s dim-hint=100 exclude=all format=json output=-" % name))
            said = profile["profiles"][0]["peak_bytes"]
            peak = measure(lowered, name, meter, folder)
            wrong += said != peak
            print("%s: %d%s" % (name, peak, "" if said == peak else
                                ", and the profile says %d" % said))
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
