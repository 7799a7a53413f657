//===- Exact.cpp - The least arena, with proof ----------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds and proves the least arena or, given a capacity, finds a plan within it
// or proves that there is none. The greedy orders run first, then complete
// searches between the bound and the best plan until the two meet.
//
// Source and rules: TreeSearch.h, DisjunctiveSearch.h, Minimize.h.
// Complexity: exponential in the worst case. At a node or time limit, it ends
// with the best plan and the bound so far. Tie-breaks: the searches form one
// fixed sequence, and the first one that ends with a result counts.
//
//===----------------------------------------------------------------------===//

#include "Strategies/Auto.h"

#include "Search/Minimize.h"
#include "Strategies/Greedy.h"

using namespace memplan;
using namespace memplan::detail;

std::string detail::solveExact(const Model &model, int64_t goal,
                               Standing &standing, SearchControl &control) {
  GreedyResult greedy = runGreedyOrders(model, std::max(goal, standing.bound),
                                        control.deadline());
  takeBetter(std::move(greedy.best), standing.best);
  control.report(standing.best.height, standing.bound);
  int64_t before = standing.best.height;
  minimize(model, goal, standing, control);
  if (goal >= 0 && standing.bound > goal)
    return "search exhausted";
  if (standing.best.height <= std::max(goal, standing.bound))
    return before == standing.best.height && control.nodes() == 0
               ? greedy.winner + " meets the lower bound"
               : "search complete";
  if (standing.tooLarge)
    return "too large for complete search";
  return control.limitName();
}
