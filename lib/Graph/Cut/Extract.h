//===- Extract.h - The two functions of a cut -------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_GRAPH_CUT_EXTRACT_H
#define MEMPLAN_LIB_GRAPH_CUT_EXTRACT_H

#include "Cut/Sides.h"

namespace memplan::graph {

/// What the two functions of a cut are made of, each list in program order.
struct Functions {
  std::vector<ValueId> saved;
  Schedule forward, backward;
  /// Ops of both.
  std::vector<OpId> shared;
};

/// Leaves out what neither function needs, saved values too. Linear.
Functions extractFunctions(const OpGraph &graph, const Sides &sides,
                           const Cut &cut);

/// The ops of the backward function with recomputed ones right before their
/// first use (as PyTorch's reordering_to_mimic_autograd_engine). Linear.
Schedule lateOrder(const OpGraph &graph, const Sides &sides,
                   const Schedule &backward);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_CUT_EXTRACT_H
