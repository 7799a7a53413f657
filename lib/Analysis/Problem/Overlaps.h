//===- Overlaps.h - Buffers that may share bytes ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_OVERLAPS_H
#define MEMPLAN_LIB_ANALYSIS_OVERLAPS_H

#include "memplan/Analysis/CongruentSizes.h"
#include "memplan/Analysis/FunctionProblem.h"

namespace memplan {

/// Lets a buffer begin at the bytes of one that ends with the same op, if the
/// op may overwrite them:
///
///             op
///   read    ====|
///   written   |====     and nowhere else are both live
///
/// A slot that several buffers share counts with all their ranges.
///
/// Adds the overlaps to the arenas of the problem, with their uses (`inPlace`).
void permitOverlaps(FunctionProblem &problem, const ModuleAliases &module,
                    const ProgramOrder &order, const AliasGraph &graph,
                    CongruentSizes &sizes);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_OVERLAPS_H
