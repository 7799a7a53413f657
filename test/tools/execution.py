# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps to run MLIR programs before and after planning.

Every step gets and returns program text. The unplanned and the planned program are
lowered alike, by upstream passes and memplan-alias-scopes, so any difference of their
output is caused by the planner.
"""

import os
import pathlib
import re
import shutil

from server import TIME_IS_UP, Server

STRATEGIES = [
    "naive",
    "linear-scan",
    "greedy",
    "greedy-by-breadth",
    "best-fit",
    "auto",
]

# What mlir-runner loads for programs that print.
RUNNER_LIBRARIES = ["libmlir_runner_utils.so", "libmlir_c_runner_utils.so"]

# The kinds of loops to which linalg ops can be lowered.
LOOPS = ["loops", "affine-loops", "parallel-loops"]

WITH = re.compile(r"// WITH: (.*)")


class Printed(str):
    """The output of a program. `live`: the number of buffers that it did not free."""

    live = 0


class StepFailed(Exception):
    """The failure of a tool; `step` names it and `output` is its output."""

    def __init__(self, step, output, status=1):
        super().__init__(f"{step} failed ({status}): {output.strip()[:4000]}")
        self.step = step
        self.output = output
        self.status = status


def program_of(path):
    """The text of a program, with the functions of the file that it names."""
    path = pathlib.Path(path)
    text = path.read_text(encoding="utf-8")
    library = WITH.search(text)
    if library:
        text += (path.parent / library.group(1)).read_text(encoding="utf-8")
    return text


def runner_libraries():
    """The paths of RUNNER_LIBRARIES."""
    runner = os.path.realpath(shutil.which("mlir-runner"))
    folder = os.path.join(os.path.dirname(os.path.dirname(runner)), "lib")
    return [os.path.join(folder, name) for name in RUNNER_LIBRARIES]


class Tools:
    """The steps, all of which one process serves (server.py)."""

    def __init__(self, driver=None, timeout=120):
        self.server = Server(driver)
        self.timeout = timeout
        # Further options of plan-memory.
        self.options = ""

    def _ask(self, step, command, text, *arguments, timeout=None):
        timeout = timeout or self.timeout
        answer = self.server.ask(command, text, *arguments, timeout=timeout)
        if answer.status == TIME_IS_UP:
            raise StepFailed(step, f"no end after {timeout} s", "timeout")
        if answer.status != 0:
            raise StepFailed(step, answer.errors or answer.output, answer.status)
        return answer

    def memplan(self, step, text, *flags):
        """memplan-opt on `text`; returns (rewritten text, diagnostics)."""
        answer = self._ask(step, "opt", text, *flags)
        return answer.output, answer.errors

    def plan(self, text, strategy, *flags):
        """The planned program, verified from its IR in both of its forms.

        The memplan form is verified, then lowered. The result must be equal to that of
        planning with lowering, and must be verified as well.
        """
        kept, remarks = self.memplan(
            f"plan-memory={strategy} lower=false", text,
            f"--plan-memory=strategy={strategy} lower=false require=verified "
            f"{self.options}", "--memplan-verify", *flags)
        lowered, _ = self.memplan("memplan-lower", kept, "--memplan-lower",
                                  "--memplan-verify")
        return kept, lowered, remarks

    def deallocate(self, text):
        """`text` with the frees that upstream's ownership analysis inserts."""
        return self.memplan("buffer-deallocation-pipeline", text,
                            "--buffer-deallocation-pipeline")[0]

    def plan_then_deallocate(self, text, lower, *flags):
        """`text` planned, then with the frees that upstream inserts."""
        options = (f"lower={str(lower).lower()} require=verified "
                   f"{self.options}")
        return self.memplan("plan-memory, buffer-deallocation-pipeline", text,
                            f"--plan-memory={options}", *flags,
                            "--buffer-deallocation-pipeline",
                            "--memplan-lower")[0]

    def raise_deallocations(self, text):
        """`text` with its lowered deallocations raised to a form that can be planned."""
        step = "memplan-raise-deallocations"
        raised, remarks = self.memplan(step, text, "--memplan-raise-deallocations")
        if "failed verification" in remarks:
            raise StepFailed(step, remarks)
        return raised

    def raise_device(self, text):
        """`text` raised for a device, so that its gpu.alloc ops can be planned."""
        text = re.sub(r"memref\.alloc\(\) :", "gpu.alloc () :", text)
        text = text.replace("memref.dealloc", "gpu.dealloc")
        return self.memplan("memplan-raise-gpu-alloc", text,
                            "--memplan-raise-gpu-alloc")[0]

    def restore_device(self, text):
        """The program of raise_device for execution on the host."""
        text = self.memplan("memplan-restore-gpu-alloc", text,
                            "--memplan-restore-gpu-alloc")[0]
        text = re.sub(r"gpu\.alloc +\(\)", "memref.alloc()", text)
        return text.replace("gpu.dealloc", "memref.dealloc")

    def make_loops(self, text, kind):
        """`text` with its linalg ops lowered to one of LOOPS. Upstream makes affine
        loops with invalid bounds if a size is computed in a branch; such programs get
        loops of scf."""
        try:
            return self.memplan("loops", text, f"--convert-linalg-to-{kind}")[0]
        except StepFailed:
            if kind != "affine-loops":
                raise
            return self.make_loops(text, "loops")

    def make_blocks(self, text):
        """`text` with its loops and branches as graphs of blocks."""
        return self.memplan("blocks", text, "--convert-linalg-to-loops",
                            "--lower-affine", "--convert-scf-to-cf")[0]

    def canonicalize(self, text):
        """`text` canonicalized, or unchanged if upstream does not terminate, as on
        some graphs of blocks with empty loops."""
        try:
            return self._ask("canonicalize", "opt", text, "--canonicalize",
                             "--cse", timeout=20).output
        except StepFailed as failed:
            if failed.status != "timeout":
                raise
            return text

    def parses(self, text):
        try:
            self.memplan("parse", text)
            return True
        except StepFailed:
            return False

    def lower(self, text):
        return self._ask("lowering", "lower", self.for_host(text)).output

    def execute(self, text, fresh_byte=None, optimize=False):
        """The output of @main (Printed).

        `fresh_byte` is what freed memory holds, and new memory its complement, so
        that a program that reads such memory prints something else.
        """
        answer = self._ask("execution", "execute", self.for_host(text),
                           "" if fresh_byte is None else str(fresh_byte),
                           "2" if optimize else "0")
        printed = Printed(answer.output.rstrip())
        printed.live = int(answer.live)
        return printed

    def for_host(self, text):
        if "gpu.alloc" in text or "gpu_alloc" in text:
            return self.restore_device(text)
        return text
