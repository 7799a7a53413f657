# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The identity of a partition for caches of compiled code. Equal identities with other
behaviour would run stale code."""
from __future__ import annotations

import functools
import hashlib
import uuid
from pathlib import Path
from typing import Any, Dict

import torch

from .. import _native


@functools.lru_cache(maxsize=None)
def _sources() -> str:
    """A hash of the package's sources and of the native library."""
    state = hashlib.sha256()
    for path in [*sorted(Path(__file__).parents[1].glob("*.py")), *sorted(Path(__file__).parent.glob("*.py")), Path(_native.path_of(_native.core))]:
        state.update(path.name.encode())
        state.update(path.read_bytes())
    return state.hexdigest()


def _code(function: Any) -> str:
    """A text for a predicate: its code with its constants, defaults and what it closes over."""
    code = getattr(function, "__code__", None)
    if code is None:
        return uuid.uuid4().hex
    constants = [_code_of(c) if hasattr(c, "co_code") else repr(c) for c in code.co_consts]
    cells = [repr(cell.cell_contents) for cell in function.__closure__ or ()]
    # A name of a global may stand for anything.
    globals_ = {name: function.__globals__[name] for name in code.co_names if name in function.__globals__}
    return repr((code.co_code, constants, code.co_names, function.__defaults__, cells,
                 sorted((k, repr(v)) for k, v in globals_.items())))


def _code_of(code: Any) -> str:
    return repr((code.co_code, [_code_of(c) if hasattr(c, "co_code") else repr(c) for c in code.co_consts],
                 code.co_names))


def _text(value: Any) -> str:
    if isinstance(value, (str, int, float, type(None))):
        return repr(value)
    if isinstance(value, (tuple, list)):
        return repr([_text(part) for part in value])
    if isinstance(value, (torch._ops.OpOverload, torch._ops.OpOverloadPacket)):
        return str(value)
    return _code(value)


def identity(options: Dict[str, Any]) -> str:
    state = hashlib.sha256()
    for part in (_sources(), torch.__version__, *(f"{key}={_text(value)}"
                                                  for key, value in sorted(options.items()))):
        state.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return "memplan " + state.hexdigest()
