//===- Repeat.h - Ops that may run twice ------------------------*- C++ -*-===//
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

/// By op: it has an effect edge from or to another op, writes in place, or
/// reads memory that is overwritten later. Linear.
std::vector<bool> effectOrdered(const OpGraph &graph);

/// As whyNotRepeatable of Partition.h, with the entry of effectOrdered for the
/// op. O(1).
std::string whyNotRepeatable(const OpGraph &graph, OpId op, bool isOrdered);

/// By op: whyNotRepeatable returns an empty text. Linear.
std::vector<bool> repeatable(const OpGraph &graph);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_CUT_REPEAT_H
