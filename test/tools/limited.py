#!/usr/bin/python3
"""limited.py MEGABYTES SECONDS COMMAND...: runs COMMAND with at most so much memory
and so much processor time."""
import os
import resource
import sys

memory, seconds = int(sys.argv[1]) << 20, int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
os.execvp(sys.argv[3], sys.argv[3:])
