#!/usr/bin/python3
"""Checks that the commands of a page print the output shown in the page.

  check_commands.py PAGE.md FILE

FILE gets the page's first JSON block. Each "$ command" runs; its output must be the
text up to the next command or the end of the block.
"""
import os
import re
import subprocess
import sys
import tempfile

blocks = re.findall(r"```(json)?\n(.*?)```",
                    open(sys.argv[1], encoding="utf-8").read(), re.S)
with tempfile.TemporaryDirectory() as folder:
    graph = next(text for kind, text in blocks if kind == "json")
    with open(os.path.join(folder, sys.argv[2]), "w", encoding="utf-8") as file:
        file.write(graph)
    count = 0
    for _, text in blocks:
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)",
                                            text, re.M):
            found = subprocess.run(command.split(), cwd=folder,
                                   stdout=subprocess.PIPE, text=True).stdout
            count += 1
            if found != expected:
                sys.exit(f"{command} prints\n{found}\nnot\n{expected}")
if count == 0:
    sys.exit("the page has no command")
