#!/usr/bin/python3
"""Checks of real programs, several at once.

  check_model.py plan MEMREF...
      Every strategy plans each program. The plan is verified with the memplan ops and
      lowered; planning the planned program changes nothing, and planning again gives
      the same text. The separate passes give the same result as plan-memory.
  check_model.py run TOOLS MEMREF:ENTRY...
      Each program computes the same bits before and after planning, and from its form
      on tensors if NAME.mlir is beside NAME.memref.mlir, also in stripes with at most
      10 % more FLOPs. TOOLS/run_model.sh runs it;
      ENTRY is a function, or `-` if the program has a @main (`-i32`: which returns
      i32; `-timed`: which prints its time in the last line).

  check_model.py deallocated MEMREF...
      The arenas are the same with upstream's deallocation pipeline before planning
      (with memplan-raise-deallocations) and after it.

  check_model.py blocks MEMREF...
      With all loops and branches lowered to graphs of blocks, the arenas are not
      larger and not more allocations are left; the plan is verified.

Needs memplan-test-programs on PATH. Prints the steps; a program fails at its first
difference.
"""
import concurrent.futures
import functools
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from server import Server  # noqa: E402

SERVER = Server()
STRATEGIES = ("naive", "linear-scan", "greedy-by-size", "greedy-by-breadth",
              "best-fit", "hill-climb", "exact", "auto")


def run(*command, env=None):
    result = subprocess.run(command, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=env)
    if result.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{result.stderr[-4000:]}")
    return result.stdout


def optimize(file, *options):
    answer = SERVER.optimize("", file, *options)
    if answer.status:
        sys.exit(f"{file} {' '.join(options)} failed:\n{answer.errors[-4000:]}")
    return answer.output


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def check_plan(program, folder):
    for strategy in STRATEGIES:
        options = f"--plan-memory=require=verified strategy={strategy}"
        planned = optimize(program, options)
        if "memplan.arena" not in planned:
            sys.exit(f"{strategy}: nothing was planned")
        if planned != optimize(program, options):
            sys.exit(f"{strategy}: a repetition gives another program")
        file = write(folder, "planned.mlir", planned)
        optimize(file, "--memplan-verify")
        if optimize(file, options) != planned:
            sys.exit(f"{strategy}: a second run changes the program")
        ops = write(folder, "ops.mlir",
                    optimize(program, options + " lower=false"))
        optimize(ops, "--memplan-verify")
        if optimize(ops, "--memplan-lower", "--memplan-verify") != planned:
            sys.exit(f"{strategy}: memplan-lower gives another program")
    for options in ("scope=function", "scope=module"):
        planned = optimize(program, f"--plan-memory=require=verified {options}")
        if planned != optimize(program, f"--memplan-extract={options}",
                               "--memplan-solve", "--memplan-materialize",
                               "--memplan-lower"):
            sys.exit(f"{options}: the passes of plan-memory give another program")


def count_memory(planned):
    """(bytes of arenas, allocations besides them)"""
    arenas = re.findall(r"memref\.alloc\(.*memplan\.arena.*memref<(\d+)xi8>",
                        planned)
    return sum(map(int, arenas)), planned.count("memref.alloc(") - len(arenas)


def check_blocks(program, folder):
    graphs = write(folder, "graphs.mlir",
                   optimize(program, "--convert-linalg-to-loops",
                            "--lower-affine", "--convert-scf-to-cf"))
    # Compare with loops of scf.while: writing in place and overwriting a whole buffer
    # are proven for counted loops only.
    before = count_memory(optimize(program, "--convert-linalg-to-loops",
                                   "--scf-for-to-while",
                                   "--plan-memory=in-place=false"))
    planned = optimize(graphs, "--plan-memory=require=verified")
    after = count_memory(planned)
    if "scf." in planned or before[0] == 0:
        sys.exit("nothing is compared")
    if after[0] > before[0] or after[1] > before[1]:
        sys.exit(f"{after} instead of {before} (bytes, allocations left)")
    optimize(write(folder, "planned.mlir", planned), "--memplan-verify")


def check_deallocated(program, folder):
    planned, _ = count_memory(optimize(program, "--plan-memory"))
    freed = write(folder, "freed.mlir",
                  optimize(program, "--buffer-deallocation-pipeline"))
    raised = optimize(freed, "--memplan-raise-deallocations",
                      "--plan-memory=require=verified")
    after = optimize(program, "--plan-memory=require=verified",
                     "--buffer-deallocation-pipeline")
    if planned == 0 or {count_memory(raised)[0],
                        count_memory(after)[0]} != {planned}:
        sys.exit(f"{planned} bytes, but {count_memory(raised)[0]} when it was "
                 f"deallocated before, {count_memory(after)[0]} after")


def check_run(tools, job, folder):
    program, _, entry = job.rpartition(":")
    source = program.replace(".memref.mlir", ".mlir")
    environment = dict(os.environ)
    timed = entry == "-timed"
    if entry == "-i32":
        environment["RT"] = "i32"
    if entry.startswith("-"):
        entry = "-"

    def execute(file):
        output = run(os.path.join(tools, "run_model.sh"), file, entry,
                     env=environment)
        if timed:
            output = output[:output.rstrip("\n").rfind("\n")]
        # Printed addresses of buffers may differ.
        return re.sub(r"base@ = 0x[0-9a-f]+", "", output)

    expected = execute(program)
    if not expected.strip():
        sys.exit("the program prints nothing")
    planned = write(folder, "planned.mlir", optimize(program, "--plan-memory"))
    variants = [("planned", planned)]
    if source != program and os.path.exists(source):
        for what, options in (("", ""), (", in stripes", "=stripes=10")):
            variants.append(
                ("planned from tensors" + what,
                 write(folder, f"tensors{len(variants)}.mlir",
                       optimize(source, "--memplan-from-tensors" + options))))
    for name, file in variants:
        if execute(file) != expected:
            sys.exit(f"{name}: the results differ")


CHECKS = {"plan": check_plan, "deallocated": check_deallocated, "blocks": check_blocks}


def main():
    what, arguments = sys.argv[1:2], sys.argv[2:]
    if what == ["run"] and len(arguments) > 1:
        check, jobs = functools.partial(check_run, arguments[0]), arguments[1:]
    elif what and what[0] in CHECKS and arguments:
        check, jobs = CHECKS[what[0]], arguments
    else:
        sys.exit(__doc__)

    def run_job(job):
        """The reason why the check fails, or None."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                return check(job, folder)
            except SystemExit as failure:
                return failure.code

    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, failure in zip(jobs, pool.map(run_job, jobs)):
            failures += failure is not None
            print(f"{job}: {failure or 'right'}")
    sys.exit(failures != 0)


main()
