# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The partition for torch.compile's Inductor."""
from __future__ import annotations

from typing import Any, Sequence, Tuple

from torch._inductor.custom_graph_pass import CustomPartitionerFn
from torch.fx import GraphModule

from .partitioner import Partitioner


class InductorPartitioner(CustomPartitionerFn):
    def __init__(self, partitioner: Partitioner) -> None:
        self.partitioner = partitioner

    def __call__(self, gm: GraphModule, joint_inputs: Sequence[Any], **more: Any
                 ) -> Tuple[GraphModule, GraphModule]:
        return self.partitioner(gm, joint_inputs, **more)

    def uuid(self) -> str:
        return self.partitioner.uuid()

    def __deepcopy__(self, memo: Any) -> "InductorPartitioner":
        return self

    def __reduce__(self) -> Any:
        # Only keys of caches are pickled, and they must be equal where the uuid is.
        return str, (self.uuid(),)
