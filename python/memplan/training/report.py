# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was decided for a compiled model."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Optional, Tuple

from ..core import MemplanError

if TYPE_CHECKING:
    from .partition import GraphReport


@dataclass(frozen=True)
class TrainingReport:
    """What was decided for the graphs of a compiled model, one for each graph break and
    each set of guards."""
    graphs: Tuple["GraphReport", ...]
    #: What all calls of graphs held when the backward functions of a step began, and what they would
    #: with the default partition: what is neither an argument nor a result of the model.
    measured_bytes: Optional[int] = None
    measured_default_bytes: Optional[int] = None

    @property
    def kept_bytes(self) -> int:
        return sum(graph.kept_bytes for graph in self.graphs if not graph.is_region)

    @property
    def default_kept_bytes(self) -> int:
        return sum(graph.default_kept_bytes for graph in self.graphs if not graph.is_region)

    def __str__(self) -> str:
        if not self.graphs:
            return ("no graph was split yet: the model has not run with gradients, or its code came from "
                    "PyTorch's cache and the reports beside it were removed")
        lines = [str(graph) for graph in self.graphs]
        if self.measured_bytes is not None and len(self.graphs) > 1:
            lines.append(f"all calls of graphs held {self.measured_bytes} bytes in a step, with PyTorch's default "
                         f"partition {self.measured_default_bytes}")
        return "\n".join(lines)

    def to_html(self) -> str:
        """A page with the memory of a step over time, of the graph with the highest peak."""
        split = [graph for graph in self.graphs if graph.opgraph]
        if not split:
            raise MemplanError("no graph was split")
        return max(split, key=lambda graph: graph.peak).to_html()
