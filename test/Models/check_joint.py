"""check_joint.py TOOLS FILE PASS...: checks that the joint function of FILE computes the
same bits after each pass. TOOLS has run_joint.py and run_fwdbwd.py; if a pass makes a
function @joint_fwd, it has partitioned the joint function."""
import os
import subprocess
import sys
import tempfile

tools, program = sys.argv[1:3]


def run(script, *arguments):
    command = [sys.executable, os.path.join(tools, script)] + list(arguments)
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in lines if line.startswith("result")]


expected = run("run_joint.py", program)
if not expected:
    raise SystemExit("the program has no results")
failures = 0
for option in sys.argv[3:]:
    with tempfile.NamedTemporaryFile("w+", suffix=".mlir") as file:
        # Upstream's tools do not accept memplan's attributes.
        subprocess.run(["memplan-opt", program, option, "-o", file.name], check=True, stderr=subprocess.DEVNULL)
        text = open(file.name).read()
        found = run("run_fwdbwd.py", file.name) if "@joint_fwd" in text else run("run_joint.py", file.name)
    same = found == expected
    failures += not same
    print("%s: %d results, %s" % (option, len(found), "the same bits" if same else "DIFFERENT"))
sys.exit(failures != 0)
