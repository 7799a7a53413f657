//===- ProfileReport.h - Profiles for people and programs -------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PROFILEREPORT_H
#define MEMPLAN_GRAPH_PROFILEREPORT_H

#include "memplan/Graph/Pair.h"
#include "memplan/Graph/Profile.h"

#include <cstddef>
#include <string>

namespace memplan::graph {

/// The name of an allocation in reports: its storage's id, with "run N" where
/// its op runs again.
std::string allocationName(const OpGraph &graph, const Allocation &allocation);

/// Aligned text: the peak, which roles are held, and the `top` largest
/// allocations live at the peak with where they come from and how long they
/// stay; with `withEntries` every entry as well. One table a memory space in
/// use where there are several. Where sizes are symbolic, the peak's live bytes
/// as a formula, too.
std::string formatProfileText(const OpGraph &graph,
                              const MemoryProfile &profile, size_t top,
                              bool withEntries);

/// One line an entry: time, phase, op, its name, live_bytes (and one column
/// live_bytes[SPACE] a memory space where there are several), scratch_bytes,
/// allocated, released (names separated by blanks), location.
std::string formatProfileCsv(const OpGraph &graph,
                             const MemoryProfile &profile);

/// An object {"format": "memplan.profile", "version": 1, ...}; see
/// docs/opgraph.md.
std::string formatProfileJson(const OpGraph &graph,
                              const MemoryProfile &profile);

/// The figures of the pair and both profiles.
std::string formatPairText(const OpGraph &forward, const PairProfile &pair,
                           size_t top, bool withEntries);

/// {"format": "memplan.pair_profile", "version": 1, ..., "forward": {...},
/// "backward": {...}}.
std::string formatPairJson(const OpGraph &forward, const PairProfile &pair);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PROFILEREPORT_H
