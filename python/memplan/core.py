# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Problems and plans: buffers that are live on ranges of time get offsets in one
arena. Sizes, alignments and offsets are in bytes. Times are integers; a buffer with
the range (start, end) is live at start and not at end."""
from __future__ import annotations

import ctypes
import html
import operator
import os
import threading
from ctypes import byref
from dataclasses import dataclass, field
from typing import Any, Callable, ClassVar, Iterable, Optional, Sequence, Tuple

from . import _native
from ._native import core

TimeRange = Tuple[int, int]

STRATEGIES = ("naive", "linear-scan", "greedy-by-size", "greedy-by-breadth", "best-fit",
              "hill-climb", "exact", "auto")


class MemplanError(Exception):
    """An error in the input of memplan."""


@dataclass(frozen=True)
class Issue:
    """One error of a problem or a plan."""
    message: str
    buffers: Tuple[int, ...]

    def __str__(self) -> str:
        return self.message


class ProblemError(MemplanError):
    """A problem that does not meet the requirements of the strategies."""

    def __init__(self, issues: Sequence[Issue]) -> None:
        super().__init__("; ".join(issue.message for issue in issues))
        self.issues = tuple(issues)


def _read_fields() -> dict[str, int]:
    default = ctypes.c_int64()
    names: dict[str, int] = {}
    while name := core.memplanBufferField(len(names), byref(default)):
        names[_native.text(name)] = default.value
    return names


_FIELDS = _read_fields()
#: The numbers of a buffer that have no parameter of their own, and their defaults.
FIELDS = {name: _FIELDS[name] for name in _FIELDS if name not in ("size", "alignment", "pin")}


@dataclass(frozen=True)
class Buffer:
    """A buffer of a problem."""
    id: str
    size: int
    ranges: Tuple[TimeRange, ...]
    alignment: int = 1
    #: The offset that every plan must give it.
    pin: Optional[int] = None
    #: Names and values of other fields (`FIELDS`) that differ from their defaults.
    #: They are attributes, too.
    others: Tuple[Tuple[str, int], ...] = ()

    def __getattr__(self, name: str) -> int:
        if name not in FIELDS:
            raise AttributeError(f"a Buffer has no attribute {name!r}")
        return dict(self.others).get(name, FIELDS[name])


@dataclass(frozen=True)
class Placed:
    """A buffer and its offset in a plan."""
    id: str
    size: int
    alignment: int
    ranges: Tuple[TimeRange, ...]
    offset: int


def _index(value: Any) -> int:
    """The int of an integer of Python, numpy or torch; TypeError for a float."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{value!r} is a {type(value).__name__}; sizes, times and alignments are "
                        "integers") from None


@dataclass
class Problem:
    """Buffers to be placed in one arena.

    >>> problem = Problem()
    >>> a = problem.add("a", 64, 0, 3)
    >>> b = problem.add("b", 32, 2, 6)
    >>> c = problem.add("c", 64, 5, 9)
    >>> solve(problem).arena_size
    96
    """
    buffers: list[Buffer] = field(default_factory=list)
    #: Bytes the arena may have; None to minimise it. With `minimize` solve() does both.
    capacity: Optional[int] = None
    #: What the arena's base address is aligned to.
    arena_alignment: int = 64
    #: Pairs of buffers that may never share a byte.
    conflicts: list[Tuple[int, int]] = field(default_factory=list)
    #: (first, second, least, most): the two may share bytes while both are live
    #: if least <= offset(second) - offset(first) <= most.
    overlaps: list[Tuple[int, int, int, int]] = field(default_factory=list)
    #: (first, second, weight): the plan pays the weight if the two share a byte. A
    #: plan that fits comes first, the least sum paid second, the smallest arena third.
    soft_conflicts: list[Tuple[int, int, int]] = field(default_factory=list)
    #: The same for two buffers in one bank.
    soft_banks: list[Tuple[int, int, int]] = field(default_factory=list)
    #: Pairs of buffers that begin at the same byte or share none.
    all_or_none: list[Tuple[int, int]] = field(default_factory=list)
    #: In bytes: no buffer crosses a multiple of it.
    bank_size: Optional[int] = None

    def add(self, id: str, size: Any, start: Any, end: Any, *, alignment: Any = 1,
            pin: Any = None, more: Iterable[Tuple[Any, Any]] = (), **others: Any) -> int:
        """Adds a buffer that is live on [start, end), and on the ranges `more`, with
        others of its `FIELDS` by name; returns its index."""
        if unknown := others.keys() - FIELDS.keys():
            raise TypeError(f"a buffer has no field {min(unknown)!r}")
        ranges = [(_index(start), _index(end))] + [(_index(s), _index(e)) for s, e in more]
        for first, last in ranges:
            if first >= last:
                raise ValueError(f"buffer '{id}': live range [{first}, {last}) is empty")
        self.buffers.append(
            Buffer(id, _index(size), tuple(sorted(ranges)), _index(alignment),
                   None if pin is None else _index(pin), _others(others.__getitem__, others)))
        return len(self.buffers) - 1

    @staticmethod
    def from_arrays(sizes: Iterable[Any], starts: Iterable[Any], ends: Iterable[Any],
                    alignments: Optional[Iterable[Any]] = None,
                    ids: Optional[Iterable[str]] = None, *, capacity: Optional[int] = None,
                    arena_alignment: int = 64) -> "Problem":
        """Makes a problem of sequences of equal length, such as lists or integer numpy arrays.

        >>> solve(Problem.from_arrays([64, 32, 64], [0, 2, 5], [3, 6, 9])).offsets
        (0, 64, 0)
        """
        columns = [list(sizes), list(starts), list(ends)]
        count = len(columns[0])
        columns.append([1] * count if alignments is None else list(alignments))
        names = [str(i) for i in range(count)] if ids is None else list(ids)
        lengths = {len(column) for column in columns} | {len(names)}
        if lengths != {count}:
            raise ValueError(f"sequences of different lengths: {sorted(lengths)}")
        problem = Problem(capacity=capacity, arena_alignment=arena_alignment)
        for name, size, start, end, alignment in zip(names, *columns):
            problem.add(name, size, start, end, alignment=alignment)
        return problem

    @staticmethod
    def from_csv(text: str) -> "Problem":
        """Makes a problem of CSV text with the columns id, lower, upper, size, and
        optionally those that `memplan-solve --help` lists; others are ignored. `offset` is
        a pin."""
        if isinstance(text, os.PathLike) or "\n" not in text and (text.endswith(".csv") or os.path.exists(text)):
            raise MemplanError(f"'{text}' is a path; from_csv takes the text, from_file the path")
        data = _native.data(text)
        try:
            handle = _native.make(core.memplanProblemParse, data, len(data),
                                  destroy=core.memplanProblemDestroy)
        except ValueError as error:
            raise MemplanError(str(error)) from None
        problem = Problem._read(handle)
        # The largest alignment, as in memplan-solve.
        problem.arena_alignment = max([b.alignment for b in problem.buffers], default=1)
        return problem

    @staticmethod
    def from_file(path: "str | os.PathLike[str]") -> "Problem":
        """Makes a problem of a CSV file, as from_csv."""
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return Problem.from_csv(file.read())

    @staticmethod
    def _read(handle: _native.Handle) -> "Problem":
        """Copies the buffers of a problem of the library."""
        problem = Problem()
        described = _native.Buffer()
        for i in range(core.memplanProblemBufferCount(handle.pointer)):
            _native.require(core.memplanProblemGetBuffer(handle.pointer, i, byref(described)))
            ranges = tuple((described.ranges[r].start, described.ranges[r].end)
                           for r in range(described.range_count))
            name = ctypes.string_at(described.id, described.id_length)
            problem.buffers.append(
                Buffer(_native.text(name), described.size, ranges, described.alignment,
                       described.pinned_offset if described.pinned_offset >= 0 else None,
                       _others(lambda field: _read_field(handle, i, field), FIELDS)))
        soft = _native.SoftConflict()
        for i in range(core.memplanProblemSoftConflictCount(handle.pointer)):
            _native.require(core.memplanProblemGetSoftConflict(handle.pointer, i, byref(soft)))
            pairs = problem.soft_banks if soft.kind == _native.SOFT_BANK else problem.soft_conflicts
            pairs.append((soft.first, soft.second, soft.weight))
        first, second = ctypes.c_size_t(), ctypes.c_size_t()
        for i in range(core.memplanProblemAllOrNoneCount(handle.pointer)):
            _native.require(core.memplanProblemGetAllOrNone(handle.pointer, i, byref(first),
                                                            byref(second)))
            problem.all_or_none.append((first.value, second.value))
        return problem

    @property
    def total_size(self) -> int:
        """The sum of all sizes, in bytes."""
        return sum(buffer.size for buffer in self.buffers)

    def check(self, max_issues: int = 16) -> list[Issue]:
        """The errors of the problem; empty if it is well formed."""
        handle = self._build()
        return _issues(_native.make(core.memplanCheck, handle.pointer, max_issues,
                                    destroy=core.memplanIssuesDestroy))

    @property
    def lower_bound(self) -> int:
        """In bytes: no correct plan has a smaller arena."""
        handle = self._build_checked()
        bytes_ = ctypes.c_int64()
        _native.require(core.memplanProblemLowerBound(handle.pointer, byref(bytes_)))
        return bytes_.value

    def _build(self) -> _native.Handle:
        handle = _native.Handle(core.memplanProblemCreate(), core.memplanProblemDestroy)
        problem = handle.pointer
        for i, buffer in enumerate(self.buffers):
            name = _native.data(buffer.id)
            ranges = (_native.Range * len(buffer.ranges))(
                *[_native.Range(_int64(s), _int64(e)) for s, e in buffer.ranges])
            _native.require(core.memplanProblemAddBuffer(
                problem, name, len(name), _int64(buffer.size), _int64(buffer.alignment), ranges,
                len(ranges), None))
            for key, value in (("pin", buffer.pin), *buffer.others):
                if value is not None:
                    _native.require(core.memplanProblemSetBufferField(
                        problem, i, _native.data(key), _int64(value)))
        for first, second in self.conflicts:
            _native.require(core.memplanProblemAddConflict(
                problem, self._buffer(first), self._buffer(second)))
        for first, second, least, most in self.overlaps:
            _native.require(core.memplanProblemAddOverlap(
                problem, self._buffer(first), self._buffer(second), _int64(least), _int64(most)))
        for kind, pairs in ((_native.SOFT_BYTES, self.soft_conflicts),
                            (_native.SOFT_BANK, self.soft_banks)):
            for first, second, weight in pairs:
                _native.require(core.memplanProblemAddSoftConflict(
                    problem, _native.SoftConflict(self._buffer(first), self._buffer(second),
                                                  _int64(weight), kind)))
        for first, second in self.all_or_none:
            _native.require(core.memplanProblemAddAllOrNone(
                problem, self._buffer(first), self._buffer(second)))
        capacity = None if self.capacity is None else _index(self.capacity)
        if capacity is not None and capacity < 0:
            raise ValueError(f"the capacity is {capacity}")
        for key, value in (("bank_size", self.bank_size), ("capacity", capacity),
                           ("alignment", self.arena_alignment)):
            if value is not None:
                _native.require(core.memplanProblemSetField(problem, _native.data(key),
                                                            _int64(value)))
        return handle

    def _build_checked(self) -> _native.Handle:
        handle = self._build()
        issues = _issues(_native.make(core.memplanCheck, handle.pointer, 16,
                                      destroy=core.memplanIssuesDestroy))
        if issues:
            raise ProblemError(issues)
        return handle

    def _buffer(self, index: int) -> int:
        if not 0 <= index < len(self.buffers):
            raise IndexError(f"there is no buffer {index} among {len(self.buffers)}")
        return index


def _others(get: Callable[[str], Any], names: Iterable[str]) -> Tuple[Tuple[str, int], ...]:
    """The fields of these names that differ from their defaults."""
    values = [(name, _index(get(name))) for name in names]
    return tuple((name, value) for name, value in values if value != FIELDS[name])


def _read_field(handle: _native.Handle, buffer: int, field: str) -> int:
    value = ctypes.c_int64()
    _native.require(core.memplanProblemGetBufferField(handle.pointer, buffer,
                                                      _native.data(field), byref(value)))
    return value.value


def _int64(value: int) -> int:
    if not -2**63 <= value < 2**63:
        raise OverflowError(f"{value} does not fit into 64 bits")
    return value


def _limit(name: str, value: Optional[int]) -> int:
    """A limit as the library has it; None is no limit."""
    if value is not None and value < 0:
        raise ValueError(f"{name} is {value}")
    return -1 if value is None else _int64(value)


def _issues(handle: _native.Handle) -> list[Issue]:
    issues = []
    for i in range(core.memplanIssuesCount(handle.pointer)):
        count = ctypes.c_size_t()
        buffers = core.memplanIssuesBuffers(handle.pointer, i, byref(count))
        issues.append(Issue(_native.text(core.memplanIssuesMessage(handle.pointer, i)),
                            tuple(buffers[k] for k in range(count.value))))
    return issues


#: With more buffers the page in a notebook would be slow.
_MOST_IN_NOTEBOOK = 20000


@dataclass(frozen=True, repr=False)
class Plan:
    """The offset of each buffer. `offsets` is empty if no plan was found."""
    #: "optimal", "feasible", "infeasible" or "limit".
    status: str
    buffers: Tuple[Placed, ...]
    arena_size: int
    #: Bytes: proven, no plan of this or a smaller penalty is smaller.
    lower_bound: int
    #: The strategy that found it.
    strategy: str
    #: What was done and why it ended.
    message: str
    #: Search steps spent.
    nodes: int
    #: The sum of the weights of soft conflicts that it pays, and what every plan
    #: within the capacity is proven to pay.
    penalty: int
    penalty_bound: int
    #: What the library has of it, problem and plan; what was pickled has not.
    _handles: ClassVar[Optional[Tuple[_native.Handle, _native.Handle]]] = None

    def __getstate__(self) -> Any:
        return {name: value for name, value in self.__dict__.items() if name != "_handles"}

    @property
    def offsets(self) -> Tuple[int, ...]:
        return tuple(buffer.offset for buffer in self.buffers)

    @property
    def ratio(self) -> float:
        """arena_size / lower_bound, or 1 if the bound is 0."""
        return self.arena_size / self.lower_bound if self.lower_bound else 1.0

    def __repr__(self) -> str:
        return (f"<{type(self).__name__} of {len(self.buffers)} buffers: {self.status}, arena "
                f"{self.arena_size}, bound {self.lower_bound}>")

    def _repr_html_(self) -> Optional[str]:
        """The page, for notebooks."""
        return _frame(self.to_html()) if len(self.buffers) <= _MOST_IN_NOTEBOOK else None

    def plot(self, axes: Any = None) -> Any:
        """Draws the arena with matplotlib, with time on the horizontal axis and the
        address on the vertical axis; returns the axes."""
        from .plot import plot
        return plot(self, axes)

    def to_html(self) -> str:
        """A self-contained HTML page with a map of the plan, live bytes and tables."""
        return self._report(_native.HTML)

    def to_json(self) -> str:
        """The report that memplan-solve --format=json writes: docs/report.md."""
        return self._report(_native.JSON)

    def _report(self, format: int) -> str:
        if self._handles is None:
            raise MemplanError("the plan was copied without what its reports need")
        problem, plan = self._handles
        return _native.take_text(core.memplanReport, problem.pointer, plan.pointer, format)


def _frame(page: str) -> str:
    """A page inside another one."""
    return (f'<iframe srcdoc="{html.escape(page)}" style="width: 100%; height: 45em; border: 0">'
            "</iframe>")


def _run(call: Callable[[], None], stop: Callable[[], None]) -> None:
    """Runs `call` in a thread of its own and calls `stop` on Ctrl-C. Python handles
    signals in the main thread, which therefore must only wait."""
    if threading.current_thread() is not threading.main_thread():
        call()
        return
    failure: list[BaseException] = []
    # Thread.join() takes a thread for ended after Ctrl-C (before Python 3.13).
    done = threading.Event()

    # A second Ctrl-C leaves the thread behind, which then still needs what `stop` refers to.
    def work(_: Callable[[], None]) -> None:
        try:
            call()
        except BaseException as error:  # raised again below
            failure.append(error)
        finally:
            done.set()

    worker = threading.Thread(target=work, args=(stop,), name="memplan-solve")
    worker.start()
    try:
        done.wait()
    except BaseException:  # KeyboardInterrupt
        stop()
        done.wait()
        raise
    if failure:
        raise failure[0]


def solve(problem: Problem, strategy: str = "auto", *, effort: str = "normal",
          node_limit: Optional[int] = None, time_limit_ms: Optional[int] = None, seed: int = 0,
          threads: int = 1, minimize: bool = False,
          progress: Optional[Callable[[int, int, int], None]] = None) -> Plan:
    """Solves the problem and verifies the plan.

    With a capacity the search ends at the first plan that fits; with `minimize` it
    goes on to the smallest arena. `progress` is called from time to time with the best arena so far and the lower
    bound (in bytes) and the search nodes spent; an exception in it ends the search.
    Raises ProblemError if the problem is malformed, ValueError for an unknown strategy
    or effort and for a negative limit. If no plan fits the capacity, the status of the plan tells so.
    On Ctrl-C the KeyboardInterrupt has an attribute `plan`, the best plan so far.

    >>> problem = Problem.from_arrays([8, 8], [0, 1], [2, 3], capacity=8)
    >>> solve(problem).status
    'infeasible'
    """
    handle = problem._build_checked()
    stop = _native.Handle(core.memplanStopCreate(), core.memplanStopDestroy)
    options = _native.SolveOptions()
    core.memplanSolveOptionsInit(byref(options))
    options.strategy = _native.word(strategy)
    options.effort = _native.word(effort)
    options.node_limit = _limit("node_limit", node_limit)
    options.time_limit_ms = _limit("time_limit_ms", time_limit_ms)
    if not 0 <= seed < 2**64 or not 0 <= threads <= 1024:
        raise ValueError("seed or threads is out of range")
    options.seed = seed
    options.threads = threads
    options.minimize = minimize
    options.stop = stop.pointer
    raised: list[BaseException] = []

    def report(arena: int, bound: int, nodes: int, _: Any) -> None:
        if raised or progress is None:
            return
        try:
            progress(arena, bound, nodes)
        except BaseException as error:  # raised again below
            raised.append(error)
            core.memplanStop(stop.pointer)

    # Kept alive until the solve has returned.
    callback = _native.ProgressFunction(report) if progress else None
    if callback:
        options.progress = callback
    result: list[_native.Handle] = []

    def call() -> None:
        result.append(_native.make(core.memplanSolve, handle.pointer, byref(options),
                                   destroy=core.memplanPlanDestroy))

    def end() -> None:
        core.memplanStop(stop.pointer)

    try:
        _run(call, end)
    except KeyboardInterrupt as error:
        if result:
            error.plan = _read_plan(problem, handle, result[0])  # type: ignore[attr-defined]
        raise
    if raised:
        raise raised[0]
    return _read_plan(problem, handle, result[0])


def _read_plan(problem: Problem, built: _native.Handle, handle: _native.Handle) -> Plan:
    plan = handle.pointer
    count = ctypes.c_size_t()
    offsets = core.memplanPlanOffsets(plan, byref(count))
    placed = tuple(
        Placed(buffer.id, buffer.size, buffer.alignment, buffer.ranges, offsets[i])
        for i, buffer in enumerate(problem.buffers[:count.value]))
    result = Plan(
        status=_native.text(core.memplanStatusName(core.memplanPlanStatus(plan))),
        buffers=placed,
        arena_size=core.memplanPlanArenaSize(plan),
        lower_bound=core.memplanPlanLowerBound(plan),
        strategy=_native.text(core.memplanPlanStrategy(plan)),
        message=_native.text(core.memplanPlanMessage(plan)),
        nodes=core.memplanPlanNodes(plan),
        penalty=core.memplanPlanPenalty(plan),
        penalty_bound=core.memplanPlanPenaltyBound(plan))
    object.__setattr__(result, "_handles", (built, handle))
    return result


def verify(problem: Problem, offsets: Any, max_issues: int = 16) -> list[Issue]:
    """Verifies offsets (a Plan, or one number for each buffer) and trusts nothing in
    them; returns the errors.

    >>> problem = Problem.from_arrays([8, 8], [0, 1], [2, 3])
    >>> verify(problem, [0, 8])
    []
    >>> [str(issue) for issue in verify(problem, [0, 4])]
    ["buffers '0' [0, 8) and '1' [4, 12) share bytes [4, 8) while both are live at time 1"]
    """
    values = [_int64(_index(o)) for o in
              (offsets.offsets if isinstance(offsets, Plan) else offsets)]
    handle = problem._build_checked()
    array = (ctypes.c_int64 * len(values))(*values)
    plan = _native.make(core.memplanPlanCreate, handle.pointer, array, len(values),
                        destroy=core.memplanPlanDestroy)
    return _issues(_native.make(core.memplanVerify, handle.pointer, plan.pointer, max_issues,
                                destroy=core.memplanIssuesDestroy))


def version() -> str:
    """The version of the library, "major.minor.patch"."""
    return _native.text(core.memplanVersion())
