//===- SinkDeallocations.h - Move deallocations to callers ------*- C++ -*-===//
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

/// Moves deallocations of arguments from private functions to their callers,
/// right after the call, where planning can remove them with the buffer; and
/// from there to the callers of the callers. A function keeps a deallocation if
/// no caller can have a buffer of static size there, or if the arguments do not
/// determine whether it is executed (findArgumentFrees). It keeps all of them
/// if its symbol has uses other than func.call, if it is recursive or a
/// coroutine, if one of its calls is part of a step, or if it or a caller has
/// an arena.
void sinkDeallocations(mlir::ModuleOp module, CalleeTrust trust);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SINKDEALLOCATIONS_H
