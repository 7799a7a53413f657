//===- Dot.h - Op graphs as pictures ----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_DOT_H
#define MEMPLAN_GRAPH_DOT_H

#include "memplan/Graph/OpGraph.h"

#include <string>

namespace memplan::graph {

/// The graph in Graphviz's language: ops are boxes, coloured by cost class,
/// inputs and constants ellipses, outputs diamonds; edges carry values with
/// their bytes, views dashed, effects dotted. With a schedule, ops are numbered
/// by the times they run. Linear.
std::string formatDot(const OpGraph &graph, const Schedule *schedule = nullptr);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_DOT_H
