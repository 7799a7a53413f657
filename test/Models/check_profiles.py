"""check_profiles.py PROGRAM...: checks for programs on memrefs that the peak of
memplan-profile is the peak of the plan's report, in every function and memory space, and
also the plan's lower bound unless that is higher than the peak."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
from server import Server  # noqa: E402

server = Server()


def run(program, option):
    answer = server.optimize("", program, option, "-o", "/dev/null")
    if answer.status:
        sys.exit(answer.errors)
    return json.loads(answer.output)


failures = functions = 0
# Arenas whose lower bound is higher than their peak.
stronger = []
for program in sys.argv[1:]:
    profiles = run(program, "--memplan-profile=planned-only format=json output=-")["profiles"]
    arenas = run(program, "--plan-memory=strategy=greedy in-place=false prepare=false "
                 "workers=0 report=json report-file=-")["arenas"]
    found = {(profile["graph"], space["space"] or "0"): space["peak_bytes"]
             for profile in profiles for space in profile["spaces"]}
    for arena in arenas:
        key = (arena["function"], arena["memory_space"])
        peak = arena["peak"]["bytes"] if arena["buffers_planned"] else 0
        functions += 1
        if peak < arena["bound_bytes"]:
            stronger.append("@%s: bound %d, peak %d" % (key[0], arena["bound_bytes"], peak))
        if found.get(key, 0) != peak or peak > arena["bound_bytes"]:
            failures += 1
            print("%s @%s: profile %s, plan %s, bound %s" %
                  (program, key[0], found.get(key), peak, arena["bound_bytes"]))
print("%d arenas of %d programs; %d with a bound above the peak" %
      (functions, len(sys.argv) - 1, len(stronger)))
print("\n".join(stronger))
sys.exit(failures != 0 or functions == 0)
