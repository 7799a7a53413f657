//===- PlaceArenas.h - Heap, stack, argument or global ----------*- C++ -*-===//
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
  /// Other placements, by memory space as formatSpace() writes it, empty for
  /// the default one.
  llvm::StringMap<ArenaPlacement> bySpace = {};
  /// Bytes that an arena on the stack may have.
  int64_t allocaLimit = 0;
  /// An arena that cannot be where `placement` says is an error.
  bool isRequired = false;
};

/// Options of which `spaceArenas` are pairs such as 1:global. Emits an error at
/// `loc` where these make no sense.
mlir::FailureOr<PlacementOptions>
makePlacementOptions(mlir::Location loc, ArenaPlacement placement,
                     llvm::ArrayRef<std::string> spaceArenas,
                     int64_t allocaLimit, bool isRequired);

/// Settles where the arenas of solved problems are that no caller hands in.
/// One whose buffers were all on the stack stays there whatever its size,
/// unless it is to be elsewhere. An arena that cannot be where the options say
/// is on the heap, and a remark or an error says why.
mlir::LogicalResult placeArenas(llvm::MutableArrayRef<FunctionProblem> problems,
                                const ModuleAliases &aliases,
                                const PlacementOptions &options);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H
