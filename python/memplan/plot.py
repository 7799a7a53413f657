# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of plans: with matplotlib, or as a page that needs nothing else."""
from __future__ import annotations

import html
from typing import Any, Iterable, List

from .core import Plan

#: Fill colours, in turn.
_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")


def _span(plan: Plan) -> "tuple[int, int]":
    """The first time and the one after the last."""
    times = [time for buffer in plan.buffers for ends in buffer.ranges for time in ends]
    return (min(times), max(times)) if times else (0, 1)


def _title(plan: Plan) -> str:
    function = getattr(plan, "function", "")
    name = f"@{function}: " if function else ""
    return (f"{name}arena {plan.arena_size} bytes, bound {plan.lower_bound}, {plan.strategy}, "
            f"{plan.status}")


def plot(plan: Plan, axes: Any = None) -> Any:
    """Draws the arena, time across and address up; returns the axes."""
    from matplotlib import pyplot
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


def _map(plan: Plan) -> str:
    """The arena as SVG, one unit of width a time point, heights in bytes."""
    first, last = _span(plan)
    height = max(plan.arena_size, 1)
    parts: List[str] = [
        f'<svg viewBox="{first} 0 {last - first} {height}" preserveAspectRatio="none" '
        f'role="img" aria-label="{html.escape(_title(plan))}">'
    ]
    for i, buffer in enumerate(plan.buffers):
        for start, end in buffer.ranges:
            title = html.escape(f"{buffer.id}: {buffer.size} bytes at {buffer.offset}, "
                                f"live [{start}, {end})")
            parts.append(
                f'<rect x="{start}" y="{height - buffer.offset - buffer.size}" '
                f'width="{end - start}" height="{buffer.size}" '
                f'fill="{_COLOURS[i % len(_COLOURS)]}"><title>{title}</title></rect>')
    parts.append("</svg>")
    return "".join(parts)


def page(plans: Iterable[Plan]) -> str:
    """One HTML page of several plans: a map and a table of each."""
    body: List[str] = []
    for plan in plans:
        body.append(f"<h2>{html.escape(_title(plan))}</h2>")
        body.append(_map(plan))
        body.append("<details><summary>buffers</summary><table><tr><th>buffer<th>bytes"
                    "<th>alignment<th>offset<th>live</tr>")
        for buffer in plan.buffers:
            live = " ".join(f"[{start}, {end})" for start, end in buffer.ranges)
            body.append(f"<tr><td>{html.escape(buffer.id)}<td>{buffer.size}"
                        f"<td>{buffer.alignment}<td>{buffer.offset}<td>{live}</tr>")
        body.append("</table></details>")
        for left in getattr(plan, "unplanned", ()):
            body.append(f"<p>{html.escape(f'{left.location}: {left.type} is not planned: ')}"
                        f"{html.escape(left.reason)}</p>")
    return ("<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>memplan</title>"
            "<style>:root{color-scheme:light dark}body{font:14px sans-serif;margin:2em}"
            "svg{width:100%;height:60vh;border:1px solid}rect{stroke:#000;stroke-width:1px;"
            "vector-effect:non-scaling-stroke}td,th{text-align:right;padding:0 1em}</style>"
            + "".join(body) + "</html>\n")
