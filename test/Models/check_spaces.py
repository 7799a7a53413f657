#!/usr/bin/python3
"""Real programs with a part of their arena as a fast memory space.

  check_spaces.py MEMREF [ENTRY TOOLS]

The fast space gets 25, 50 and 75 % of the bytes of the program's arena.
memplan-assign-spaces decides what is in it, plan-memory plans both spaces within the
capacity, and the verifier accepts the result. The cost is never above that of farthest
last use, nor below the bound. With ENTRY, the program computes the same bits as before;
`TOOLS/run_model.sh` runs both, without memory spaces.

Prints a line for each capacity: bytes of the slow space that are read and written if
everything is slow, by farthest last use, by memplan, and the lower bound.
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def optimize(*options):
    result = subprocess.run(["memplan-opt", *options], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"{' '.join(options)} failed:\n{result.stderr[-4000:]}")
    return result.stdout


def drop_spaces(text):
    """The program without the memory space 1, which the host has not."""
    return re.sub(r"(memref<[^<>]*(?:strided<[^<>]*>)?), 1>", r"\1>", text)


def run_model(path, entry, tools):
    result = subprocess.run([os.path.join(tools, "run_model.sh"), path, entry],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if result.returncode or not result.stdout.strip():
        sys.exit(f"{path} does not run:\n{result.stderr[-4000:]}")
    return result.stdout


def main():
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)  # noqa: E731
        optimize(program, "--plan-memory=report=json report-file=" + path("arena.json"),
                 "-o", os.devnull)
        with open(path("arena.json"), encoding="utf-8") as file:
            arena = max(a["arena_bytes"] for a in json.load(file)["arenas"])
        expected = run_model(program, *sys.argv[2:]) if len(sys.argv) == 4 else None
        for percent in (25, 50, 75):
            capacity = arena * percent // 100
            optimize(program, f"--memplan-assign-spaces=capacity={capacity} prefetch=4 "
                     f"report=json output={path('report.json')}", "-o",
                     path("assigned.mlir"))
            optimize(path("assigned.mlir"), "--plan-memory=require=verified "
                     f"capacity=1:{capacity}", "--memplan-verify", "-o",
                     path("planned.mlir"))
            with open(path("report.json"), encoding="utf-8") as file:
                functions = json.load(file)["functions"]
            slow, rule, own = ([sum(f["assignments"][i][key] for f in functions)
                                for key in ("cost", "slow_bytes")] for i in range(3))
            bound = sum(f["lower_bound"] for f in functions)
            if not bound <= own[0] <= rule[0]:
                sys.exit(f"{percent} %: cost {own[0]}, bound {bound}, rule {rule[0]}")
            same = ""
            if expected is not None:
                with open(path("planned.mlir"), encoding="utf-8") as file:
                    text = drop_spaces(file.read())
                with open(path("run.mlir"), "w", encoding="utf-8") as file:
                    file.write(text)
                if run_model(path("run.mlir"), *sys.argv[2:]) != expected:
                    sys.exit(f"{percent} %: the results differ")
                same = ", same results"
            print(f"{percent} %: {capacity} bytes, slow {slow[1]}, farthest last use "
                  f"{rule[1]}, memplan {own[1]}, bound {bound}, ratio "
                  f"{own[0] / bound if bound else 1:.4f}{same}", flush=True)


if __name__ == "__main__":
    main()
