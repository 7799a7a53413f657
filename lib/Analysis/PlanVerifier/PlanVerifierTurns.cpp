//===- PlanVerifierTurns.cpp - Buffers that take turns --------------------
//===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierTurns.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace memplan::planverifier {

Turns::Turns(const Model &model, ArrayRef<unsigned> componentOf,
             const std::vector<bool> &isLoop)
    : model(model), turnOf(model.handles.size()) {
  // What flows into what while control stays in a loop.
  std::vector<Successors> next(model.handles.size());
  auto add = [&](ArrayRef<Binding> bindings) {
    for (const Binding &binding : bindings)
      for (int source : binding.sources)
        if (source != kForeign &&
            model.handles[source].kind == HandleKind::Merged)
          next[source].push_back(binding.target);
  };
  for (unsigned node = 0; node != model.nodes.size(); ++node) {
    if (!isLoop[componentOf[node]])
      continue;
    for (const Event &event : model.nodes[node].events)
      add(event.bindings);
    for (const Edge &edge : model.nodes[node].edges)
      if (componentOf[edge.target] == componentOf[node])
        add(edge.bindings);
  }
  auto all = llvm::to_vector(llvm::seq<unsigned>(0, model.handles.size()));
  for (const Component &turn : findComponents(next, all)) {
    for (unsigned handle : turn)
      turnOf[handle] = refsOf.size();
    refsOf.push_back(nullptr);
  }
}

void Turns::add(Entries &bound, RefSets &sets) {
  for (auto &[handle, entry] : bound) {
    const RefSet *&refs = refsOf[turnOf[handle]];
    if (!refs)
      refs = sets.get(model.handles[handle].slots, /*former=*/IdSet());
    if (entry.refs)
      refs = sets.join(refs, entry.refs);
  }
  for (auto &[handle, entry] : bound)
    entry.refs = refsOf[turnOf[handle]];
}

} // namespace memplan::planverifier
