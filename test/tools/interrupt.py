#!/usr/bin/python3
"""interrupt.py SECONDS COMMAND...: runs COMMAND and sends it SIGINT (Ctrl-C) after
SECONDS; exits with its status, or 128 plus the signal that ended it."""
import signal
import subprocess
import sys

# A process in the background may ignore SIGINT, and its children would, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
with subprocess.Popen(sys.argv[2:]) as process:
    try:
        process.wait(float(sys.argv[1]))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    status = process.wait()
sys.exit(status if status >= 0 else 128 - status)
