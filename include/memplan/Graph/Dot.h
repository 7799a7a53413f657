//===- Dot.h - Op graphs in the DOT language --------------------*- C++ -*-===//
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

/// The graph in Graphviz's DOT language. Ops are boxes, coloured by cost class;
/// inputs and constants are ellipses, outputs are diamonds. Edges have the
/// values and their bytes; views are dashed and effects dotted. With a
/// schedule, the label of an op has the times at which it runs. Linear.
std::string formatDot(const OpGraph &graph, const Schedule *schedule = nullptr);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_DOT_H
