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

/// The points at which the contents of the allocation are needed: from each op
/// that reads it, or writes a part of it, backwards over control flow to the
/// ops that overwrite all of it and read none of it. Such ops are copies to it,
/// linalg ops that write each element once without using the old one, and nests
/// in which one store writes each element and no other op accesses it
/// (findOverwritingNest). std::nullopt if no op overwrites it, if an alias may
/// also be other memory, if asynchronous work accesses it, or if it is live in
/// too many blocks.
///
///     fill %a         |
///     use %a          |
///     ...                  the contents of %a are not read any more
///     copy %b to %a   |
///     use %a          |
///
/// Cost: linear in the accesses, plus a bounded number of blocks.
std::optional<LiveRanges>
findNeededRanges(mlir::Operation *allocation,
                 llvm::ArrayRef<AliasGraph::Id> aliases,
                 const LifetimeAnalysis &lifetimes, const AliasGraph &graph,
                 const ProgramOrder &order);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_OVERWRITES_H
