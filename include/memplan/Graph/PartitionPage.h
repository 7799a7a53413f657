//===- PartitionPage.h - Partitions as HTML pages ---------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_PARTITIONPAGE_H
#define MEMPLAN_GRAPH_PARTITIONPAGE_H

#include "memplan/Graph/Partition.h"
#include "memplan/Graph/Rematerialize.h"

namespace memplan::graph {

/// A self-contained HTML page. It shows both functions in the order in which
/// their ops run, the forward function downwards and the backward function
/// upwards, with the saved values and their bytes in between; and tables of the
/// saved values and of the ops that are recomputed. If `curve` has points, it
/// also shows the cost of budgets for the joint graph: the peak in bytes
/// against the additional FLOPs. Of functions of more than 400 ops it draws
/// only ops that make, use or recompute saved values, and no more than 400.
std::string partitionHtml(const OpGraph &graph, const Partition &partition,
                          const std::vector<RematerializePoint> &curve = {});

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PARTITIONPAGE_H
