//===- CapacitySearch.h - Many tree searches at one capacity -- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One capacity, many tree searches: rankings in round robin with a node budget
// that doubles every round, and between them many short searches that learn.
// Each counts the buffers for which it found no place, and the next ones rank
// these higher; a little noise sees to it that no two are alike.
//
// Source of the weights: F. Boussemart et al., "Boosting Systematic Search by
// Weighting Constraints", ECAI 2004; with restarts, as there is no order of
// variables to change within a search.
//
// The searches form one fixed sequence of batches, and those of one batch learn
// from the batches before. The result is that of the first search of the
// sequence with a verdict, and the node count that of the searches up to it, so
// threads that work at once on a batch change nothing but the time.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_CAPACITYSEARCH_H
#define MEMPLAN_LIB_CORE_CAPACITYSEARCH_H

#include "Search/SearchControl.h"
#include "Search/SearchOrders.h"
#include "Search/TreeSearch.h"

#include <cstdint>
#include <vector>

namespace memplan::detail {

class CapacitySearch {
public:
  explicit CapacitySearch(const Model &model);

  /// Runs round number `round` (budget doubling with it) at the capacity.
  /// Limit when no search of the round had a verdict or the control ran out.
  SearchOutcome runRound(int64_t capacity, unsigned round,
                         SearchControl &control);

  /// Runs the first, plain ranking alone with the given budget.
  SearchOutcome runOnce(int64_t capacity, int64_t nodeLimit,
                        SearchControl &control);

  /// After Found: an offset for every buffer of the model.
  const std::vector<int64_t> &offsets() const { return found; }

private:
  struct Task {
    uint32_t order;
    uint64_t perturbation; ///< 0: none.
    int64_t nodeLimit;
    SearchOutcome outcome = SearchOutcome::Limit;
    int64_t nodes = 0;
    std::vector<uint32_t> failures = {};
  };
  SearchOutcome run(int64_t capacity, std::vector<Task> tasks,
                    SearchControl &control);
  SearchOutcome runBatch(int64_t capacity, Task *tasks, size_t count,
                         SearchControl &control);
  void learn(const Task &task);
  std::vector<double> weights() const;

  SearchSpace space;
  SearchOrders orders;
  std::vector<int64_t> found;
  /// By item: how often searches failed for it, the late ones counting more.
  std::vector<double> failures;
  /// How many perturbed rankings have been handed out: no two are alike.
  uint64_t perturbations = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_CAPACITYSEARCH_H
