# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m memplan: plans a program from the command line."""
from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, Optional, Sequence, Union

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


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m memplan", description="Plan the memory of an MLIR program.",
        epilog="Exit status: 0 planned, 1 refused.")
    parser.add_argument("file", help="a .mlir file, or - for standard input")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the planned program to FILE")
    parser.add_argument("--from-tensors", action="store_true",
                        help="the program is linalg or TOSA on tensors")
    parser.add_argument("--strategy", default="auto")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                        help="a further option of plan-memory")
    parser.add_argument("--html", metavar="FILE", help="write a page that shows the arenas")
    parser.add_argument("--version", action="version", version=f"memplan {version()}")
    args = parser.parse_args(arguments)
    options: Dict[str, Any] = {"strategy": args.strategy}
    for option in args.option:
        name, equals, value = option.partition("=")
        if not equals:
            parser.error(f"'{option}' is not NAME=VALUE")
        options[name.replace("-", "_")] = value
    try:
        # A text that is one line is not taken for a path if it ends a line.
        source: Union[str, Path] = sys.stdin.read() + "\n" if args.file == "-" else Path(args.file)
        program = plan(source, name=args.file, from_tensors=args.from_tensors, **options)
        if args.output:
            _write(args.output, program.text)
        if args.html:
            _write(args.html, program.to_html())
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
