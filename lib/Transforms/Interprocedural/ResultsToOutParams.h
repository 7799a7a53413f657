//===- ResultsToOutParams.h - Results of functions --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_RESULTSTOOUTPARAMS_H
#define MEMPLAN_LIB_TRANSFORMS_RESULTSTOOUTPARAMS_H

#include "memplan/Analysis/AliasGraph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace memplan {

/// A deallocation, or a part of one, that concerns nothing but a result.
struct FreshFree {
  mlir::Operation *op = nullptr;
  /// Which memrefs and retained ones of a bufferization.dealloc.
  llvm::SmallVector<unsigned, 2> operands;
};

/// A result that one memref of the caller's can hold.
struct OutParamResult {
  unsigned number = 0;
  /// The allocations it may be, all of one type, which that memref replaces.
  llvm::SmallVector<mlir::memref::AllocOp> members;
  /// What frees members, or compares them with what is freed.
  llvm::SmallVector<FreshFree> frees;
};

/// Takes what frees the results out of the program.
void removeFrees(llvm::ArrayRef<OutParamResult> results);

/// The largest alignment that a member asks for; null if none does.
mlir::IntegerAttr findAlignment(const OutParamResult &result);

/// The fresh results of a function, ascending: whatever is returned is one
/// allocation of the entry block, or one of several, of which no two instances
/// are live at once. None of them is returned as another result too, or handed
/// to anything that keeps it.
llvm::SmallVector<OutParamResult>
findOutParamResults(mlir::func::FuncOp function, const ModuleAliases &aliases);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_RESULTSTOOUTPARAMS_H
