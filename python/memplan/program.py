# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans programs in MLIR; returns the planned program and the plan of each arena."""
from __future__ import annotations

import ctypes
import json
import operator
import os
import re
from ctypes import byref
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _native
from .core import (_MOST_IN_NOTEBOOK, STRATEGIES, MemplanError, Placed, Plan, _frame, _int64)
from .graph import Graph, Profile, read_profiles

_SEVERITIES = ("error", "warning", "remark", "note")


@dataclass(frozen=True)
class Diagnostic:
    """A diagnostic with its location in the program. A note belongs to the diagnostic
    before it."""
    severity: str
    message: str
    #: "" and 0 where the place is not known.
    file: str
    line: int
    column: int

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}: {self.message}"


class DiagnosticError(MemplanError):
    """An error of a program, a pipeline or a pass; `file`, `line` and `column` are the
    location of the first error."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(map(str, diagnostics)))
        self.diagnostics = tuple(diagnostics)
        first = next((d for d in diagnostics if d.severity == "error"),
                     Diagnostic("error", "", "", 0, 0))
        self.message = first.message
        self.file = first.file
        self.line = first.line
        self.column = first.column


class OptionError(DiagnosticError, TypeError):
    """An option that the pass does not have, or that the function sets itself."""


def _require_free(options: Dict[str, Any], *taken: str) -> None:
    if found := [name for name in taken if name in options]:
        raise OptionError([Diagnostic("error", f"no such option {found[0].replace('_', '-')}", "", 0, 0)])


@dataclass(frozen=True)
class ProgramBuffer(Placed):
    """An allocation of a program that is planned."""
    #: As it is printed in the program.
    type: str
    #: "file:line:column".
    location: str
    #: The SSA name, a name in the location and the op that makes the contents; ""
    #: where there is none.
    value: str
    label: str
    op: str
    #: The slots it may be in; buffers in one slot are joined by control flow.
    #: `offset` is that of the first. Size and offset are 0 where they are known
    #: only when the program runs.
    slots: Tuple[str, ...]


@dataclass(frozen=True)
class Unplanned:
    """An allocation of a program that is not planned, with the reason."""
    id: str
    #: Bytes; 0 where it is not known.
    size: int
    type: str
    location: str
    reason: str
    #: The option that places it; "" where there is none.
    remedy: str = ""
    #: Bytes in the sizes that are known when the program runs; "" where they are not
    #: known or constant.
    formula: str = ""


@dataclass(frozen=True, repr=False)
class ArenaPlan(Plan):
    """The arena of one function and memory space, or of a parallel loop in it."""
    function: str
    memory_space: str
    #: Which of the function's parallel loops, in the order of the text; None for
    #: the arena of the function itself.
    loop: Optional[int]
    unplanned: Tuple[Unplanned, ...]
    #: Everything the report says of it: docs/report.md.
    report: Any

    @property
    def total_size(self) -> int:
        """The sum of the sizes of all planned buffers, in bytes."""
        return sum(buffer.size for buffer in self.buffers)

    @property
    def sizes(self) -> Tuple[str, ...]:
        """The sizes that are known only when the program runs; () for a constant arena."""
        return tuple(symbol["name"] for symbol in self.report.get("sizes", {}).get("symbols", ()))

    def arena_bytes(self, *values: int, **named: int) -> int:
        """The bytes of the arena at these sizes: one value for each of `sizes`, in their
        order or by name. The program's function "f.arena_bytes" returns the same.

        Raises ValueError if a size is missing, unknown or not within its bounds, if the
        arena is too large at these sizes, or if there is no plan; OverflowError if a size
        does not fit into 64 bits.

        >>> program = plan('''
        ... func.func @f(%in: memref<?xf32> {memplan.dim_names = ["N"]}, %out: memref<?xf32>) {
        ...   %c0 = arith.constant 0 : index
        ...   %n = memref.dim %in, %c0 : memref<?xf32>
        ...   %a = memref.alloc(%n) : memref<?xf32>
        ...   linalg.exp ins(%in : memref<?xf32>) outs(%a : memref<?xf32>)
        ...   linalg.abs ins(%a : memref<?xf32>) outs(%out : memref<?xf32>)
        ...   return
        ... }''')
        >>> program.arenas[0].sizes, program.arenas[0].arena_bytes(N=100)
        (('N',), 400)
        """
        if len(values) > len(self.sizes):
            raise ValueError(f"{len(values)} values for {len(self.sizes)} sizes")
        pairs = [*zip(self.sizes, values), *named.items()]
        if unknown := [name for name in named if name not in self.sizes]:
            raise ValueError(f"the arena has no size {unknown[0]!r}")
        given = (_native.Size * len(pairs))(
            *(_native.Size(_native.word(k), _int64(operator.index(v))) for k, v in pairs))
        report, result = _native.data(self.to_json()), ctypes.c_int64()
        _native.require(_native.core.memplanArenaBytes(
            report, len(report), None, _native.word(self.memory_space), given, len(pairs),
            byref(result)))
        return result.value

    def to_json(self) -> str:
        """A report of this arena only."""
        arena = self.report
        totals = {key: arena[key] for key in ("arena_bytes", "bound_bytes", "sum_bytes",
                                              "saved_bytes", "unplanned_bytes")}
        nothing = {"count": 0, "bytes": 0, "unknown": 0}
        totals["unplanned"] = {"count": len(self.unplanned), "bytes": arena["unplanned_bytes"],
                               "unknown": arena["unplanned_unknown"]}
        totals["ram"] = {"count": len(self.unplanned) + 1,
                         "bytes": arena["arena_bytes"] + arena["unplanned_bytes"],
                         "unknown": arena["unplanned_unknown"]}
        for name in ("from_callers", "planned_before", "arguments", "results", "constants",
                     "variables", "rom"):
            totals[name] = nothing
        return json.dumps({"schema": "memplan-report", "version": 2,
                           "totals": {"arenas": 1, "without_plan": 0, **totals},
                           "functions": [], "arenas": [arena]})

    def to_html(self) -> str:
        """The HTML page of this arena; Program.to_html shows all arenas."""
        return _native.page(_native.PLAN_PAGE, self.to_json())


@dataclass(frozen=True)
class Program:
    """A program after a run."""
    text: str = field(repr=False)
    diagnostics: Tuple[Diagnostic, ...]
    arenas: Tuple[ArenaPlan, ...] = ()
    #: What the passes reported, as text; of plan() the report as JSON.
    report: str = field(default="", repr=False)
    #: Of plan(): what was changed for a budget, or computed in stripes: `changes` of docs/report.md.
    changes: Tuple[Any, ...] = field(default=(), repr=False)

    def to_html(self) -> str:
        """A self-contained HTML page with all arenas of the planned program."""
        if not self.arenas:
            raise MemplanError("the program has no plan to show")
        return _native.page(_native.PLAN_PAGE, self.report)

    def _repr_html_(self) -> Optional[str]:
        """The page, for notebooks."""
        few = sum(len(arena.buffers) for arena in self.arenas) <= _MOST_IN_NOTEBOOK
        return _frame(self.to_html()) if self.arenas and few else None

    def __str__(self) -> str:
        return self.text


PathOrText = Union[str, "os.PathLike[str]"]


def _is_text(source: PathOrText) -> bool:
    """False for a path: what ends in .mlir or .mlirbc, what exists, and what has none
    of the characters without which there is no program."""
    if not isinstance(source, str):
        return False
    if not source.strip() or "\n" in source or source.startswith("//"):
        return True
    if source.endswith((".mlir", ".mlirbc")) or os.path.exists(source):
        return False
    return re.search(r"[(){}<>\"%@=]", source) is not None


def _read(source: PathOrText) -> Tuple[bytes, str]:
    """The program and its name in diagnostics."""
    if _is_text(source):
        return _native.data(str(source)), "<text>"
    path = os.fspath(source)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except IsADirectoryError:
        raise MemplanError(f"'{path}' is a directory, not a program") from None
    # Bytecode begins with "ML\xefR"; text has no null byte.
    if not data.startswith(b"ML\xefR"):
        kind = ("a binary file" if b"\0" in data else
                "JSON" if re.match(rb"\s*(\[|\{(?!-#))", data) else "")
        if kind:
            raise MemplanError(f"'{path}' is {kind}, not a program in MLIR (text or bytecode)")
    return data, path


def run_pipeline(source: PathOrText, pipeline: str) -> Program:
    """Runs passes on a program (MLIR as text, or the path of a file) and
    returns the program after them. Dialects, passes and the text of the result are
    those of memplan-opt.

    Raises DiagnosticError if the program, the pipeline or a pass fails.

    >>> run_pipeline("func.func @f() { return }", "builtin.module(canonicalize)").text
    'module {\\n  func.func @f() {\\n    return\\n  }\\n}\\n\\n'
    """
    data, name = _read(source)
    return _run(data, name, pipeline)


def _run(data: bytes, name: str, pipeline: str) -> Program:
    library = _native.module()
    encoded, passes = os.fsencode(name), _native.data(pipeline)
    run = _native.make(library.memplanRun, data, len(data), encoded, len(encoded), passes,
                       len(passes), destroy=library.memplanRunDestroy)
    diagnostics = []
    said = _native.Diagnostic()
    for i in range(library.memplanRunDiagnosticCount(run.pointer)):
        _native.require(library.memplanRunDiagnostic(run.pointer, i, byref(said)))
        diagnostics.append(Diagnostic(_SEVERITIES[said.severity], _native.text(said.message),
                                      _native.text(said.file), said.line, said.column))
    if not library.memplanRunSucceeded(run.pointer):
        unknown = any("cannot parse the pipeline" in d.message and ": no such option " in d.message
                      for d in diagnostics)
        raise (OptionError if unknown else DiagnosticError)(diagnostics)

    def take(get: Any) -> str:
        length = ctypes.c_size_t()
        pointer = get(run.pointer, byref(length))
        return _native.text(ctypes.string_at(pointer, length.value))

    return Program(take(library.memplanRunText), tuple(diagnostics),
                   report=take(library.memplanRunReport))


def _option(name: str, value: Any) -> str:
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif name == "sizes" and not isinstance(value, str):
        hints = [value] if isinstance(value, dict) else value
        value = ",".join(f"{key}={item}" for hint in hints for key, item in hint.items())
    elif isinstance(value, dict):
        value = ",".join(f"{key}:{item}" for key, item in value.items())
    elif isinstance(value, (list, tuple)):
        value = ",".join(map(str, value))
    text = str(value)
    if re.search(r"[\s\"'{}]", text):
        quotes = [quote for quote in "\"'" if quote not in text]
        if not quotes or "{" in text or "}" in text:
            raise ValueError(f"{name}={value!r} cannot be written in a pipeline")
        text = quotes[0] + text + quotes[0]
    return f"{name.replace('_', '-')}={text}"


def _is_on_tensors(data: bytes) -> bool:
    """True for a text with tensors and no memrefs."""
    return b"tensor<" in data and b"memref<" not in data and not data.startswith(b"ML\xefR")


def plan(source: PathOrText, *, name: str = "", from_tensors: Optional[bool] = None,
         budget: Union[None, int, str, Dict[Any, Any]] = None, **options: Any) -> Program:
    """Plans the memory of a program: MLIR as text, or the path of a file with it;
    diagnostics call it `name`.

    `from_tensors` plans linalg or TOSA on tensors (memplan-from-tensors) or programs on
    memrefs (plan-memory); None finds out. Further options are those of
    the pass, with underscores: strategy="exact", capacity=65536, lower=False,
    scope="module", ...; capacity={1: 65536, 2: "1M"} has a limit for each memory space,
    sizes={"B": 8, "T": 512}, or a list of these, the sizes to plan for.

    With a `budget` (65536, "64K", "60%", or one for each memory space, {1: "64K"}) ops are reordered,
    computed again or in stripes until each arena, with the buffers beside it, fits (memplan-fit);
    `changes` of the result says what that gained and costs. If nothing fits, the error states the
    least need that was found.
    Raises DiagnosticError as run_pipeline, OSError for a file that cannot be read,
    MemplanError for one that is no program, ValueError for an unknown strategy, OptionError (a
    TypeError, too) for an unknown option.

    >>> program = plan('''
    ... func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
    ...   %a = memref.alloc() : memref<16xf32>
    ...   linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    ...   linalg.abs ins(%a : memref<16xf32>) outs(%out : memref<16xf32>)
    ...   return
    ... }''', strategy="exact")
    >>> [(arena.function, arena.arena_size, arena.status) for arena in program.arenas]
    [('f', 64, 'optimal')]
    """
    _require_free(options, "report", "report_file")
    if options.get("strategy", "auto") not in (*STRATEGIES, "greedy"):
        raise ValueError(f"strategy {options['strategy']!r} is not one of "
                         f"{', '.join((*STRATEGIES, 'greedy'))}")
    data, default_name = _read(source)
    words = " ".join([_option(key, value) for key, value in options.items()] + ["report=json"])
    if from_tensors is None:
        from_tensors = _is_on_tensors(data)
    passes = f"{'memplan-from-tensors' if from_tensors else 'plan-memory'}{{{words}}}"
    if budget is not None:
        both = {key: options[key] for key in ("alignment", "scope", "entry_points") if key in options}
        fit = " ".join(_option(key, value) for key, value in {"budget": budget, "plan": False, **both}.items())
        passes = f"memplan-fit{{{fit}}},plan-memory{{{words}}}"
    program = _run(data, name or default_name, f"builtin.module({passes})")
    report = json.loads(program.report)
    arenas = tuple(_read_arena(arena) for arena in report["arenas"])
    return Program(program.text, program.diagnostics, arenas, program.report,
                   tuple(report.get("changes", ())))


def _read_arena(report: Any) -> ArenaPlan:
    planned, unplanned = [], []
    offsets = {slot["name"]: slot["offset"] or 0 for slot in report["slots"]}
    for buffer in report["buffers"]:
        size = buffer["size"] or 0
        if buffer["planned"]:
            ranges = tuple((start, end) for start, end in buffer["live"])
            slots = tuple(buffer["slots"])
            planned.append(
                ProgramBuffer(buffer["name"], size, buffer["alignment"], ranges,
                              offsets[slots[0]], buffer["type"], buffer["location"],
                              buffer.get("value", ""), buffer.get("label", ""),
                              buffer.get("op", ""), slots))
        else:
            unplanned.append(
                Unplanned(buffer["name"], size, buffer["type"], buffer["location"],
                          buffer["reason"], buffer.get("remedy", ""),
                          buffer.get("formula", "")))
    return ArenaPlan(
        status=report["status"], buffers=tuple(planned), arena_size=report["arena_bytes"],
        lower_bound=report["bound_bytes"], strategy=report.get("winner") or report["strategy"],
        message=report["message"], nodes=report["nodes"], penalty=report.get("penalty", 0),
        penalty_bound=report.get("penalty_bound", 0), function=report["function"],
        memory_space=report["memory_space"], loop=report.get("loop_number"),
        unplanned=tuple(unplanned), report=report)


def profile(source: PathOrText, *, name: str = "", **options: Any) -> Tuple[Profile, ...]:
    """The memory profile of each function of a program on tensors or on memrefs, or
    of one function with function="name".

    Further options are those of the pass memplan-profile, with underscores:
    hold, release and exclude (names of origins), in_place, planned_only,
    dim_hint, ... With function="name" and backward="name" the two functions are
    profiled as a pair; the forward profile is the first.

    >>> f, = profile('''
    ... func.func @f(%a: tensor<16xf32>) -> tensor<16xf32> {
    ...   %e = tensor.empty() : tensor<16xf32>
    ...   %0 = linalg.exp ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
    ...   return %0 : tensor<16xf32>
    ... }''', exclude="input")
    >>> f.graph, f.peak_bytes
    ('f', 64)
    """
    _require_free(options, "format", "output")
    data, default_name = _read(source)
    words = [_option(key, value) for key, value in options.items()] + ["format=json"]
    report = _run(data, name or default_name,
                  f"builtin.module(memplan-profile{{{' '.join(words)}}})").report
    return tuple(found for part in json.loads(report)["profiles"] for found in read_profiles(part))


def export_graph(source: PathOrText, function: str = "", *, name: str = "",
                 **options: Any) -> Graph:
    """The op graph of a function of a program (memplan-export-graph)."""
    data, default_name = _read(source)
    words = [_option(key, value) for key, value in options.items()]
    words += [_option("function", function)] if function else []
    return Graph.from_json(_run(data, name or default_name,
                                f"builtin.module(memplan-export-graph{{{' '.join(words)}}})").report)


def runtime_library(static: bool = False) -> str:
    """The path of libMemPlanRuntime, which programs call after memplan-instrument or
    memplan-lower=guard: the shared one for mlir-runner (-shared-libs), the static one for
    executables."""
    name = "libMemPlanRuntime." + ("a" if static else "so")
    # A source tree has it beside the library that is loaded.
    beside = Path(_native.path_of(_native.core)).parent / name
    path = _native.find(name) or (beside if beside.exists() else None)
    if not path:
        raise FileNotFoundError(f"{name} is not beside the package, nor in the lib folders above it, "
                                f"nor in {beside.parent}")
    return os.fspath(path)
