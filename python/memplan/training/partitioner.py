# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The partition with its options, for backends that take a partition function."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import torch
from torch.fx import GraphModule

from ..core import MemplanError

if TYPE_CHECKING:
    from .partition import GraphReport

#: The oldest version of PyTorch whose conventions of training are known.
OLDEST = (2, 11)


def require_version() -> None:
    found = tuple(int(part) for part in re.findall(r"\d+", torch.__version__)[:2])
    if found < OLDEST:
        raise MemplanError(f"PyTorch {torch.__version__} is too old: partitions of training graphs need "
                           f"{OLDEST[0]}.{OLDEST[1]} or later")


class Partitioner:
    """The partition with its options and the reports of the graphs that it split, for
    backends that take a partition function. memplan.torch.compile makes one."""

    def __init__(self, *, budget: Union[int, float, None] = None, peak: Optional[int] = None,
                 keep_peak: bool = True, recompute: Optional[str] = None,
                 never_again: Sequence[Any] = (), order_steps: int = 2000) -> None:
        require_version()
        from .partition import check_options
        check_options(budget, recompute, never_again, order_steps, peak)
        self.options: Dict[str, Any] = {
            "budget": budget, "peak": peak, "keep_peak": keep_peak, "recompute": recompute,
            "never_again": tuple(never_again), "order_steps": order_steps}
        self.reports: List["GraphReport"] = []
        #: Bytes that the default partition and this one keep for the model's other graphs.
        self.before: Tuple[int, int] = (0, 0)

    def __call__(self, joint_module: GraphModule, joint_inputs: Sequence[Any], *, num_fwd_outputs: int,
                 static_lifetime_input_indices: Optional[Sequence[int]] = None,
                 compiler: Optional[str] = None) -> Tuple[GraphModule, GraphModule]:
        from .partition import run
        forward, backward, report = run(
            joint_module, joint_inputs, num_fwd_outputs=num_fwd_outputs, static=static_lifetime_input_indices,
            compiler=compiler, before=self.before, **self.options)
        self.reports.append(report)
        return forward, backward

    def uuid(self) -> str:
        """The key of PyTorch's caches of compiled code: a hash of the sources, the native
        library, the version of PyTorch and the options. A predicate counts by its code; one
        whose code is not seen is never found in a cache."""
        from .identity import identity
        return identity({**self.options, "before": self.before})

    def for_inductor(self) -> Any:
        """The same as an instance of torch._inductor's CustomPartitionerFn."""
        from .inductor import InductorPartitioner
        return InductorPartitioner(self)
