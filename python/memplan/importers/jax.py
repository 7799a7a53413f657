# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX: lowered or exported functions, through StableHLO."""
from __future__ import annotations

from dataclasses import replace
from typing import Any, Dict, List, Optional, Sequence

from . import stablehlo
from ._model import Argument, FreeSize, Imported, ImportFailure, InputSpec
from ._tools import need
from ..running.models import JaxModel


def from_object(path: str, value: Any, arguments: Optional[Sequence[Any]],
                specs: Sequence[InputSpec], entry: str) -> Imported:
    jax = need("jax")
    export = need("jax.export", "jax")
    if isinstance(value, export.Exported):
        return _from_exported(value, path, entry)
    if isinstance(value, jax.stages.Lowered):
        return _from_lowered(jax, value, path, entry)
    if not callable(value):
        raise ImportFailure(f"{path} is a {type(value).__name__}; expected is a function, the "
                            "result of jax.jit(f).lower(...) or of jax.export")
    if arguments is None:
        if not specs:
            raise ImportFailure(f"{path} is a function without example arguments: give its inputs, "
                                "such as --input 'f32[8, 128]'")
        arguments = _examples(jax, export, specs)
    function = value if hasattr(value, "lower") else jax.jit(value)
    # Locations are names such as "jit(f)/dot_general", without lines of source.
    limit = jax.config.jax_traceback_in_locations_limit
    jax.config.update("jax_traceback_in_locations_limit", 0)
    try:
        if any(isinstance(size, FreeSize) for spec in specs for size in spec.sizes):
            sizes = {size.name: size for spec in specs for size in spec.sizes if isinstance(size, FreeSize)}
            return _from_exported(export.export(function)(*arguments), path, entry, sizes, function)
        return _from_lowered(jax, function.lower(*arguments), path, entry,
                             None if specs else jax.tree_util.tree_leaves(tuple(arguments)), function)
    except ImportFailure:
        raise
    except Exception as error:
        raise ImportFailure(f"{path} cannot be lowered by JAX: "
                            f"{str(error).strip().splitlines()[0][:400]}") from None
    finally:
        jax.config.update("jax_traceback_in_locations_limit", limit)


def _examples(jax: Any, export: Any, specs: Sequence[InputSpec]) -> List[Any]:
    numpy = need("jax.numpy", "jax")
    dtypes = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16",
              "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8",
              "bool": "bool_"}
    ranges = []
    for size in (size for spec in specs for size in spec.sizes if isinstance(size, FreeSize)):
        ranges += [f"{size.name} >= {max(size.least, 1)}"]
        ranges += [f"{size.name} <= {size.greatest}"] if size.greatest is not None else []
    scope = export.SymbolicScope(ranges)
    arguments = []
    for spec in specs:
        words = ", ".join(size.name if isinstance(size, FreeSize) else str(size)
                          for size in spec.sizes)
        shape = export.symbolic_shape(words, scope=scope) if words else ()
        arguments.append(jax.ShapeDtypeStruct(shape, getattr(numpy, dtypes[spec.dtype])))
    return arguments


def _names(jax: Any, tree: Any) -> List[str]:
    leaves = jax.tree_util.tree_flatten_with_path(tree)[0]
    return ["arg" + "".join(str(key) for key in path) for path, _ in leaves]


def _from_lowered(jax: Any, lowered: Any, path: str, entry: str,
                  examples: Optional[Sequence[Any]] = None, function: Any = None) -> Imported:
    names = _names(jax, lowered.args_info[0])
    # Arguments that the function does not use are dropped.
    kept = lowered._lowering.compile_args.get("kept_var_idx")
    if kept is not None:
        names = [names[number] for number in sorted(kept)]
    leaves = jax.tree_util.tree_leaves(lowered.args_info)
    model = JaxModel(lambda *args, **kwargs: lowered.compile()(*args, **kwargs), lowered.in_tree, leaves,
                     range(len(leaves)) if kept is None else sorted(kept), examples, function)
    return replace(stablehlo.from_text(path, lowered.as_text(debug_info=True), entry,
                                       [Argument(name) for name in names]), model=model)


def _from_exported(exported: Any, path: str, entry: str,
                   given: Optional[Dict[str, FreeSize]] = None, function: Any = None) -> Imported:
    jax = need("jax")
    free: Dict[str, FreeSize] = dict(given or {})
    arguments = []
    names = _names(jax, exported.in_tree.unflatten(exported.in_avals)[0]) \
        if hasattr(exported, "in_tree") else []
    for number in exported.module_kept_var_idx:
        aval = exported.in_avals[number]
        sizes: List[Optional[FreeSize]] = []
        for size in aval.shape:
            if isinstance(size, int):
                sizes.append(None)
            else:
                text = str(size)
                sizes.append(free.setdefault(text, FreeSize(text)) if text.isidentifier() else None)
        name = names[number] if number < len(names) else f"arg{number}"
        arguments.append(Argument(name, sizes=tuple(sizes)))
    model = JaxModel(exported.call, exported.in_tree, exported.in_avals, exported.module_kept_var_idx,
                     function=function) if hasattr(exported, "in_tree") else None
    return replace(stablehlo.from_text(path, exported.mlir_module(), entry, arguments), model=model)
