//===- CapacitySearch.h - Many tree searches at one capacity -- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs many tree searches at one capacity. The rankings of SearchOrders are
// tried in round robin, with a node budget that doubles every round.
// Between them run many short searches with weighted rankings: each search
// counts for every item how often it failed there, and later searches rank the
// items with high counts first. Random noise makes all these rankings differ.
//
// Source of the weights: F. Boussemart et al., "Boosting Systematic Search by
// Weighting Constraints", ECAI 2004. The weights change only between searches,
// because a search keeps its ranking to the end.
//
// The searches form one fixed sequence of batches. The weights of a batch
// depend only on the batches before it. The result is that of the first search
// in the sequence that ends with Found or Exhausted, and the nodes that count
// are those of the searches up to it. So the number of threads, which run the
// searches of one batch at once, changes only the running time (unless a time
// limit ends the search).
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

  /// Runs round number `round`, the first of which is 0, at `capacity` bytes.
  /// Every round may spend about twice the nodes of the round before, and no
  /// more than `control` has left. Returns Limit if no search of the round
  /// ended with Found or Exhausted.
  SearchOutcome runRound(int64_t capacity, unsigned round,
                         SearchControl &control);

  /// Runs one search with the plain ranking 0 and at most `nodeLimit` nodes.
  SearchOutcome runOnce(int64_t capacity, int64_t nodeLimit,
                        SearchControl &control);

  /// After Found: an offset for every buffer of the model.
  const std::vector<int64_t> &offsets() const { return found; }

private:
  struct Task {
    uint32_t order;
    uint64_t perturbation; ///< The number of the noise; 0 for a plain ranking.
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
  /// By item: the number of failures, where old failures decay.
  std::vector<double> failures;
  /// The number of perturbed rankings so far, which seeds the next one.
  uint64_t perturbations = 0;
};

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_CAPACITYSEARCH_H
