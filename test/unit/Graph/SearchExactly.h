//===- SearchExactly.h - Exhaustive search for repeats ----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_UNIT_GRAPH_SEARCHEXACTLY_H
#define MEMPLAN_TEST_UNIT_GRAPH_SEARCHEXACTLY_H

#include "Recompute/RepeatModel.h"

#include <cstdint>

namespace memplan::graph::test {

enum class ExactStatus { Found, Infeasible, Limit };

struct ExactResult {
  ExactStatus status;
  Sequence sequence;
};

/// The sequence within the budget with the fewest additional FLOPs, then with
/// the lowest peak, by Dijkstra's algorithm; a state is the set of live items
/// and the set of nodes that have run. `steps` limits the number of states.
ExactResult searchExactly(const RepeatModel &model, int64_t budget,
                          int64_t steps);

} // namespace memplan::graph::test

#endif // MEMPLAN_TEST_UNIT_GRAPH_SEARCHEXACTLY_H
