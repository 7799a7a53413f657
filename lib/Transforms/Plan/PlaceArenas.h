//===- PlaceArenas.h - Place arenas in memory -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H
#define MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H

#include "memplan/Analysis/BuildProblem.h"
#include "memplan/Transforms/OptionParsers.h"

#include "llvm/ADT/StringMap.h"

namespace memplan {

/// Sets ArenaProblem::memory of solved problems, except for arenas that callers
/// provide. With ArenaPlacement::Alloc or Alloca an arena whose buffers were
/// all on the stack is on the stack, whatever its size. An arena that cannot be
/// placed as asked is on the heap (or on that stack), with a remark; with
/// `isRequired` this emits an error and fails.
mlir::LogicalResult placeArenas(llvm::MutableArrayRef<FunctionProblem> problems,
                                const ModuleAliases &aliases,
                                const ArenaPlaces &places, bool isRequired);

} // namespace memplan

#endif // MEMPLAN_LIB_TRANSFORMS_PLACEARENAS_H
