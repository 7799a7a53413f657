# Part of the memplan project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From an imported model to a program that runs, is compared with its framework, and is
linked from C."""
from .compiled import Compiled, compile

__all__ = ["Compiled", "compile"]
