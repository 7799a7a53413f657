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

/// The ops and saved values of the two functions of a cut; each list is in
/// program order.
struct Functions {
  std::vector<ValueId> saved;
  Schedule forward, backward;
  /// The ops that both functions run.
  std::vector<OpId> shared;
};

/// Finds both functions; ops and saved values that neither function needs are
/// left out. Linear.
Functions extractFunctions(const OpGraph &graph, const Sides &sides,
                           const Cut &cut);

/// The ops of the backward function with recomputed ones right before their
/// first use (as PyTorch's reordering_to_mimic_autograd_engine). Linear.
Schedule lateOrder(const OpGraph &graph, const Sides &sides,
                   const Schedule &backward);

} // namespace memplan::graph

#endif // MEMPLAN_LIB_GRAPH_CUT_EXTRACT_H
