# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m memplan: plans a program from the command line."""
from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import pickle
import sys
import tempfile
import warnings
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from . import ArenaPlan, DiagnosticError, MemplanError, Program, plan, version
from .program import _is_on_tensors, _require_free
from .running import command as running

#: The exit status of a process that Ctrl-C or a closed pipe ends.
_INTERRUPTED, _BROKEN_PIPE = 130, 141


def _at_sizes(arena: ArenaPlan) -> Iterator[str]:
    """The bytes of the arena at each of the sizes that it is planned for."""
    sizes = arena.report["sizes"]
    names = [symbol["name"] for symbol in sizes["symbols"]]
    greatest = sizes.get("at_bounds")
    shown = [at for at in sizes["hints"] if not greatest or at["values"] != greatest["values"]]
    for at in shown + ([greatest] if greatest else []):
        values = " and ".join(f"{name} = {value}" for name, value in zip(names, at["values"]))
        yield f"{at['arena_bytes']} at {values}"


def _arena_bytes(arena: ArenaPlan) -> str:
    """"4096 bytes", or the formula and the bytes at each of the sizes."""
    if "sizes" not in arena.report or arena.report["arena_bytes"] is None:
        return f"{arena.arena_size} bytes"
    formula = arena.report["sizes"].get("arena", "")
    at_sizes = ", ".join(_at_sizes(arena))
    if 0 < len(formula) <= 80:
        return f"{formula} bytes: {at_sizes}"
    return at_sizes.replace(" at ", " bytes at ", 1)


def _changes(program: Program) -> Iterator[str]:
    """What was changed for the budget: gain, cost, and the chains that are computed in stripes."""
    for change in program.changes:
        share = 100 * change["extra_flops"] / max(change["flops"], 1)
        yield (f"@{change['function']}: {change['change']}, {change['bytes']} bytes, "
               f"{change['saved_bytes']} saved, {share:.2f} % more FLOPs")
        for stripe in change.get("stripes", ()):
            halo = f", {stripe['halo']} again at each seam" if stripe["halo"] else ""
            kept = f", {stripe['kept']} kept" if "kept" in stripe else ""
            ops = ", ".join(op["op"] for op in stripe["ops"])
            yield f"  {stripe['rows']} of {stripe['count']} rows at once{halo}{kept}: {ops}"


def _summary(program: Program) -> str:
    lines = list(_changes(program))
    for arena in program.arenas:
        space = "" if arena.memory_space == "0" else f" in memory space {arena.memory_space}"
        if arena.loop is not None:
            space += f" in parallel loop {arena.loop}"
        if arena.status == "planned-before":
            lines.append(f"@{arena.function}{space}: arena {_arena_bytes(arena)}, planned before")
            continue
        how = ", ".join(filter(None, (arena.strategy, arena.status)))
        first = "; at the first sizes" if "sizes" in arena.report else ","
        lines.append(f"@{arena.function}{space}: arena {_arena_bytes(arena)}{first} bound "
                     f"{arena.lower_bound}, sum {arena.report['sum_bytes']}, "
                     f"{len(arena.buffers)} buffers planned, {len(arena.unplanned)} not; {how}")
        for buffer in arena.unplanned:
            remedy = f"; {buffer.remedy}" if buffer.remedy else ""
            lines.append(f"  {buffer.location}: {buffer.type} is not planned: "
                         f"{buffer.reason}{remedy}")
    return "\n".join(lines)


def _write(path: str, text: str) -> None:
    """Writes the file as a whole or leaves it unchanged; - is standard output."""
    if path == "-":
        sys.stdout.write(text)
        return
    try:
        _write_file(path, text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _write_file(path: str, text: str) -> None:
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as device:
            device.write(text)
        return
    path = os.path.realpath(path)
    mask = os.umask(0)
    os.umask(mask)
    rights = os.stat(path).st_mode & 0o7777 if os.path.exists(path) else 0o666 & ~mask
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path))
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
        epilog="Exit status: 0 done, 1 refused or different, 2 wrong usage.")
    parser.add_argument("--version", action="version", version=f"memplan {version()}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "plan", help="import a model, plan its memory, print the totals",
        description="Imports a model where it is no MLIR program, plans its memory and prints "
        "the totals.")
    command.add_argument(
        "model", help="a .mlir file or - for standard input; StableHLO, .onnx, .tflite or .pt2; or "
        "package.module:name or file.py:name of a module of PyTorch, a function of JAX, or a "
        "function that returns one with its example arguments")
    command.add_argument(
        "--input", action="append", default=[], metavar="TYPE",
        help="an argument of the module or function, such as 'f32[B, 3, 224, 224]' or "
        "'i64[1, S:2..2048]'; names are free sizes, and S:2..2048=16,512 gives sizes to plan "
        "for, which a blank ends: B=2, 8 has two dimensions; once for each argument")
    command.add_argument(
        "--sizes", action="append", default=[], metavar="NAME=N,...",
        help="values of free sizes to plan for, such as B=8,T=512, in place of the examples; "
        "once for each set of sizes. The greatest sizes are always planned for where they are "
        "known")
    command.add_argument(
        "--import-seconds", type=float, metavar="N",
        help="let the compiler that imports the model take N seconds of processor time; the "
        "default grows with the model")
    command.add_argument("-o", "--output", metavar="FILE",
                         help="write the planned program to FILE, or the imported one with "
                         "--emit=mlir; - for standard output")
    command.add_argument("--emit", choices=["plan", "mlir"], default="plan",
                         help="mlir stops after the import: linalg on tensors")
    command.add_argument("--from-tensors", action="store_true",
                         help="plan with memplan-from-tensors; the default where the program has "
                         "tensors and no memrefs")
    command.add_argument("--strategy", default="auto")
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                         help="a further option of plan-memory")
    command.add_argument("--budget", metavar="BYTES", help=running.BUDGET_HELP)
    command.add_argument("--report", choices=["json", "html"],
                         help="write a report, or a page that shows the arenas")
    command.add_argument("--report-file", default="", metavar="FILE",
                         help="file for the report; standard error if empty, - for standard output")
    talk = command.add_mutually_exclusive_group()
    talk.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    talk.add_argument("-v", "--verbose", action="store_true",
                      help="say what is done, and show the logs and warnings of the framework")
    command.add_argument("--weights", choices=["arguments", "constants"], default="arguments",
                         help="of a .tflite file: constants are in the program's text")
    running.add_commands(commands)
    trace = commands.add_parser(
        "trace", help="write a memory snapshot of PyTorch as JSON",
        description="Reads what torch.cuda.memory._dump_snapshot wrote, as data only, and writes "
        "it as JSON, which memplan-graph plan and memplan-graph profile read with "
        "--trace=torch.")
    trace.add_argument("snapshot", help="the pickle file")
    trace.add_argument("-o", "--output", metavar="FILE", default="-",
                       help="write to FILE, not to standard output")
    return parser


class _DataOnly(pickle.Unpickler):
    """Reads lists, dictionaries, texts and numbers. Pickles can name any function to call,
    so nothing is looked up."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it names {module}.{name}, and a snapshot has only data")


def _read_snapshot(path: str) -> Dict[str, Any]:
    with open(path, "rb") as file:
        try:
            snapshot = _DataOnly(file).load()
        except (pickle.UnpicklingError, EOFError, ValueError, IndexError, KeyError, TypeError,
                AttributeError, OverflowError, MemoryError) as error:
            raise MemplanError(f"'{path}' is no memory snapshot of PyTorch: {error}") from None
    if not isinstance(snapshot, dict) or "device_traces" not in snapshot:
        raise MemplanError(f"'{path}' is no memory snapshot of PyTorch: it has no 'device_traces'")
    return snapshot


def _without_frames(value: Any) -> Any:
    """The stacks of calls are most of a snapshot, and no plan reads them."""
    if isinstance(value, dict):
        return {key: _without_frames(item) for key, item in value.items() if key != "frames"}
    return [_without_frames(item) for item in value] if isinstance(value, (list, tuple)) else value


def _trace(args: argparse.Namespace) -> None:
    snapshot = _read_snapshot(args.snapshot)
    try:
        text = json.dumps(_without_frames(snapshot))
    except (TypeError, ValueError, RecursionError) as error:
        raise MemplanError(f"'{args.snapshot}' is no memory snapshot of PyTorch: {error}") from None
    _write(args.output, text + "\n")


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
            return import_model(path, seconds=args.import_seconds).text, True
    else:
        return import_model(path, args.input, weights=args.weights, seconds=args.import_seconds).text, True
    if args.input:
        raise MemplanError("--input gives the arguments of a module or function; "
                           f"{path} has types of its own")
    return source, args.from_tensors or _is_on_tensors(source.encode("utf-8", "surrogateescape"))


@contextlib.contextmanager
def _silence(is_silent: bool) -> Iterator[None]:
    """The importers say what is wrong; a framework's own log of it is pages long."""
    if not is_silent:
        yield
        return
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def _options(parser: argparse.ArgumentParser, args: argparse.Namespace) -> Dict[str, Any]:
    """The options of plan-memory."""
    options: Dict[str, Any] = {}
    for option in args.option:
        name, equals, value = option.partition("=")
        if not equals:
            parser.error(f"'{option}' is not NAME=VALUE")
        options[name.replace("-", "_")] = value
    if args.budget:
        options["budget"] = args.budget
    return options


def _parse_sizes(parser: argparse.ArgumentParser, texts: Sequence[str]) -> List[Dict[str, int]]:
    hints: List[Dict[str, int]] = []
    for text in texts:
        hint: Dict[str, int] = {}
        for word in text.split(","):
            name, equals, value = (part.strip() for part in word.partition("="))
            if name.isdecimal() and not equals and hint:
                parser.error(f"--sizes: '{text}' gives {list(hint)[-1]} twice; repeat --sizes for "
                             "further sizes")
            if not name or not equals or not value.isdecimal():
                parser.error(f"--sizes: '{word}' is not NAME=N, such as B=8")
            if name in hint:
                parser.error(f"--sizes: '{text}' gives {name} twice; repeat --sizes for further "
                             "sizes")
            hint[name] = int(value)
        hints.append(hint)
    return hints


def _speaker(args: argparse.Namespace) -> Callable[[str], None]:
    def say(text: str) -> None:
        if args.verbose:
            print(f"memplan: {text}", file=sys.stderr, flush=True)

    return say


def _run_model(parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    """The commands of memplan.running."""
    options, say = _options(parser, args), _speaker(args)
    sizes = _parse_sizes(parser, args.sizes)
    with _silence(not args.verbose):
        if sizes and any(text.endswith(".npy") for text in args.input):
            parser.error("--sizes is for random inputs, and --input gives arrays")
        return running.COMMANDS[args.command](args, options, sizes, say)


def _plan(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    if args.report_file and not args.report:
        parser.error("--report-file needs --report")
    if args.output == "-" and args.report and args.report_file == "-":
        parser.error("the program and the report cannot both go to standard output")
    if args.sizes and args.emit == "mlir":
        parser.error("--sizes is for planning, and --emit=mlir plans nothing")
    options = {"strategy": args.strategy, **_options(parser, args)}
    _require_free(options, "source", "name", "from_tensors")
    if args.sizes:
        options["sizes"] = _parse_sizes(parser, args.sizes)
    say = _speaker(args)

    say(f"reading {args.model}")
    with _silence(not args.verbose):
        source, from_tensors = _load(args)
    if args.emit == "mlir":
        _write(args.output or "-", source)
        return
    say(f"planning, {len(source)} characters of MLIR")
    program = plan(source, name=args.model, from_tensors=from_tensors, **options)
    if args.output:
        _write(args.output, program.text)
    if args.report:
        report = program.to_html() if args.report == "html" else program.report
        if args.report_file:
            _write(args.report_file, report)
        else:
            print(report, file=sys.stderr)
    if args.quiet:
        return
    for diagnostic in program.diagnostics:
        print(diagnostic, file=sys.stderr)
    # Standard output has the program, or what was asked for.
    taken = "-" in (args.output, args.report_file)
    print(_summary(program), file=sys.stderr if taken else sys.stdout)


def _drop_output() -> None:
    """Python would write what is left at its end, and fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = _parser()
    args = parser.parse_args(arguments)
    try:
        status = 0
        if args.command == "trace":
            _trace(args)
        elif args.command in running.COMMANDS:
            status = _run_model(parser, args)
        else:
            _plan(parser, args)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        print("memplan: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except OSError as error:
        if error.filename is None:
            _drop_output()
        place = f"'{error.filename}'" if error.filename else "standard output"
        print(f"memplan: error: {place}: {error.strerror or error}", file=sys.stderr)
        return 1
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        return 1
    except (MemplanError, ValueError, ImportError) as error:
        print(f"memplan: error: {error}", file=sys.stderr)
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
