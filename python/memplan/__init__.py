# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memplan: static memory planning.

    import memplan
    program = memplan.plan("model.mlir", strategy="exact")
    print(program.text)
    for arena in program.arenas:
        print(arena.function, arena.arena_size, arena.lower_bound)

Problems of one's own: Problem, solve, verify. PyTorch: memplan.torch.
"""
from .core import (STRATEGIES, Buffer, Issue, MemplanError, Placed, Plan, Problem, ProblemError,
                   solve, verify, version)
from .program import (ArenaPlan, Diagnostic, DiagnosticError, Program, ProgramBuffer, Unplanned,
                      plan, run_pipeline)

__version__ = version()

__all__ = [
    "ArenaPlan", "Buffer", "Diagnostic", "DiagnosticError", "Issue", "MemplanError", "Placed",
    "Plan", "Problem", "ProblemError", "Program", "ProgramBuffer", "STRATEGIES", "Unplanned",
    "plan", "run_pipeline", "solve", "verify", "version",
]
