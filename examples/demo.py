#!/usr/bin/python3
"""demo.py: plans examples/mobilenet.mlir from tensors, prints the report, and runs
the program with an allocation for every tensor and with one arena. Fails if the
two outputs differ. Needs memplan-opt and mlir-runner on PATH."""
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NETWORK = os.path.relpath(os.path.join(HERE, "mobilenet.mlir"))


def run(*command, **options):
    result = subprocess.run(command, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, **options)
    if result.returncode:
        sys.exit(f"demo: error: {' '.join(command)} failed:\n{result.stderr}")
    return result.stdout


def execute(program, folder):
    """The output of the program on memrefs."""
    lowered = os.path.join(folder, "lowered.mlir")
    run("memplan-opt", program, "--memplan-to-llvm", "-o", lowered)
    libs = run("llvm-config-22", "--libdir").strip()
    return run(
        "mlir-runner", lowered, "-O2", "-e", "main",
        "-entry-point-result=void", "-shared-libs=" + ",".join(
            f"{libs}/lib{name}.so"
            for name in ("mlir_runner_utils", "mlir_c_runner_utils")))


def main():
    with tempfile.TemporaryDirectory() as folder:
        unplanned = os.path.join(folder, "unplanned.mlir")
        planned = os.path.join(folder, "planned.mlir")
        numbers = os.path.join(folder, "report.json")
        print(f"$ memplan-opt {NETWORK} "
              "--memplan-from-tensors='report=text report-file=-'\n", flush=True)
        report = os.path.join(folder, "report.txt")
        run("memplan-opt", NETWORK, "-o", planned,
            f"--memplan-from-tensors=report=text report-file={report}")
        with open(report, encoding="utf-8") as file:
            print(file.read())
        run("memplan-opt", NETWORK, "-o", os.devnull,
            f"--memplan-from-tensors=report=json report-file={numbers}")
        run("memplan-opt", NETWORK, "-o", unplanned,
            "--memplan-bufferize")

        print("running it with an allocation for every tensor")
        before = execute(unplanned, folder)
        print("running it with one arena for each function")
        after = execute(planned, folder)
        if before != after or not before:
            sys.exit("demo: error: the results differ")
        print(f"results identical: {len(before.split())} numbers, bit for bit")

        with open(numbers, encoding="utf-8") as file:
            arenas = json.load(file)["arenas"]
        total = sum(arena["sum_bytes"] for arena in arenas)
        used = sum(arena["arena_bytes"] for arena in arenas)
        print(f"memory: {total} bytes before, {used} after, "
              f"{total - used} saved ({100 * (total - used) / total:.1f} %)")


main()
