//===- PlanVerifierEnds.cpp - Lifetimes that end twice --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where paths join on which a buffer is live and is not, or has ended here and
// there, an end for all of them may do nothing. But where one end dominates
// another, and nothing starts the lifetime anew in between, one of the two is
// in the wrong place. What a region did, or one of several of which a constant
// says that it is entered, is a path like others for what comes after.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierDataflow.h"

#include "memplan/IR/Memplan.h"

#include "mlir/IR/Dominance.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"

#include <set>

using namespace mlir;

namespace memplan::planverifier {
namespace {

/// A forward analysis: which ends lie on all ways to a node, with no start of
/// the slot behind them? Only slots with several are looked at.
class Ends {
public:
  Ends(const Model &model, Reporter &reporter)
      : model(model), reporter(reporter) {
    llvm::MapVector<unsigned, SmallVector<Operation *>> found;
    for (const Node &node : model.nodes)
      for (const Event &event : node.events)
        if (isa<LifetimeEndOp>(event.op))
          found[event.handle].push_back(event.op);
    for (auto &[handle, ops] : found) {
      if (ops.size() < 2)
        continue;
      auto first = static_cast<unsigned>(ends.size());
      llvm::append_range(ends, ops);
      columns[handle] = {first, static_cast<unsigned>(ends.size())};
    }
  }

  void run() {
    if (ends.empty())
      return;
    in.resize(model.nodes.size());
    in[0].resize(ends.size());
    std::set<unsigned> pending{0};
    while (!pending.empty()) {
      unsigned node = *pending.begin();
      pending.erase(pending.begin());
      llvm::BitVector passed = runNode(node, /*report=*/false);
      for (const Edge &edge : model.nodes[node].edges) {
        llvm::BitVector &next = in[edge.target];
        if (next.empty())
          next = passed;
        else if (next.test(passed))
          next &= passed;
        else
          continue;
        pending.insert(edge.target);
      }
    }
    for (unsigned node = 0; node < model.nodes.size(); ++node)
      if (!in[node].empty())
        runNode(node, /*report=*/true);
  }

private:
  llvm::BitVector runNode(unsigned node, bool report) {
    llvm::BitVector passed = in[node];
    for (const Event &event : model.nodes[node].events) {
      auto it = columns.find(event.handle);
      if (it == columns.end())
        continue;
      auto [first, last] = it->second;
      if (event.kind == EventKind::Start || event.kind == EventKind::Place)
        passed.reset(first, last);
      if (event.kind != EventKind::End)
        continue;
      if (report)
        check(event, passed, first, last);
      for (unsigned i = first; i < last; ++i)
        if (ends[i] == event.op)
          passed.set(i);
    }
    return passed;
  }

  /// Names one earlier end, the closest as a rule.
  void check(const Event &event, const llvm::BitVector &passed, unsigned first,
             unsigned last) {
    for (unsigned i = last; i-- > first;)
      if (passed.test(i) && ends[i] != event.op &&
          dominance.properlyDominates(ends[i], event.op))
        return reporter.endAgain(event.op, ends[i], event.handle);
  }

  const Model &model;
  Reporter &reporter;
  DominanceInfo dominance;
  std::vector<Operation *> ends;
  /// Where the ends of a slot are among them.
  llvm::DenseMap<unsigned, std::pair<unsigned, unsigned>> columns;
  /// By node; empty where control has not got to.
  std::vector<llvm::BitVector> in;
};

} // namespace

void checkEnds(const Model &model, Reporter &reporter) {
  Ends(model, reporter).run();
}

} // namespace memplan::planverifier
