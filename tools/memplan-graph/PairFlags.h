//===- PairFlags.h - Options for pairs of graphs ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_MEMPLANGRAPH_PAIRFLAGS_H
#define MEMPLAN_TOOLS_MEMPLANGRAPH_PAIRFLAGS_H

#include "common/CommandLine.h"
#include "memplan/Graph/Pair.h"

#include <string>
#include <vector>

namespace memplan::tool {

/// --backward and --saved.
void addPairFlags(CommandLine &commandLine, std::string &backward,
                  std::vector<std::string> &saved);

struct GraphPair {
  graph::OpGraph forward, backward;
  graph::Schedule forwardSchedule, backwardSchedule;
  std::vector<graph::SavedValue> saved;
};

/// Reads both graphs and pairs the saved values, by equal ids and by the
/// options `saved`. On failure prints an error and returns false.
bool loadPair(const std::string &forward, const std::string &backward,
              const std::vector<std::string> &saved, GraphPair &pair);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_MEMPLANGRAPH_PAIRFLAGS_H
