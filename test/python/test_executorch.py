# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ExecuTorch programs with plans of memplan: never larger, and the same bits at run time."""
import pytest

torch = pytest.importorskip("torch")
exir = pytest.importorskip("executorch.exir")
pytest.importorskip("memplan")


def dense(layers=5):
    class Dense(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = torch.nn.ModuleList(
                torch.nn.Conv2d(3 + 4 * n, 4, 3, padding=1) for n in range(layers))

        def forward(self, x):
            for layer in self.layers:
                x = torch.cat([x, torch.relu(layer(x))], 1)
            return x.mean((2, 3))
    return Dense(), (torch.randn(1, 3, 16, 16),)


def attention():
    class Attention(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv = torch.nn.Linear(32, 96)
            self.up = torch.nn.Linear(32, 128)
            self.down = torch.nn.Linear(128, 32)

        def forward(self, x):
            q, k, v = self.qkv(x).chunk(3, -1)
            x = x + torch.softmax(q @ k.transpose(-1, -2), -1) @ v
            return x + self.down(torch.nn.functional.gelu(self.up(x)))
    return Attention(), (torch.randn(1, 10, 32),)


def branches():
    class Branches(torch.nn.Module):
        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x: (x * 2).sin().cos(),
                              lambda x: (x - 1).exp().tanh(), (x * 3,)).sum(0)
    return Branches(), (torch.randn(8, 8),)


def lower(module, arguments, planning):
    from executorch.exir.passes import MemoryPlanningPass
    program = exir.to_edge(torch.export.export(module.eval(), arguments))
    config = exir.ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(
        memory_planning_algo=planning))
    return program.to_executorch(config)


def planned_bytes(program):
    return sum(program.executorch_program.execution_plan[0].non_const_buffer_sizes)


@pytest.mark.parametrize("model", [dense, attention, branches])
def test_plan(model):
    import memplan.executorch
    from executorch.runtime import Runtime
    torch.manual_seed(0)
    module, arguments = model()
    own = lower(module, arguments, memplan.executorch.algorithm())
    theirs = lower(module, arguments, None)
    assert planned_bytes(own) <= planned_bytes(theirs)
    runtime = Runtime.get()
    results = [runtime.load_program(program.buffer).load_method("forward").execute(arguments)
               for program in (own, theirs)]
    for mine, other in zip(*results):
        assert torch.equal(mine, other)
