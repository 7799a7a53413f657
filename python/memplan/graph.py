# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Op graphs: the operations of a program of any framework and their memory.

    graph = memplan.Graph.from_json(open("graph.json").read())
    profile = graph.profile()
    print(profile.peak_bytes, graph.plan()[""].arena_size)

docs/opgraph.md describes the model and the JSON form. Sizes are in bytes; time 0 is
before the first op, and the k-th op of the schedule runs at time k."""
from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_void_p
from dataclasses import dataclass, field
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _native
from ._native import core
from .core import MemplanError, Plan, Problem, _int64, solve

Origins = Union[str, Sequence[str], None]


@dataclass(frozen=True)
class Allocation:
    """One allocation of a schedule."""
    id: str
    bytes: int
    #: "op", "parameter", "constant", "primal", "rng", "input", "tangent" or
    #: "donated".
    origin: str
    #: Live at the times [begin, end).
    begin: int
    end: int
    #: False for what is held or handed out: it is live at the end.
    released: bool
    #: The op that makes it, and where that stands; "" for what is there before.
    op: str = ""
    location: str = ""
    #: The bytes over symbols such as "arg0_d1", where the size is not known;
    #: `bytes` is that under the hints given.
    formula: str = ""


@dataclass(frozen=True)
class Entry:
    """An entry of a profile: the live bytes after an allocation or a release."""
    time: int
    #: "start", "allocate" or "release".
    phase: str
    op: str
    live_bytes: int
    scratch_bytes: int = 0
    #: As Allocation.formula.
    scratch_formula: str = ""


@dataclass(frozen=True)
class Profile:
    """Live bytes over the schedule of a graph."""
    graph: str
    peak_bytes: int
    #: Index in `entries`.
    peak_entry: int
    entries: Tuple[Entry, ...] = field(repr=False)
    allocations: Tuple[Allocation, ...] = field(repr=False)
    #: Allocations live at the peak with their bytes, the largest first.
    live_at_peak: Tuple[Tuple[Allocation, int], ...] = field(repr=False)
    #: Peak by memory space, "" the default one.
    peak_by_space: Dict[str, int]
    #: Of a backward function: bytes that are live through all of it besides.
    baseline_bytes: int = 0
    #: What is live at the peak over symbols, where sizes are not known.
    peak_formula: str = ""
    #: As memplan-graph profile --format=json writes it.
    report: Any = field(default=None, repr=False, compare=False)

    @property
    def live_bytes(self) -> Tuple[int, ...]:
        return tuple(entry.live_bytes for entry in self.entries)

    def to_json(self) -> str:
        return json.dumps(self.report)

    def to_html(self) -> str:
        """A self-contained HTML page that shows the profile over time."""
        return _native.page(_native.PROFILE_PAGE, self.to_json())


def read_profiles(report: Any, baseline: int = 0) -> Tuple[Profile, ...]:
    """The profiles in a memplan.profile or memplan.pair_profile object."""
    if "forward" in report:
        return (read_profiles(report["forward"]) +
                read_profiles(report["backward"], report["baseline_bytes"]))
    allocations = tuple(
        Allocation(a["id"], a["bytes"], a["origin"], a["begin"], a["end"], a["released"],
                   a.get("op", ""), a.get("location", ""), a.get("formula", ""))
        for a in report["allocations"])
    entries = tuple(
        Entry(e["time"], e["phase"], e.get("op", ""), e["live_bytes"], e.get("scratch_bytes", 0),
              e.get("scratch_formula", ""))
        for e in report["entries"])
    live = tuple((allocations[part["allocation"]], part["bytes"])
                 for part in report["live_at_peak"])
    return (Profile(report["graph"], report["peak_bytes"], report["peak_entry"], entries,
                    allocations, live,
                    {part["space"]: part["peak_bytes"] for part in report["spaces"]}, baseline,
                    report.get("peak_formula", ""), report),)


def _origins(origins: Origins) -> Optional[bytes]:
    if not origins:
        return None
    return _native.word(origins if isinstance(origins, str) else ",".join(origins))


class Graph:
    """A graph of operations and the memory they use, with a schedule.

    >>> graph = Graph.from_json('''{"format": "memplan.opgraph", "version": 1, "name": "g",
    ...   "values": [{"id": "x", "bytes": 64}, {"id": "h", "bytes": 64}, {"id": "y", "bytes": 64}],
    ...   "inputs": [{"value": "x"}],
    ...   "ops": [{"id": "exp", "operands": ["x"], "results": ["h"]},
    ...           {"id": "abs", "operands": ["h"], "results": ["y"]}],
    ...   "outputs": ["y"]}''')
    >>> graph.profile(exclude="input").peak_bytes
    128
    >>> graph.plan(exclude="input")[""].arena_size
    128
    """

    def __init__(self, handle: _native.Handle) -> None:
        self._handle = handle

    @staticmethod
    def from_json(text: str) -> "Graph":
        """Reads and checks a graph; raises MemplanError, with line and column, if the
        text has an error."""
        data = _native.data(text)
        try:
            return Graph(_native.make(core.memplanGraphParse, data, len(data),
                                      destroy=core.memplanGraphDestroy))
        except ValueError as error:
            raise MemplanError(str(error)) from None

    def to_json(self) -> str:
        return _native.take_text(core.memplanGraphFormat, self._handle.pointer)

    @property
    def name(self) -> str:
        return _native.text(core.memplanGraphName(self._handle.pointer))

    def __len__(self) -> int:
        """The number of ops."""
        return int(core.memplanGraphOpCount(self._handle.pointer))

    def __repr__(self) -> str:
        return f"Graph({self.name!r}, {len(self)} ops)"

    def profile(self, *, hold: Origins = None, release: Origins = None, exclude: Origins = None,
                in_place: bool = False) -> Profile:
        """The live bytes after each allocation and each release of the schedule.
        `hold`, `release` and `exclude` are names of origins (or "all") of memory that
        is never released, released after its last use, or not counted, in addition to
        the defaults of memplan-graph profile."""
        report = _native.take_text(core.memplanGraphProfile, self._handle.pointer,
                                   byref(_options(hold, release, exclude, in_place)),
                                   _native.JSON)
        profile, = read_profiles(json.loads(report))
        return profile

    def profile_pair(self, backward: "Graph", *, hold: Origins = None, release: Origins = None,
                     exclude: Origins = None, in_place: bool = False) -> Tuple[Profile, Profile]:
        """The profiles of this forward graph and of a backward graph, whose inputs are
        the outputs of this graph with the same ids. The peak of the backward profile
        does not include its `baseline_bytes`."""
        report = _native.take_text(core.memplanGraphPairProfile, self._handle.pointer,
                                   backward._handle.pointer,
                                   byref(_options(hold, release, exclude, in_place)),
                                   _native.JSON)
        first, second = read_profiles(json.loads(report))
        return first, second

    def problem(self, space: str = "", *, hold: Origins = None, release: Origins = None,
                exclude: Origins = None, in_place: bool = False, alignment: int = 64) -> Problem:
        """The planning problem of one memory space."""
        name = _native.data(space)
        handle = _native.make(core.memplanGraphProblem, self._handle.pointer, name, len(name),
                              byref(_options(hold, release, exclude, in_place)),
                              _int64(alignment), destroy=core.memplanProblemDestroy)
        problem = Problem._read(handle)
        problem.arena_alignment = max([b.alignment for b in problem.buffers], default=alignment)
        return problem

    def plan(self, strategy: str = "auto", *, hold: Origins = None, release: Origins = None,
             exclude: Origins = None, in_place: bool = False, alignment: int = 64,
             **options: Any) -> Dict[str, Plan]:
        """A plan for each memory space in use, by its name; "" is the default one.
        `options` are those of memplan.solve."""
        profile = self.profile(hold=hold, release=release, exclude=exclude, in_place=in_place)
        return {
            space: solve(self.problem(space, hold=hold, release=release, exclude=exclude,
                                      in_place=in_place, alignment=alignment),
                         strategy, **options)
            for space, peak in profile.peak_by_space.items() if peak > 0
        }

    def partition(self, strategy: str = "min-cut", recompute: str = "medium") -> "Partition":
        """Splits a joint graph into a forward and a backward graph, so that the values
        that the forward graph saves cost least (docs/partition.md); raises ValueError
        if it is not a joint graph. `recompute` is the highest cost class of ops that
        may run again: "free", "cheap", "medium" or "expensive"."""
        parts = c_void_p(), c_void_p(), c_void_p()
        _native.require(core.memplanGraphPartition(
            self._handle.pointer, _native.word(strategy), _native.word(recompute),
            *map(byref, parts)))
        forward, backward = (Graph(_native.Handle(part.value, core.memplanGraphDestroy))
                             for part in parts[:2])
        try:
            report = _native.text(ctypes.string_at(parts[2].value or 0))
        finally:
            core.memplanTextFree(parts[2])
        return Partition(forward, backward, report)


@dataclass(frozen=True)
class Partition:
    """The two functions of a joint graph."""
    forward: Graph
    backward: Graph
    #: What was saved, the proof, the recomputed ops and the peaks.
    report: str

    def __str__(self) -> str:
        return self.report


def _options(hold: Origins, release: Origins, exclude: Origins,
             in_place: bool) -> _native.MemoryOptions:
    return _native.MemoryOptions(_origins(hold), _origins(release), _origins(exclude), in_place)
