# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The client of memplan-test-programs --serve, which runs memplan-opt and programs
without loading the libraries for each command (test/lib/programs/Server.h)."""

import atexit
import collections
import os
import shutil
import subprocess
import threading

# `status` is negative if a signal ended the command; 14 ends it after its time.
Answer = collections.namedtuple("Answer", "status output errors live")
TIME_IS_UP = -14


class Server:
    """A process for each thread that asks."""

    def __init__(self, driver=None):
        self.driver = (driver or os.environ.get("MEMPLAN_TEST_PROGRAMS")
                       or shutil.which("memplan-test-programs")
                       or "memplan-test-programs")
        self.local = threading.local()

    def ask(self, command, text, *arguments, timeout=600):
        if not hasattr(self.local, "process"):
            self.local.process = subprocess.Popen(
                [self.driver, "--serve"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE)
            # Its time counts as that of this script.
            atexit.register(self.local.process.communicate)
        process = self.local.process
        parts = [command, str(timeout), text, *arguments]
        message = b"%d\n" % len(parts)
        for part in parts:
            part = part.encode()
            message += b"%d\n%s" % (len(part), part)
        process.stdin.write(message)
        process.stdin.flush()

        def number():
            line = process.stdout.readline()
            if not line:
                raise SystemExit(f"{self.driver} has ended: {process.wait()}")
            return int(line)

        status, output, errors, live = (
            process.stdout.read(number()).decode(errors="replace")
            for _ in range(number()))
        return Answer(int(status), output, errors, live)

    def optimize(self, text, *flags, timeout=600):
        """memplan-opt on the text, or, without one, on the file among the flags."""
        return self.ask("opt", text, *flags, timeout=timeout)

    def seconds(self):
        """The processor time of the commands that this thread has asked for."""
        if not hasattr(self.local, "process"):
            return 0.0
        with open(f"/proc/{self.local.process.pid}/stat", encoding="utf-8") as file:
            # After the name, which ends with the last bracket: fields 14 and 15 are
            # the times of its children that have ended.
            fields = file.read().rpartition(")")[2].split()
        return sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")
