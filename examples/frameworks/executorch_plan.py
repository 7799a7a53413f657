# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""executorch_plan.py: an ExecuTorch program with a plan of memplan.

Prints the planned memory with ExecuTorch's own algorithm and with memplan's, and runs both
programs. Needs torch and executorch.
"""
import torch
from executorch import exir
from executorch.exir.passes import MemoryPlanningPass
from executorch.runtime import Runtime

import memplan.executorch


class Dense(torch.nn.Module):
    """Each layer reads the results of all layers before it."""

    def __init__(self, layers=6):
        super().__init__()
        self.layers = torch.nn.ModuleList(
            torch.nn.Conv2d(3 + 4 * n, 4, 3, padding=1) for n in range(layers))

    def forward(self, x):
        for layer in self.layers:
            x = torch.cat([x, torch.relu(layer(x))], 1)
        return x.mean((2, 3))


def lower(module, arguments, algorithm):
    edge = exir.to_edge(torch.export.export(module.eval(), arguments))
    return edge.to_executorch(exir.ExecutorchBackendConfig(
        memory_planning_pass=MemoryPlanningPass(memory_planning_algo=algorithm)))


def main():
    module, arguments = Dense(), (torch.randn(1, 3, 32, 32),)
    results = []
    for name, algorithm in (("ExecuTorch", None), ("memplan", memplan.executorch.algorithm())):
        program = lower(module, arguments, algorithm)
        planned = sum(program.executorch_program.execution_plan[0].non_const_buffer_sizes)
        method = Runtime.get().load_program(program.buffer).load_method("forward")
        results.append(method.execute(arguments)[0])
        print(f"{name}: {planned} bytes")
    print("equal" if torch.equal(*results) else "different")


if __name__ == "__main__":
    main()
