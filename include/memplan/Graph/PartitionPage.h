//===- PartitionPage.h - A page about a partition ---------------*- C++ -*-===//
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

/// A page for browsers, in one piece and without scripts: both functions in the
/// order they run, the forward function downwards and the backward function
/// upwards, what is saved between them with its bytes, and, if `curve` has
/// points, what budgets of the joint graph cost (bytes of the peak against
/// additional FLOPs). Of functions of more than 400 ops only those are drawn
/// that make, use or recompute what is saved.
std::string partitionHtml(const OpGraph &graph, const Partition &partition,
                          const std::vector<RematerializePoint> &curve = {});

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_PARTITIONPAGE_H
