//===- SpaceRows.h - Functions as rows of accesses --------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_SPACEROWS_H
#define MEMPLAN_LIB_TRANSFORMS_SPACEROWS_H

#include "memplan/Analysis/FunctionProblem.h"
#include "memplan/Core/Spaces.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"

namespace memplan {

/// The two memory spaces; null is the default one.
struct SpacePair {
  mlir::Attribute fast, slow;
};

/// An allocation that may move between the spaces.
struct MovableBuffer {
  mlir::Operation *allocation;
  struct Access {
    /// The op of the allocation's block that the uses are in.
    mlir::Operation *place;
    llvm::SmallVector<mlir::OpOperand *, 2> uses;
  };
  /// Those of the problem. One access stands for all if a loop writes a part of
  /// the buffer: it is then in one space all the time.
  std::vector<Access> accesses;
  /// memref.dealloc of it, in its block; null if there is none.
  mlir::Operation *deallocation = nullptr;

  mlir::MemRefType getType() const {
    return mlir::cast<mlir::MemRefType>(allocation->getResult(0).getType());
  }
};

/// An allocation of one of the spaces that stays where it is.
struct StayingBuffer {
  mlir::Operation *allocation;
  /// Why, as a predicate ("is returned").
  std::string reason;
  /// The op that is the reason; may be null.
  mlir::Operation *culprit;
};

struct SpaceRows {
  SpaceProblem problem;
  /// The first buffers of the problem. Others are memory of the fast space that
  /// does not move: allocations, and frames of callees.
  std::vector<MovableBuffer> movable;
  std::vector<StayingBuffer> staying;
};

/// The rows of a function with a body, without costs and capacity.
/// `calleeBytes` has the bytes of the fast space that functions of the module
/// need while they run. The alignment of a piece is at least `alignment` bytes.
SpaceRows
buildSpaceRows(mlir::FunctionOpInterface function, const ModuleAliases &aliases,
               const FunctionProblem &lifetimes, const SpacePair &spaces,
               int64_t alignment,
               const llvm::DenseMap<mlir::Operation *, int64_t> &calleeBytes);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_SPACEROWS_H
