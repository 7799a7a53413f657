//===- PlaceArenas.h - Place arenas in memory -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H
#define MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H

#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Transforms/OptionParsers.h"

#include "llvm/ADT/StringMap.h"

namespace memplan {

struct PlacementOptions {
  ArenaPlacement placement = ArenaPlacement::Alloc;
  /// Exceptions from `placement`, by memory space as formatSpace() prints it;
  /// the default space is "".
  llvm::StringMap<ArenaPlacement> bySpace = {};
  /// The most bytes of an arena on the stack.
  int64_t allocaLimit = 0;
  /// An arena that cannot be placed as asked is an error, not a remark.
  bool isRequired = false;
};

/// Makes options from those of a pass. `spaceArenas` are pairs such as
/// "1:global". Emits an error at `loc` and fails if one is not, if one names a
/// space twice, or if there are some with ArenaPlacement::Argument.
mlir::FailureOr<PlacementOptions>
makePlacementOptions(mlir::Location loc, ArenaPlacement placement,
                     llvm::ArrayRef<std::string> spaceArenas,
                     int64_t allocaLimit, bool isRequired);

/// Sets ArenaProblem::memory of solved problems, except for arenas that callers
/// provide. With ArenaPlacement::Alloc or Alloca an arena whose buffers were
/// all on the stack is on the stack, whatever its size. An arena that cannot be
/// placed as asked is on the heap (or on that stack), with a remark; with
/// `isRequired` this emits an error and fails.
mlir::LogicalResult placeArenas(llvm::MutableArrayRef<FunctionProblem> problems,
                                const ModuleAliases &aliases,
                                const PlacementOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H
