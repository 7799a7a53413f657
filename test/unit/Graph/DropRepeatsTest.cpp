//===- DropRepeatsTest.cpp - Removal of unnecessary repeats ---------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomGraph.h"
#include "Recompute/Searches.h"
#include "memplan/Graph/Rematerialize.h"

#include <gtest/gtest.h>

using namespace memplan::graph;
using namespace memplan::graph::test;

namespace {

/// The reference: the same, but with the peak of the whole sequence computed
/// each time.
Sequence dropOneByOne(const RepeatModel &model, Sequence sequence,
                      int64_t budget) {
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    std::vector<bool> hasRun(model.nodes.size());
    std::vector<std::pair<int64_t, size_t>> repeats;
    for (size_t p = 0; p < sequence.size(); ++p) {
      if (hasRun[sequence[p]])
        repeats.push_back({-model.nodes[sequence[p]].flops, p});
      hasRun[sequence[p]] = true;
    }
    std::sort(repeats.begin(), repeats.end());
    std::vector<size_t> gone;
    for (auto [flops, p] : repeats) {
      Sequence shorter;
      for (size_t k = 0; k < sequence.size(); ++k)
        if (k != p && std::find(gone.begin(), gone.end(), k) == gone.end())
          shorter.push_back(sequence[k]);
      if (model.peakOf(shorter) <= budget)
        gone.push_back(p);
    }
    hasChanged = !gone.empty();
    std::sort(gone.rbegin(), gone.rend());
    for (size_t p : gone)
      sequence.erase(sequence.begin() + static_cast<std::ptrdiff_t>(p));
  }
  return sequence;
}

TEST(DropRepeats, DropsWhatThePeakOfTheWholeAllows) {
  size_t numDropped = 0, numKept = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    RandomGraph random(seed);
    MemoryOptions options = budgetMemory();
    options.takeTies = seed % 2 == 0;
    RepeatModel model(random.graph, random.schedule, options);
    std::mt19937 draw(seed);
    for (RepeatModel::Node &node : model.nodes)
      node.flops = static_cast<int64_t>(draw() % 5);
    Sequence sequence;
    for (uint32_t n : model.toSequence(random.schedule)) {
      sequence.push_back(n);
      while (draw() % 2 == 0)
        sequence.push_back(sequence[draw() % sequence.size()]);
    }
    int64_t budget = model.peakOf(sequence) + static_cast<int64_t>(draw() % 60);
    Sequence expected = dropOneByOne(model, sequence, budget);
    numDropped += sequence.size() - expected.size();
    int64_t steps = 0;
    dropRepeats(model, sequence, budget, steps);
    ASSERT_EQ(sequence, expected) << "seed " << seed;
    numKept += sequence.size() - model.nodes.size();
  }
  EXPECT_GT(numDropped, 1000u);
  EXPECT_GT(numKept, 1000u);
}

} // namespace
