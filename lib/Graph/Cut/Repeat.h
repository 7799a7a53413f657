//===- Repeat.h - Which ops may run twice -----------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_CUT_REPEAT_H
#define MEMPLAN_LIB_GRAPH_CUT_REPEAT_H

#include "memplan/Graph/OpGraph.h"

#include <string>
#include <vector>

namespace memplan::graph {

/// Per op, whether effects order it with another op, or it writes in place.
/// Linear.
std::vector<bool> effectOrdered(const OpGraph &graph);

/// whyNotRepeatable, with effectOrdered's answer for the op. O(1).
std::string whyNotRepeatable(const OpGraph &graph, OpId op, bool isOrdered);

/// Per op, whether whyNotRepeatable has nothing against it. Linear.
std::vector<bool> repeatable(const OpGraph &graph);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_CUT_REPEAT_H
