# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of plans, with matplotlib."""
from __future__ import annotations

from typing import Any

from .core import Plan

#: Fill colours, in turn.
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")


def _span(plan: Plan) -> "tuple[int, int]":
    """The begin of the first live range and the end of the last one."""
    times = [time for buffer in plan.buffers for ends in buffer.ranges for time in ends]
    return (min(times), max(times)) if times else (0, 1)


def _title(plan: Plan) -> str:
    function = getattr(plan, "function", "")
    name = f"@{function}: " if function else ""
    return (f"{name}arena {plan.arena_size} bytes, bound {plan.lower_bound}, {plan.strategy}, "
            f"{plan.status}")


def plot(plan: Plan, axes: Any = None) -> Any:
    """Draws the arena, with time on the horizontal axis; returns the axes."""
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{error}; pip install 'memplan[plot]'") from None
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle
    if axes is None:
        _, axes = pyplot.subplots()
    patches = []
    colours = []
    for i, buffer in enumerate(plan.buffers):
        for start, end in buffer.ranges:
            patches.append(Rectangle((start, buffer.offset), end - start, buffer.size))
            colours.append(_COLOURS[i % len(_COLOURS)])
    axes.add_collection(PatchCollection(patches, facecolor=colours, edgecolor="black",
                                        linewidth=0.3))
    axes.axhline(plan.lower_bound, color="black", linestyle="--", linewidth=0.8,
                 label="lower bound")
    first, last = _span(plan)
    axes.set_xlim(first, last)
    axes.set_ylim(0, max(plan.arena_size, 1) * 1.02)
    axes.set_xlabel("time")
    axes.set_ylabel("address (bytes)")
    axes.set_title(_title(plan))
    return axes
