//===- Overwrites.h - Contents that are overwritten unread ------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_OVERWRITES_H
#define MEMPLAN_LIB_ANALYSIS_OVERWRITES_H

#include "memplan/Analysis/Lifetimes.h"

namespace memplan {

/// Where the contents of the allocation are needed: from each op that reads it,
/// or writes a part of it, back over control flow to ops that write all of it
/// and read nothing of it. These are copies to it, linalg ops that write each
/// of its elements once and do not use what it held, and nests of which one
/// store writes each element and that do nothing else with it
/// (findOverwritingNest). Nothing if no op does, if a name may be other memory
/// too, if work on it goes on behind an op, or if it lives through too many
/// blocks.
///
///     fill %a         |
///     use %a          |
///     ...                  nobody reads what is in %a now
///     copy %b to %a   |
///     use %a          |
///
/// Cost: that of the accesses, and of at most a constant number of blocks.
std::optional<LiveRanges>
findNeededRanges(mlir::Operation *allocation,
                 llvm::ArrayRef<AliasGraph::Id> aliases,
                 const LifetimeAnalysis &lifetimes, const AliasGraph &graph,
                 const ProgramOrder &order);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_OVERWRITES_H
