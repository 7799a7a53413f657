#!/usr/bin/python3
"""Checks the example of docs/opgraph.md."""
import re
import subprocess
import sys
import tempfile

blocks = re.findall(r"```(?:json)?\n(.*?)```",
                    open(sys.argv[1], encoding="utf-8").read(), re.S)
graph, profile, plan = blocks
with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    file.write(graph)
    file.flush()
    for command, expected in ((["profile", "--entries"], profile),
                              (["plan"], plan)):
        found = subprocess.run(["memplan-graph", *command, file.name],
                               stdout=subprocess.PIPE, text=True,
                               check=True).stdout
        if not found.startswith(expected):
            sys.exit(f"{command} prints\n{found}\nnot\n{expected}")
