# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands run, check and build of `python -m memplan`."""
from __future__ import annotations

import argparse
import os
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ..core import MemplanError
from ..importers import Imported, import_model
from ..importers._tools import need

Say = Callable[[str], None]

_MODEL = ("an .onnx, .tflite or .pt2 file, or package.module:name or file.py:name of a module of PyTorch, "
          "a function of JAX, or a function that returns one with its example arguments")


BUDGET_HELP = ("the most bytes (or 64K, 1M, or a share, such as 60%%) for each arena and the buffers beside it: ops are "
               "reordered, computed again or in stripes until that is kept")


def add_commands(commands: Any) -> None:
    run = commands.add_parser(
        "run", help="run a model with planned memory",
        description="Imports a model, plans, compiles and runs it, with arrays from files or random "
        "ones, and prints or writes the results.")
    check = commands.add_parser(
        "check", help="compare a model with planned memory with its framework",
        description="Runs a model with planned memory beside the model in its own framework, for "
        "several free sizes, and compares the results. Exit status 1: they differ.")
    build = commands.add_parser(
        "build", help="compile a model with planned memory for C",
        description="Writes an object file, a header with the function and its memory, and the same as "
        "JSON: NAME.o, NAME.h, NAME.json and the weights. Several models, such as a prefill and a decode "
        "step, share one arena and equal weights: only one of them may run at a time.")
    build.add_argument("models", nargs="+", metavar="model", help=_MODEL)
    _add_model(build, "object", ["object", "file"],
               "weights in NAME_weights.o, or in the file NAME.weights, which the caller reads or maps")
    build.add_argument("-o", "--output", metavar="PATH", default="",
                       help="folder and name of the files, such as out/unet; the model's name in the current "
                       "folder if it is not given")
    build.add_argument("--name", action="append", default=[], metavar="NAME",
                       help="name of the function in C; that of the files if it is not given, and of several models "
                       "their own; once for each")
    build.add_argument("--arena", choices=["argument", "global", "heap"], default="argument",
                       help="the caller gives the arena with each call (default), a variable, or an allocation of "
                       "each call")
    build.add_argument("-O", dest="level", type=int, choices=range(4), default=2, metavar="0-3",
                       help="how much the compiler optimizes (2)")
    for command in (run, check):
        command.add_argument("model", help=_MODEL)
        _add_model(command)
        command.add_argument("--seed", type=int, default=0, help="seed of random inputs")
        command.add_argument("--program", metavar="FILE",
                             help="run the program in FILE, as plan --emit=mlir wrote it, in place of the "
                             "imported one")
    run.add_argument("-o", "--output", metavar="FILE",
                     help="write the results to FILE.npz, or the only one to FILE.npy")
    check.add_argument("--tolerance", type=float, metavar="SHARE",
                       help="the greatest difference of floats, as a share of the greatest value of the "
                       "result, at least of 1 (f32: 1e-5, f64: 1e-9, f16: 2e-3, bf16: 2e-2); integers "
                       "are equal")


def _add_model(command: argparse.ArgumentParser, weights: str = "arguments",
               kinds: Sequence[str] = ("arguments", "constants"),
               help: str = "of a .tflite file: constants are in the program's text") -> None:
    command.add_argument("--input", action="append", default=[], metavar="FILE|TYPE",
                         help="an input: an array in a file of numpy (.npy), or the type of an argument of a "
                         "module or function, such as 'f32[B, 3, 224, 224]'; once for each")
    command.add_argument("--weights", choices=kinds, default=weights, help=help)
    command.add_argument("--state", action="append", default=[], metavar="in-place|results|PAST=PRESENT",
                         help="whether what the model overwrites, such as a cache, is updated in its argument "
                         "(default) or returned; and which result is the new value of which argument, where the "
                         "model does not say it, such as 'past.*=present.*'; once for each")
    command.add_argument("--budget", metavar="BYTES", help=BUDGET_HELP)
    command.add_argument("--option", action="append", default=[], metavar="NAME=VALUE",
                         help="an option of plan-memory")
    command.add_argument("--sizes", action="append", default=[], metavar="NAME=N,...",
                         help="values of free sizes to run with, or to plan for; once for each set of sizes")
    talk = command.add_mutually_exclusive_group()
    talk.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    talk.add_argument("-v", "--verbose", action="store_true",
                      help="say what is done, and show the logs and warnings of the framework")


def load(args: argparse.Namespace, model: str) -> Tuple[Imported, Optional[List[Any]]]:
    """The model, and the arrays of its inputs if there are any."""
    need("numpy")
    import_types, arrays = [], []
    for text in args.input:
        if text.endswith(".npy"):
            arrays.append(_read_array(text))
        else:
            import_types.append(text)
    if arrays and not import_types and ":" in model:
        import_types = [_type_of(array) for array in arrays]
    weights = args.weights if args.weights == "constants" else "arguments"
    imported = import_model(model, import_types, weights=weights)
    if getattr(args, "program", None):
        from .check import with_program
        with open(args.program, encoding="utf-8", errors="surrogateescape") as file:
            imported = with_program(imported, file.read())
    return imported, arrays or None


def _read_array(path: str) -> Any:
    import numpy
    try:
        return numpy.load(path)
    except ValueError as error:
        raise MemplanError(f"'{path}' is no array of numpy: {error}") from None


def _type_of(array: Any) -> str:
    names = {"f8": "f64", "f4": "f32", "f2": "f16", "i8": "i64", "i4": "i32", "i2": "i16", "i1": "i8",
             "u1": "u8", "b1": "bool"}
    kind = names.get(array.dtype.str[1:])
    if kind is None:
        raise MemplanError(f"no model is imported with an input of {array.dtype}")
    return f"{kind}[{', '.join(map(str, array.shape))}]"


def run(args: argparse.Namespace, options: Dict[str, Any], sizes: Sequence[Dict[str, int]], say: Say) -> int:
    import numpy
    from ._values import choose_sizes, random_inputs
    from .compiled import Compiled
    from .models import Model
    say(f"reading {args.model}")
    imported, arrays = load(args, args.model)
    say("planning and compiling")
    compiled = Compiled(imported, state=args.state, observe=True, name=args.model, **options)
    imported = compiled.imported
    model = imported.model or Model()
    chosen = [{}] if arrays is not None else sizes or choose_sizes(imported, 1)
    for values in chosen:
        given = arrays if arrays is not None else random_inputs(
            imported, compiled._types, _all_sizes(imported, values), args.seed, model.examples(), 2)
        results = compiled.results_of(given)
        names = [*imported.results, *(f"result{n}" for n in range(len(imported.results), len(results)))]
        if not args.quiet:
            if arrays is None:
                print(f"random inputs{_at(values)}")
            for name, value in zip(names, results):
                print(f"{name}: {value.dtype}{list(value.shape)}")
                if not args.output:
                    print(numpy.array2string(value, threshold=20, edgeitems=3))
            print(f"memory: {compiled.peak_bytes} bytes at the peak")
    if args.output:
        _write_results(args.output, names, results)
    return 0


def _write_results(path: str, names: Sequence[str], results: Sequence[Any]) -> None:
    import numpy
    with open(path, "wb") as file:
        if path.endswith(".npy"):
            if len(results) != 1:
                raise MemplanError(f"'{path}' has one array, and the model {len(results)} results: write to .npz")
            numpy.save(file, results[0])
        else:
            numpy.savez(file, **dict(zip(names, results)))


def _at(sizes: Dict[str, int]) -> str:
    return f" at {', '.join(f'{name} = {value}' for name, value in sizes.items())}" if sizes else ""


def _all_sizes(imported: Imported, sizes: Dict[str, int]) -> Dict[str, int]:
    """The sizes that are given, and examples for others."""
    from ._values import choose_sizes, free_sizes
    unknown = [name for name in sizes if name not in free_sizes(imported)]
    if unknown:
        known = ", ".join(free_sizes(imported)) or "none"
        raise MemplanError(f"--sizes: the model has no free size '{unknown[0]}'; it has {known}")
    return {**choose_sizes(imported, 1)[0], **sizes}


def check(args: argparse.Namespace, options: Dict[str, Any], sizes: Sequence[Dict[str, int]], say: Say) -> int:
    from .check import Checker
    say(f"reading {args.model}")
    imported, arrays = load(args, args.model)
    say("planning and compiling")
    checker = Checker(imported, tolerance=args.tolerance, seed=args.seed, name=args.model, state=args.state, **options)
    chosen = [_all_sizes(imported, values) for values in sizes] or None
    is_equal = True

    def tell(text: str) -> None:
        if not args.quiet:
            print(text)

    tell(f"{args.model} beside {checker.framework}")
    unplanned = [buffer for arena in checker.compiled.program.arenas for buffer in arena.unplanned
                 if "returned" not in buffer.reason]
    left = f"; {len(unplanned)} buffers are not planned" if unplanned else ""
    for outcome in checker.outcomes(chosen, arrays):
        is_equal &= outcome.is_equal
        where = f"{_at(outcome.sizes)[4:]}: " if outcome.sizes else ""
        if outcome.refusal:
            tell(f"{where}not run: {outcome.refusal}")
            continue
        for name, found in outcome.differences:
            verdict = "" if found.is_small else f"; at most {found.allowed:.3g} is rounding"
            tell(f"{where}{name}: {found}{verdict}")
        tell(f"{where}memory: observed {outcome.observed_bytes} bytes, planned {outcome.arena_bytes} and "
             f"{outcome.result_bytes} of results{left}")
    if is_equal:
        return 0
    parting = checker.parting(say)
    raise MemplanError(f"{args.model} and {checker.framework} differ: {parting}")


def build(args: argparse.Namespace, options: Dict[str, Any], sizes: Sequence[Dict[str, int]], say: Say) -> int:
    from .build import build as build_models
    from .build import identifier
    if len(args.models) > 1 and args.input:
        raise MemplanError("--input is for one model; give functions that return models with their example arguments")
    if args.name and len(args.name) != len(args.models):
        raise MemplanError(f"--name was given {len(args.name)} times, for {len(args.models)} models")
    folder, file = os.path.split(args.output)
    defaults = [identifier(re.sub(r"\.\w+$", "", re.split(r"[/:]", model)[-1]), ["main"]) for model in args.models]
    is_alone = len(args.models) == 1
    if not is_alone and not file:
        raise MemplanError("several models need a name for their files: give -o")
    names = args.name or ([file or defaults[0]] if is_alone else defaults)
    if sizes:
        options = {**options, "sizes": list(sizes)}
    models = []
    for model in args.models:
        say(f"reading {model}")
        models.append(load(args, model)[0])
    say("planning and compiling")
    paths = build_models(list(zip(names, models)), folder, name=names[0] if is_alone else file, arena=args.arena,
                         weights=args.weights, level=args.level, state=args.state, **options)
    if not args.quiet:
        print("\n".join(paths))
    return 0


#: What `python -m memplan NAME` does with models.
COMMANDS = {"run": run, "check": check, "build": build}
