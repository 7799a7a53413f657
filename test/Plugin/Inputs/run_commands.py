"""run_commands.py DOC PROGRAM PREFIX FOLDER: runs, in FOLDER, the commands of DOC
(lines in blocks of code) that begin with PROGRAM, with PREFIX for <prefix> and the
folder of its plugin for <libdir>."""
import glob
import os
import re
import subprocess
import sys

doc, program, prefix, folder = sys.argv[1:]
with open(doc, encoding="utf-8") as file:
    text = file.read().replace("\\\n", " ")
commands = re.findall(rf"^ {{4}}({re.escape(program)} .*)$", text, re.MULTILINE)
if not commands:
    sys.exit(f"{doc} has no command {program}")
for command in commands:
    plugin, = glob.glob(f"{prefix}/lib/**/MemPlanPlugin.so", recursive=True)
    command = command.replace("<prefix>", prefix).replace("<libdir>", os.path.dirname(plugin))
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    if done.returncode or not done.stdout:
        sys.exit(f"{command}\n{done.stdout}{done.stderr}")
print(f"{len(commands)} commands run")
