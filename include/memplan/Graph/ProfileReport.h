//===- ProfileReport.h - Profiles as text, CSV and JSON ---------*- C++ -*-===//
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

/// The name of an allocation in reports: the id of its storage, with "run N"
/// from the second execution of its op on.
std::string allocationName(const OpGraph &graph, const Allocation &allocation);

/// Aligned text: the peak, the held origins, and the `top` largest allocations
/// that are live at the peak, with their origin and live range; with
/// `withEntries` every entry as well. If several memory spaces are in use,
/// there is one table for each. If sizes are symbolic, the live bytes at the
/// peak are also given as a formula.
std::string formatProfileText(const OpGraph &graph,
                              const MemoryProfile &profile, size_t top,
                              bool withEntries);

/// One line for each entry: time, phase, op, its name, live_bytes (with several
/// memory spaces also a column live_bytes[SPACE] for each), scratch_bytes,
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
