//===- PlanVerifierArrivals.cpp - States at the nodes ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierArrivals.h"

using namespace mlir;

namespace memplan::planverifier {

Arrivals::Arrivals(const Model &model, Loops &loops, RefSets &sets)
    : model(model), loops(loops), sets(sets),
      all(model.nodes.size(), {StateMap(model.handles.size())}) {
  all[0].isReached = true;
  for (unsigned id = 0; id != model.nodes.size(); ++id) {
    const Node &node = model.nodes[id];
    // A header that holds ops with regions is several nodes.
    if (node.block->getParent()->hasOneBlock() || node.after || !node.last ||
        node.last != &node.block->back())
      continue;
    if (Block *exit = loops.getExit(node.block))
      lasts.insert({id, {exit, {StateMap(model.handles.size())}}});
  }
}

bool Arrivals::add(Arrival &arrival, const StateMap &state) {
  if (arrival.isReached)
    return joinState(arrival.state, state, model.handles, sets);
  arrival = {state, true};
  return true;
}

bool Arrivals::add(unsigned from, unsigned target, const StateMap &state) {
  bool changed = false;
  if (auto last = lasts.find(target);
      last != lasts.end() &&
      loops.contains(model.nodes[target].block, model.nodes[from].block))
    changed = add(last->second.arrival, state);
  return add(all[target], state) || changed;
}

Block *Arrivals::getExit(unsigned node) const {
  auto last = lasts.find(node);
  return last == lasts.end() ? nullptr : last->second.exit;
}

const StateMap *Arrivals::getLast(unsigned node) const {
  auto last = lasts.find(node);
  return last == lasts.end() || !last->second.arrival.isReached
             ? nullptr
             : &last->second.arrival.state;
}

} // namespace memplan::planverifier
