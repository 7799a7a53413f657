//===- SinkDeallocations.h - Callers free what callees freed ----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SINKDEALLOCATIONS_H
#define MEMPLAN_LIB_TRANSFORMS_SINKDEALLOCATIONS_H

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/IR/BuiltinOps.h"

namespace memplan {

/// Private functions that free an argument leave it to their callers, right
/// after the call, where the deallocation can go with the buffer: from callee
/// to caller to caller. A function keeps its deallocation if no caller may have
/// a buffer to plan there, if it is not known from its arguments whether it is
/// executed, if its symbol is used other than by func.call, if it is recursive
/// or a coroutine, if one of its calls is part of a step, or if it or a caller
/// has been planned.
void sinkDeallocations(mlir::ModuleOp module, CalleeTrust trust);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SINKDEALLOCATIONS_H
