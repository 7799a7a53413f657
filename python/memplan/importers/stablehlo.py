# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO text or bytecode."""
from __future__ import annotations

from dataclasses import replace
from typing import Any, Sequence, Union

from . import _dynamic, _unsigned
from ._child import isolated
from ._model import Argument, Imported, ImportFailure
from ._tools import finish, keep_ops, lower, need

_PIPELINE = "builtin.module(iree-stablehlo-input-transformation-pipeline)"


def from_file(path: str, entry: str) -> Imported:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise ImportFailure(f"{path}: {error.strerror}") from None
    return from_text(path, data, entry)


def _with_donations(ir: Any, function: Any, arguments: Sequence[Argument]) -> Sequence[Argument]:
    """The arguments whose memory JAX gives to a result (donate_argnums) have it as their new value."""
    if "arg_attrs" not in function.attributes:
        return arguments
    marks = [ir.DictAttr(marks) for marks in ir.ArrayAttr(function.attributes["arg_attrs"])]
    arguments = list(arguments) if len(arguments) == len(marks) else [Argument(f"arg{n}") for n in range(len(marks))]
    for number, held in enumerate(marks):
        if "tf.aliasing_output" in held:
            arguments[number] = replace(arguments[number],
                                        new_value=ir.IntegerAttr(held["tf.aliasing_output"]).value)
    return arguments


@isolated
def from_text(what: str, data: Union[bytes, str], entry: str,
              arguments: Sequence[Argument] = ()) -> Imported:
    """Imports a module whose entry is its only public function."""
    ir = need("iree.compiler.ir")
    context = ir.Context()
    # JAX writes attributes of other dialects on calls of libraries.
    context.allow_unregistered_dialects = True
    with context:
        try:
            module = ir.Module.parse(data)
        except Exception as error:
            raise ImportFailure(f"{what} is not a module of StableHLO: "
                                f"{str(error).strip()[:400]}") from None
        public = [op for op in module.body.operations if op.operation.name == "func.func"
                  and ("sym_visibility" not in op.attributes or
                       ir.StringAttr(op.attributes["sym_visibility"]).value == "public")]
        if len(public) == 1:
            entry = ir.StringAttr(public[0].attributes["sym_name"]).value
            arguments = _with_donations(ir, public[0], arguments)
            for key in ("arg_attrs", "res_attrs"):
                if key in public[0].attributes:
                    del public[0].attributes[key]
            keep_ops(ir, public[0])
        left = ""
        _unsigned.widen_stablehlo(ir, module, what)
        if "jax.uses_shape_polymorphism" in module.operation.attributes:
            module, left = _unsigned.without_signs(ir, module)
            passes = need("iree.compiler.passmanager")
            passes.PassManager.parse("builtin.module(inline,symbol-dce)").run(module.operation)
            _dynamic.lower_all(module)
        _dynamic.keep_gathers_inside(module)
    try:
        lower(module, _PIPELINE, what)
    except ImportFailure:
        if not left:
            raise
        raise ImportFailure(f"{what} cannot be lowered to linalg: {left}: this op of unsigned integers "
                            "has no lowering where some of them have free sizes") from None
    return finish(module, entry, arguments)
