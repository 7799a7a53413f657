#!/usr/bin/python3
"""readme.py README PROGRAM OUTPUT REPORT: checks that the blocks of code in the README
are consecutive lines of these files, in this order."""
import re
import sys

readme, *files = [open(name, encoding="utf-8").read() for name in sys.argv[1:]]
blocks = re.findall(r"^```(?!sh)\w+\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
if len(blocks) != len(files):
    sys.exit(f"the README has {len(blocks)} blocks of code, not {len(files)}")
for name, block, file in zip(sys.argv[2:], blocks, files):
    if block not in file:
        sys.exit(f"this block of the README is not in {name}:\n{block}")
