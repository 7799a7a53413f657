# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans for ExecuTorch: an algorithm for its MemoryPlanningPass.

    from executorch.exir import ExecutorchBackendConfig
    from executorch.exir.passes import MemoryPlanningPass
    import memplan.executorch

    config = ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(
        memory_planning_algo=memplan.executorch.algorithm()))
    program = edge_program.to_executorch(config)
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Set

from .core import Problem, solve


def algorithm(strategy: str = "auto", **options: Any) -> Any:
    """A MemoryPlanningAlgorithmSuite that plans each memory (mem_id) as one arena.
    Further options are those of memplan.solve. Tensors that are parts of another
    (storage_base) lie inside of it."""
    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite
    return MemoryPlanningAlgorithmSuite(algo_list=[planner(strategy, **options)])


def planner(strategy: str = "auto", **options: Any) -> Callable[..., Any]:
    """The function for `algo_list`, to be used beside others: the suite takes the result
    with the fewest bytes."""

    def memplan(alignment: int, specs: Set[Any], graph_module: Any, graph_signature: Any,
                extra_padding: int = 0) -> Any:
        from executorch.exir.memory_planning import MemoryAlgoResult, SpecAllocResult
        # A set of objects has no order of its own.
        ordered = sorted(specs, key=lambda spec: (
            spec.lifetime[0], spec.lifetime[1], -spec.allocated_memory, tuple(spec.shape),
            str(spec.dtype)))
        by_memory: Dict[int, List[Any]] = {}
        parts = []
        for spec in ordered:
            spec.realign(alignment)
            if getattr(spec, "storage_base", None) is not None:
                parts.append(spec)
                continue
            by_memory.setdefault(1 if spec.mem_id is None else spec.mem_id, []).append(spec)
        result = MemoryAlgoResult({}, [0] * (max([1, *by_memory]) + 1))
        # What the graph around a branch or a loop has placed already.
        taken = getattr(graph_module, "input_mem_buffer_sizes", None) or []
        for memory, members in by_memory.items():
            base = taken[memory] if memory < len(taken) else 0
            base = -(-base // alignment) * alignment
            problem = Problem(arena_alignment=alignment)
            for number, spec in enumerate(members):
                # Both ends of a lifetime are uses.
                problem.add(str(number), spec.allocated_memory, spec.lifetime[0],
                            spec.lifetime[1] + 1, alignment=alignment)
            plan = solve(problem, strategy=strategy, **options)
            for number, (spec, offset) in enumerate(zip(members, plan.offsets)):
                result.spec_dict[spec] = SpecAllocResult(memory, number, base + offset)
            result.bufsizes[memory] = base + plan.arena_size + extra_padding
        while parts:
            left = []
            for spec in parts:
                whole = result.spec_dict.get(spec.storage_base)
                if whole is None:
                    left.append(spec)
                    continue
                result.spec_dict[spec] = SpecAllocResult(
                    whole.mem_id, whole.mem_obj_id,
                    whole.mem_offset + spec.storage_base_offset)
            if len(left) == len(parts):
                raise ValueError(f"{len(left)} tensors are parts of others that are not planned")
            parts = left
        return result

    return memplan
