# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TFLite files through Arm's converter to TOSA (tosa-converter-for-tflite).

The converter writes what the reference kernels of TFLite compute: rescaling of sums of int8 rounds
twice. Its text has one op a line, which is all that is read here.
"""
from __future__ import annotations

import io
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._model import LEAST_ELEMENTS, Argument, FreeSize, Imported, ImportFailure, InputSpec, attributes_of
from ._tools import need

_CONSTANT = re.compile(r'    (%\w+) = "tosa\.const"\(\) <\{values = (dense<.*>) : (tensor<[^>]*>)\}> : .*?'
                       r"( loc\(#\w+\))$")
#: Names of MLIR's elements, where they are others than those of inputs.
_ELEMENTS = {"u8": "ui8", "bool": "i1"}
#: The operands of these ops are constants: a scale or a table is part of the arithmetic, and
#: zero points, pads and permutations decide what an op is.
_KEPT = {"tosa.rescale": 1, "tosa.table": 1, "tosa.pad": 1, "tosa.conv2d": 3, "tosa.conv3d": 3,
         "tosa.depthwise_conv2d": 3, "tosa.transpose_conv2d": 3, "tosa.matmul": 2}


def from_file(path: str, entry: str, weights: str = "arguments", inputs: Sequence[InputSpec] = ()) -> Imported:
    """`weights` are "arguments" or "constants" of the program; `inputs` may state a free batch."""
    converter = need("tosa_converter_for_tflite", "tflite")
    sink = io.BytesIO()
    try:
        with open(path, "rb") as file:
            if file.read(8)[4:] != b"TFL3":
                raise ImportFailure(f"{path} is no .tflite model: it does not begin with TFL3")
        with _quiet():
            converter.tflite_flatbuffer_to_tosa_mlir(
                path, sink, converter.TosaConverterOutputFormat.Text,
                converter.TosaConverterDebugInfo.Enable)
    except OSError as error:
        raise ImportFailure(f"{path}: {error.strerror}") from None
    except RuntimeError as error:
        raise ImportFailure(f"{path} cannot be converted to TOSA: {str(error).strip()[:400]}") from None
    program = _Program(path, sink.getvalue().decode())
    if inputs:
        program.fix_batch(path, inputs)
    if weights == "arguments":
        program.make_arguments()
    return program.imported(path, entry)


class _quiet:
    """Drops what native code writes on standard error; it raises the same as an exception."""

    def __enter__(self) -> None:
        import os
        self.null, self.saved = os.open(os.devnull, os.O_WRONLY), os.dup(2)
        os.dup2(self.null, 2)

    def __exit__(self, *_: Any) -> None:
        import os
        os.dup2(self.saved, 2)
        os.close(self.saved)
        os.close(self.null)


class _Program:
    """The function @main of the converter's text."""

    def __init__(self, path: str, text: str) -> None:
        lines = text.split("\n")
        first = next((n for n, line in enumerate(lines) if line.startswith("  func.func @main(")), None)
        if first is None:
            raise ImportFailure(f"{path} cannot be converted to TOSA: the converter wrote no @main")
        last = next(n for n, line in enumerate(lines[first:], first) if line.startswith("  }"))
        head = lines[first]
        self.body = lines[first + 1:last]
        self.locations = [line for line in lines[:first] + lines[last:] if line.startswith("#loc")]
        foreign = next((found for line in self.body if not line.startswith("    return")
                        for found in re.findall(r'^    (?:%\S+ = )?"?([a-z_]+\.[\w.]+)', line)
                        if not found.startswith(("tosa.", "tensor.", "arith.", "shape."))), None)
        if foreign or len(re.findall(r"^  func\.func ", text, re.M)) > 1:
            raise ImportFailure(f"{path} cannot be converted to TOSA: no lowering of "
                                f"{foreign or 'models with several functions'}")
        self.parameters: List[Tuple[str, str]] = re.findall(
            r"(%\w+): (tensor<[^>]*>)", head.split(") -> ")[0])
        results = head.split(") -> ", 1)[1] if ") -> " in head else ""
        self.result_types = re.findall(r"tensor<[^>]*>", results.split(" attributes ")[0])
        names = {kind: found.split(",") for kind, found in
                 re.findall(r'\b(inputs|outputs) = "([^"]*)"', head)}
        self.names = [_short(name) for name in names.get("inputs", ())]
        self.results = tuple(_short(name) for name in names.get("outputs", ()))
        if len(self.names) != len(self.parameters):
            self.names = [name[1:] for name, _ in self.parameters]
        self.arguments = [Argument(name, sizes=_free_sizes(name, kind, len(self.names) == 1))
                          for name, (_, kind) in zip(self.names, self.parameters)]
        #: By name, the elements as in the text and the type.
        self.weights: Dict[str, Tuple[str, str]] = {}

    def fix_batch(self, path: str, inputs: Sequence[InputSpec]) -> None:
        """Makes the free batch of the only input a number, as the type of the input states."""
        kinds = [kind for _, kind in self.parameters]
        given = [f"tensor<{'x'.join(map(str, spec.sizes))}x{_ELEMENTS.get(spec.dtype, spec.dtype)}>"
                 for spec in inputs if all(isinstance(size, int) for size in spec.sizes)]
        batch = inputs[0].sizes[0] if inputs[0].sizes else "?"

        def fixed(text: str) -> str:
            return text.replace("tensor<?x", f"tensor<{batch}x")

        if given != [fixed(kind) for kind in kinds] or (given != kinds and len(kinds) > 1):
            raise ImportFailure(f"{path} takes {', '.join(kinds)}: the type of an input may only state the "
                                "number of a free batch, and the sizes of the file")
        self.body = [fixed(line) for line in self.body]
        self.result_types = [fixed(kind) for kind in self.result_types]
        self.parameters = [(value, fixed(kind)) for value, kind in self.parameters]
        self.arguments = [Argument(name, sizes=_free_sizes(name, kind, False))
                          for name, (_, kind) in zip(self.names, self.parameters)]

    def make_arguments(self) -> None:
        """Makes large constants arguments, in the order of the program."""
        kept = set()
        for line in self.body:
            op = re.match(r"    (?:%\S+ = )?(tosa\.\w+) ([^{:]*)", line)
            if op and op.group(1) in _KEPT:
                kept.update(re.findall(r"%\w+", op.group(2))[_KEPT[op.group(1)]:])
        names = self._names_of_constants()
        left = []
        for line in self.body:
            found = _CONSTANT.match(line)
            if not found or found.group(1) in kept or _elements(found.group(3)) < LEAST_ELEMENTS:
                left.append(line)
                continue
            value, held, kind, _ = found.groups()
            name = names[value]
            self.parameters.append((value, kind))
            self.arguments.append(Argument(name, True))
            self.weights[name] = (held[len("dense<"):-1], kind)
        self.body = left

    def _names_of_constants(self) -> Dict[str, str]:
        """By value: the converter's name of the tensor, or that of the op that reads it first."""
        places = dict(re.findall(r'^(#loc\d*) = loc\("([^"]*)"', "\n".join(self.locations), re.M))
        names: Dict[str, str] = {}
        taken: Dict[str, int] = {}
        for line in self.body:
            found = _CONSTANT.match(line)
            if found:
                place = re.search(r"loc\((#\w+)\)$", line)
                name = places.get(place.group(1), "") if place else ""
                name = name or f"constant{found.group(1)[1:]}"
                taken[name] = taken.get(name, 0) + 1
                names[found.group(1)] = name if taken[name] == 1 else f"{name}.{taken[name]}"
        return names

    def imported(self, path: str, entry: str) -> Imported:
        from ..running.models import TfliteModel
        words = []
        for (value, kind), argument in zip(self.parameters, self.arguments):
            entries = ", ".join(f"{key} = {held}" for key, held in attributes_of(argument).items())
            words.append(f"{value}: {kind}" + (f" {{{entries}}}" if entries else ""))
        head = f"  func.func @{entry}({', '.join(words)}) -> ({', '.join(self.result_types)}) {{"
        # Locations of the converter have the path of the file; names of tensors stay.
        places = [re.sub(r'^(#\w+) = loc\(("[^"]*")\(#\w+\)\)$', r"\1 = loc(\2)", line)
                  for line in self.locations]
        places = [re.sub(r'loc\("/[^"]*":0:0\)', "loc(unknown)", line) for line in places]
        text = "\n".join(["module {", head, *self.body, "  }", "}", *places, ""])
        return Imported(text, entry, tuple(self.arguments), self.results,
                        TfliteModel(path, self.weights))


def _short(name: str) -> str:
    return re.sub(r"^serving_default_|:0$", "", name.strip())


def _elements(kind: str) -> int:
    product = 1
    for size in kind[len("tensor<"):-1].split("x")[:-1]:
        product *= int(size) if size.isdigit() else 1
    return product


def _free_sizes(name: str, kind: str, is_alone: bool) -> Tuple[Optional[FreeSize], ...]:
    """The file has no names: the first size of the only input is its batch."""
    sizes = kind[len("tensor<"):-1].split("x")[:-1]
    return tuple(None if size != "?" else
                 FreeSize("batch" if is_alone and number == 0 else f"{name}_{number}", least=1)
                 for number, size in enumerate(sizes))
