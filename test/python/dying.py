# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands for a compiler that dies, in the child process of the importers."""
import importlib
import os
import signal

from memplan.importers import ImportFailure
from memplan.importers._child import isolated, kept


def _grow():
    """Asks for more than half of the memory of the machine, which is not touched."""
    bytearray(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2)


def _spin():
    while True:
        pass


def _raise(error):
    raise error


ENDS = {"fine": lambda: None, "crash": lambda: os.kill(os.getpid(), signal.SIGSEGV), "spin": _spin,
        "grow": _grow, "leave": lambda: os._exit(3), "fail": lambda: _raise(KeyError("strange")),
        "refuse": lambda: _raise(ImportFailure("no"))}


@isolated
def compute(what, kinds):
    """The number of nodes, and the process."""
    for kind in kinds[:kept([f"op.{kind} at {number}" for number, kind in enumerate(kinds)])]:
        ENDS[kind]()
    return len(kinds), os.getpid()


@isolated
def import_with(what, name, op, function, *arguments):
    """Calls a function of an importer whose compiler dies where there is such an op."""
    importer = importlib.import_module(f"memplan.importers.{name}")
    lower = importer.lower

    def dies(module, *rest):
        if op in str(module):
            ENDS["crash"]()
        lower(module, *rest)

    importer.lower = dies
    try:
        return getattr(importer, function)(what, *arguments)
    finally:
        importer.lower = lower
