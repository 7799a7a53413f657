//===- Memplan.h - The memplan dialect --------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_MEMPLAN_H
#define MEMPLAN_IR_MEMPLAN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "memplan/IR/MemplanDialect.h.inc"
#include "memplan/IR/MemplanEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "memplan/IR/MemplanAttributes.h.inc"

#define GET_OP_CLASSES
#include "memplan/IR/MemplanOps.h.inc"

namespace memplan {

/// The alignment in bytes of the arena that the op yields, lowered or not; 1 if
/// the op states none. std::nullopt if the op yields no arena.
std::optional<int64_t> getArenaAlignment(mlir::Operation *op);

/// True if the op yields an arena, lowered or not, on the heap, which its
/// function must release.
bool isHeapArena(mlir::Operation *op);
/// True for a memplan.arena of a result, or what it is lowered to.
bool isReturnedArena(mlir::Operation *op);

} // namespace memplan

#endif // MEMPLAN_IR_MEMPLAN_H
