//===- PlanVerifierArrivals.h - States at the nodes -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of blocks that surely runs is left as its header is entered from
// within. The header keeps that apart from how the loop is entered:
//
//   ^entry -> ^header <-> ^body        ^exit sees what ^body leaves, never what
//             ^header  -> ^exit        comes from ^entry alone
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_ANALYSIS_PLANVERIFIERARRIVALS_H
#define MEMPLAN_LIB_ANALYSIS_PLANVERIFIERARRIVALS_H

#include "PlanVerifierLoops.h"
#include "PlanVerifierState.h"

namespace memplan::planverifier {

/// The states in which control comes to the nodes of a graph.
class Arrivals {
public:
  Arrivals(const Model &model, Loops &loops, RefSets &sets);

  /// Adds the state in which control comes from a node to another. Returns true
  /// if anything is new.
  bool add(unsigned from, unsigned target, const StateMap &state);

  bool isReached(unsigned node) const { return all[node].isReached; }
  StateMap &at(unsigned node) { return all[node].state; }

  /// Where control goes on after the last iteration of the loop of blocks of
  /// which a node is the header; null for other nodes.
  mlir::Block *getExit(unsigned node) const;

  /// The states in which control comes to such a node from within the loop, if
  /// it does.
  const StateMap *getLast(unsigned node) const;

private:
  struct Arrival {
    StateMap state;
    bool isReached = false;
  };
  struct Last {
    mlir::Block *exit;
    Arrival arrival;
  };
  bool add(Arrival &arrival, const StateMap &state);

  const Model &model;
  Loops &loops;
  RefSets &sets;
  std::vector<Arrival> all;
  llvm::DenseMap<unsigned, Last> lasts;
};

} // namespace memplan::planverifier

#endif // MEMPLAN_LIB_ANALYSIS_PLANVERIFIERARRIVALS_H
