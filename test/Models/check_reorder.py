"""check_reorder.py FOLDER TOOLS NAME[:ENTRY]...: checks that programs of FOLDER on
memrefs print the same after memplan-reorder and that their arenas do not grow; prints
both arenas. A program without an entry is only planned."""
import json
import os
import re
import subprocess
import sys
import tempfile

folder, tools = sys.argv[1:3]
failures = 0


def arenas(program):
    out = subprocess.run(["memplan-opt", program, "-o", "/dev/null",
                          "--plan-memory=report=json report-file=-"],
                         capture_output=True, text=True, check=True).stdout
    return sum(arena["arena_bytes"] for arena in json.loads(out)["arenas"])


def execute(program, entry):
    environment = dict(os.environ, RT="i32" if "poly_" in program else "void")
    out = subprocess.run(["bash", os.path.join(tools, "run_model.sh"), program, entry],
                         capture_output=True, text=True, env=environment, check=True).stdout
    # Addresses and times differ from run to run.
    return re.sub(r"base@ = \S+|^[0-9.e-]+$", "", out, flags=re.M)


for name in sys.argv[3:]:
    name, _, entry = name.partition(":")
    source = os.path.join(folder, name + ".memref.mlir")
    with tempfile.TemporaryDirectory() as scratch:
        ordered = os.path.join(scratch, "poly_" if name.startswith("poly_") else "") + "ordered.mlir"
        subprocess.run(["memplan-opt", source, "--memplan-reorder=output=/dev/null", "-o", ordered], check=True)
        before, after = arenas(source), arenas(ordered)
        same = not entry or execute(source, entry) == execute(ordered, entry) != ""
    failures += after > before or not same
    print("%-40s %12d %12d %5.1f %%%s" % (name, before, after, 100 * (after / before - 1) if before else 0,
                                        "" if same else " DIFFERENT RESULTS"), flush=True)
sys.exit(failures != 0)
