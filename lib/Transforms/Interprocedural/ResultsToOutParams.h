//===- ResultsToOutParams.h - Find fresh results ----------------*- C++ -*-===//
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

/// A deallocation, or a part of one, that can only free or retain one result.
struct FreshFree {
  mlir::Operation *op = nullptr;
  /// The numbers of its operands, memrefs and retained ones, that are this
  /// result; empty unless the op is a bufferization.dealloc.
  llvm::SmallVector<unsigned, 2> operands;
};

/// A fresh result: one memref of the caller can hold it.
struct OutParamResult {
  unsigned number = 0;
  /// The allocations that the result may be, all of one type. The caller's
  /// memref replaces them.
  llvm::SmallVector<mlir::memref::AllocOp> members;
  /// The deallocations that may free a member or retain it.
  llvm::SmallVector<FreshFree> frees;
};

/// Removes the deallocations of the results.
void removeFrees(llvm::ArrayRef<OutParamResult> results);

/// The largest alignment that a member asks for; null if none does.
mlir::IntegerAttr findAlignment(const OutParamResult &result);

/// The fresh results of a function, in ascending order. Such a result is one
/// allocation of the entry block, or one of several allocations of which no two
/// instances are live at once. It is not also another result, and no op keeps
/// it.
llvm::SmallVector<OutParamResult>
findOutParamResults(mlir::func::FuncOp function, const ModuleAliases &aliases);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_RESULTSTOOUTPARAMS_H
