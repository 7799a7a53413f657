# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m memplan: plans a program from the command line."""
from __future__ import annotations

import argparse
import os
import sys
import tempfile
from typing import Any, Dict, Optional, Sequence, Tuple

from . import DiagnosticError, MemplanError, Program, plan, version


def _summary(program: Program) -> str:
    lines = []
    for arena in program.arenas:
        space = "" if arena.memory_space == "0" else f" in memory space {arena.memory_space}"
        if arena.loop is not None:
            space += f" in parallel loop {arena.loop}"
        lines.append(f"@{arena.function}{space}: arena {arena.arena_size} bytes, bound "
                     f"{arena.lower_bound}, sum {arena.total_size}, {len(arena.buffers)} buffers "
                     f"planned, {len(arena.unplanned)} not; {arena.strategy}, {arena.status}")
        for buffer in arena.unplanned:
            lines.append(f"  {buffer.location}: {buffer.type} is not planned: {buffer.reason}")
    return "\n".join(lines)


def _write(path: str, text: str) -> None:
    """Writes the file as a whole or leaves it unchanged."""
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as device:
            device.write(text)
        return
    path = os.path.realpath(path)
    mask = os.umask(0)
    os.umask(mask)
    rights = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else 0o666 & ~mask
    try:
        handle, name = tempfile.mkstemp(dir=os.path.dirname(path))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    try:
        with open(handle, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(text)
        os.chmod(name, rights)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m memplan", description="Plan the memory of models and MLIR programs.",
        epilog="Exit status: 0 planned, 1 refused.")
    parser.add_argument("--version", action="version", version=f"memplan {version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "plan", help="import a model, plan its memory, print the totals",
        description="Imports a model where it is no MLIR program, plans its memory and prints "
        "the totals.")
    command.add_argument(
        "model", help="a .mlir file or - for standard input; StableHLO, .onnx or .pt2; or "
        "package.module:name of a module of PyTorch, a function of JAX, or a function that "
        "returns one with its example arguments")
    command.add_argument(
        "--input", action="append", default=[], metavar="TYPE",
        help="an argument of the module or function, such as 'f32[B, 3, 224, 224]' or "
        "'i64[1, S:2..2048]'; names are free sizes; once for each argument")
    command.add_argument("-o", "--output", metavar="FILE",
                         help="write the planned program to FILE, or the imported one with "
                         "--emit=mlir")
    command.add_argument("--emit", choices=["plan", "mlir"], default="plan",
                         help="mlir stops after the import: linalg on tensors")
    command.add_argument("--from-tensors", action="store_true",
                         help="plan with memplan-from-tensors; the default where the program has "
                         "tensors and no memrefs")
    command.add_argument("--strategy", default="auto")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                         help="a further option of plan-memory")
    command.add_argument("--report", choices=["json", "html"],
                         help="write a report, or a page that shows the arenas")
    command.add_argument("--report-file", default="", metavar="FILE",
                         help="file for the report; standard error if empty, - for standard output")
    return parser


def _load(args: argparse.Namespace) -> Tuple[str, bool]:
    """The program, and whether it is on tensors."""
    from .importers import import_model
    path = args.model
    if path == "-":
        source = sys.stdin.read() + "\n"
    elif path.endswith(".mlir"):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            source = file.read() + "\n"
        if "stablehlo." in source:
            return import_model(path).text, True
    else:
        return import_model(path, args.input).text, True
    if args.input:
        raise MemplanError("--input gives the arguments of a module or function; "
                           f"{path} has types of its own")
    return source, args.from_tensors or ("tensor<" in source and "memref<" not in source)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = _parser()
    args = parser.parse_args(arguments)
    if args.report_file and not args.report:
        parser.error("--report-file needs --report")
    options: Dict[str, Any] = {"strategy": args.strategy}
    for option in args.option:
        name, equals, value = option.partition("=")
        if not equals:
            parser.error(f"'{option}' is not NAME=VALUE")
        options[name.replace("-", "_")] = value
    try:
        source, from_tensors = _load(args)
        if args.emit == "mlir":
            if args.output:
                _write(args.output, source)
            else:
                sys.stdout.write(source)
            return 0
        program = plan(source, name=args.model, from_tensors=from_tensors, **options)
        if args.output:
            _write(args.output, program.text)
        if args.report:
            report = program.to_html() if args.report == "html" else program.report
            if args.report_file in ("", "-"):
                print(report, file=sys.stdout if args.report_file else sys.stderr)
            else:
                _write(args.report_file, report)
    except OSError as error:
        print(f"memplan: error: '{error.filename}': {error.strerror}", file=sys.stderr)
        return 1
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return 1
    except (MemplanError, ValueError) as error:
        print(f"memplan: error: {error}", file=sys.stderr)
        return 1
    for diagnostic in program.diagnostics:
        print(diagnostic, file=sys.stderr)
    print(_summary(program))
    return 0


if __name__ == "__main__":
    sys.exit(main())
