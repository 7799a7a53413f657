//===- FindRotation.h - Loops that can rotate buffers -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_FINDROTATION_H
#define MEMPLAN_LIB_ANALYSIS_FINDROTATION_H

#include "memplan/Analysis/PlanningProblem.h"

namespace memplan {

/// Looks for a way to plan a group of buffers that a loop carries and that
/// interfere, so that they need a slot for each that is live at once.
///
/// The loop is an scf.for or affine.for; every buffer it carries in the group
/// is yielded as one of the carried buffers or as one of the allocations at the
/// top of its body, each at most once. Two cases:
///   - what the loop starts with are allocations of the group, dead once the
///     loop begins: carried and fresh buffers permute among their slots;
///   - whatever it starts with, all carried buffers are replaced by fresh ones:
///     these alternate between two slots each.
/// On success sets lifetime, slot and spare of the records concerned; those of
/// the group that are not part of the rotation keep an empty lifetime and are
/// to be derived alone. `aliases` are those of all records.
std::optional<Rotation>
findRotation(FunctionProblem &problem, llvm::ArrayRef<unsigned> group,
             llvm::ArrayRef<std::vector<AliasGraph::Id>> aliases,
             const ProgramOrder &order, const AliasGraph &graph,
             LifetimeAnalysis &lifetimes);

} // namespace memplan

#endif // MEMPLAN_LIB_ANALYSIS_FINDROTATION_H
