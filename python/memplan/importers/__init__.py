# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of PyTorch, ONNX, JAX and TFLite as programs of linalg or TOSA on tensors.

import_model reads a model and returns the program that `plan(..., from_tensors=True)`
plans. Each framework is optional: an importer that misses one says what to install.
Weights become arguments of the program, so that its text stays small. The names and
ranges of free sizes become the argument attributes `memplan.dim_names`,
`memplan.dim_bounds` and `memplan.dim_hints`.
"""
from __future__ import annotations

import importlib
import os
import sys
from typing import Any, Callable, Optional, Sequence

from . import _child
from ._model import Imported, ImportFailure, InputSpec, explain_hints, parse_input
from ._tools import EXTRAS, need

__all__ = ["Imported", "ImportFailure", "InputSpec", "import_model", "parse_input"]


def import_model(model: Any, inputs: Sequence[str] = (), *, entry: str = "main",
                 weights: str = "arguments", seconds: Optional[float] = None) -> Imported:
    """Imports a model.

    `model` is the path of an .onnx file, of a .tflite file, of a .pt2 file
    (torch.export.save), of StableHLO (.stablehlo, or .mlir with stablehlo ops), or
    `package.module:name`, which names one of, or itself one of

    - a torch.export.ExportedProgram,
    - a torch.nn.Module, together with `inputs`,
    - a function of JAX, together with `inputs`,
    - the result of jax.jit(f).lower(...) or of jax.export,
    - a function without parameters that returns one of these, or a tuple of a module
      or function and its example arguments (and, for PyTorch, dynamic_shapes).

    `inputs` are types such as "f32[1, 3, 224, 224]" or "i64[B, S:2..2048=16,512]": a name
    is a free size, with its least and greatest value and sizes to plan for if they are
    given. A blank behind a comma ends the sizes to plan for: "f32[B=2, 8]" has two dimensions. The module may be the path of a .py file. `weights` may be "constants" for a
    .tflite file, and the type of its only input may state the number of a free batch. The compiler may take so many `seconds` of processor time; None for what
    the size of the model gives. Raises ImportFailure.
    """
    specs = [parse_input(text) for text in inputs]
    try:
        with _child.limited(seconds):
            return _read(model, specs, entry, weights)
    except ImportFailure as error:
        error.args = (f"{error}{explain_hints(inputs)}",)
        raise


def _read(model: Any, specs: Sequence[InputSpec], entry: str, weights: str) -> Imported:
    if not isinstance(model, str):
        return _from_value(getattr(model, "__name__", type(model).__name__), model, specs, entry)
    if weights != "arguments" and not model.endswith(".tflite"):
        raise ImportFailure(f"{model}: weights are constants in programs of .tflite files only")
    if model.endswith((".onnx", ".tflite", ".pt2", ".mlir", ".stablehlo", ".mlirbc")) and \
            not os.path.exists(model):
        raise ImportFailure(f"{model}: no such file")
    if model.endswith(".tflite"):
        program: Imported = _importer("tflite").from_file(model, entry, weights, specs)
        return program
    if model.endswith(".onnx"):
        return _read_file("onnx", model, entry)
    if model.endswith(".pt2"):
        return _read_file("torch", model, entry)
    if model.endswith((".mlir", ".stablehlo", ".mlirbc")):
        return _read_file("stablehlo", model, entry)
    if ":" in model and not os.path.exists(model):
        return _from_value(model, _resolve(model), specs, entry)
    if os.path.isdir(model):
        raise ImportFailure(f"{model} is a folder, not a model file")
    if not os.path.exists(model):
        raise ImportFailure(f"{model}: no such file, and not of the form package.module:name")
    raise ImportFailure(
        f"{model}: unknown kind of model; known are .mlir, .stablehlo, .onnx, .tflite, .pt2 and "
        "package.module:name")


def _importer(name: str) -> Any:
    return importlib.import_module(f".{name}", __package__)


def _read_file(kind: str, path: str, entry: str) -> Imported:
    _child.start()
    program: Imported = _importer(kind).from_file(path, entry)
    return program


def _import(module: str) -> Any:
    """The module of this name, or of the file."""
    if not module.endswith(".py") and os.sep not in module:
        return importlib.import_module(module)
    from importlib.util import module_from_spec, spec_from_file_location
    file = module if module.endswith(".py") else module + ".py"
    if not os.path.isfile(file):
        raise ImportFailure(f"{file}: no such file")
    spec = spec_from_file_location(os.path.basename(file)[:-3], file)
    assert spec and spec.loader
    loaded = module_from_spec(spec)
    # As for a script, the modules beside it can be imported.
    folder = os.path.dirname(os.path.abspath(file))
    sys.path.insert(0, folder)
    try:
        sys.modules[spec.name] = loaded
        spec.loader.exec_module(loaded)
    finally:
        sys.path.remove(folder)
    return loaded


def _resolve(path: str) -> Any:
    module_name, _, attributes = path.rpartition(":")
    if not module_name or not attributes:
        raise ImportFailure(f"'{path}' is not of the form package.module:name or file.py:name")
    folder = os.getcwd()
    added = folder not in sys.path
    if added:
        sys.path.insert(0, folder)
    try:
        value: Any = _import(module_name)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").split(".")[0])
        raise ImportFailure(f"{path}: {error}; " + (
            f"pip install 'memplan[{extra}]'" if extra else
            "modules are looked for in the current folder and where Python looks")) from None
    finally:
        if added:
            sys.path.remove(folder)
    for name in attributes.split("."):
        if not hasattr(value, name):
            raise ImportFailure(f"{path}: {module_name} has no '{attributes}'")
        value = getattr(value, name)
    if isinstance(value, type):
        raise ImportFailure(f"{path} is a class; give an instance of it, or a function that "
                            "returns one")
    return value


def _takes_nothing(function: Callable[..., Any]) -> bool:
    import inspect
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
               for p in parameters)


def _is_torch(value: Any) -> bool:
    return any(kind.__module__.startswith("torch.") for kind in type(value).__mro__)


def _from_value(path: str, value: Any, specs: Sequence[InputSpec], entry: str) -> Imported:
    _child.start()
    if not _is_torch(value) and callable(value) and not specs and _takes_nothing(value):
        value = value()
    arguments: Optional[Sequence[Any]] = None
    shapes: Any = None
    if isinstance(value, tuple):
        if len(value) not in (2, 3):
            raise ImportFailure(f"{path} returned {len(value)} values; expected are a model, its "
                                "example arguments and, for PyTorch, dynamic_shapes")
        value, arguments, shapes = (*value, None)[:3]
    program: Imported
    if _is_torch(value):
        program = _importer("torch").from_object(path, value, arguments, shapes, specs, entry)
    else:
        program = _importer("jax").from_object(path, value, arguments, specs, entry)
    return program
