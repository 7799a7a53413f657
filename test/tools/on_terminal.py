#!/usr/bin/python3
"""on_terminal.py COMMAND...: runs COMMAND with a terminal as its standard error and
prints the terminal's output with visible line ends and escapes. Standard output is
discarded; the exit status is 0."""
import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs) as process:
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
print(text.decode().replace("\033", "ESC").replace("\r\n", "\n").replace("\r", "\nCR"))
