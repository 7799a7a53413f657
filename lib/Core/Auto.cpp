//===- Auto.cpp - The best of the strategies ------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the constructive strategies from the one that most often meets the bound
// to the one that least often does, stops at the first plan that meets it, and
// keeps the smallest otherwise.
//
// Complexity: the sum of the strategies'. Tie-breaks: the earlier strategy of
// the list.
//
//===----------------------------------------------------------------------===//

#include "Auto.h"

#include "Strategies.h"

using namespace memplan;
using namespace memplan::detail;

AutoResult detail::solveAuto(const Model &model, int64_t bound) {
  struct Candidate {
    Strategy strategy;
    Placement (*run)(const Model &);
  };
  static constexpr Candidate candidates[] = {
      {Strategy::GreedyByBreadth, greedyByBreadth},
      {Strategy::GreedyBySize, greedyBySize},
      {Strategy::BestFit, bestFit},
      {Strategy::LinearScan, linearScan},
      {Strategy::Naive, naive},
  };
  AutoResult best;
  int tried = 0;
  for (const Candidate &candidate : candidates) {
    Placement placement = candidate.run(model);
    ++tried;
    if (tried == 1 || placement.height < best.placement.height) {
      best.placement = std::move(placement);
      best.winner = candidate.strategy;
    }
    if (best.placement.height <= bound)
      break;
  }
  best.message = "best of " + std::to_string(tried) + " strategies";
  if (best.placement.height <= bound)
    best.message += ", stopped at the lower bound";
  return best;
}
