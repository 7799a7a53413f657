# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memplan: static memory planning.

    import memplan
    program = memplan.plan("model.mlir", strategy="exact")
    print(program.text)
    for arena in program.arenas:
        print(arena.function, arena.arena_size, arena.lower_bound)

Problem, solve and verify are for planning problems without a program, Graph is for
graphs of operations, profile for the memory profiles of a program, and memplan.torch
for PyTorch.
"""
from typing import Any, Sequence

from .core import (STRATEGIES, Buffer, Issue, MemplanError, Placed, Plan, Problem, ProblemError,
                   solve, verify, version)
from .graph import Allocation, Entry, Graph, Partition, Profile
from .program import (ArenaPlan, Diagnostic, DiagnosticError, OptionError, Program, ProgramBuffer, Unplanned,
                      export_graph, plan, profile, run_pipeline, runtime_library)



def compile(model: Any, inputs: Sequence[str] = (), **options: Any) -> Any:
    """Plans and compiles a model; the result is called with arrays of numpy. See
    memplan.running.compile."""
    from .running import compile as compile_model
    return compile_model(model, inputs, **options)


__version__ = version()

__all__ = [
    "Allocation", "ArenaPlan", "Buffer", "Diagnostic", "DiagnosticError", "Entry", "Graph",
    "Issue", "MemplanError", "OptionError", "Partition", "Placed", "Plan", "Problem", "ProblemError", "Profile",
    "Program", "ProgramBuffer", "STRATEGIES", "Unplanned", "compile", "export_graph", "plan", "profile",
    "run_pipeline", "runtime_library", "solve", "verify", "version",
]
