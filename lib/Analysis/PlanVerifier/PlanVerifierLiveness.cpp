//===- PlanVerifierLiveness.cpp - Which handles are still used ------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierLiveness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>

using namespace mlir;

namespace memplan::planverifier {

//===----------------------------------------------------------------------===//
// Cuts
//===----------------------------------------------------------------------===//

/// `edges` are pairs of blocks between which there are others, the earlier one
/// first; all that is behind it and before the other one is a span.
void BlockCuts::findSpans(Cuts &cuts, ArrayRef<std::pair<int, int>> edges) {
  int size = static_cast<int>(cuts.blocks.size());
  // By the block before, the larger ones first.
  std::vector<SmallVector<int, 2>> lastOf(size);
  for (auto [before, behind] : edges)
    lastOf[before].push_back(behind - 1);
  cuts.spans.push_back({-1, size - 1, -1, {}});
  int open = 0;
  for (int i = 0; i < size; ++i) {
    while (cuts.spans[open].last < i)
      open = cuts.spans[open].around;
    cuts.spanOf.push_back(open);
    cuts.spans[open].blocks.push_back(i);
    llvm::sort(lastOf[i], std::greater<>());
    // Those that begin here are around the next block, not this one.
    for (int last : lastOf[i]) {
      int around = open;
      while (cuts.spans[around].last <= i)
        around = cuts.spans[around].around;
      if (cuts.spans[around].last < last) {
        cuts.spanOf.clear();
        return;
      }
      cuts.spans.push_back({i, last, around, {}});
      open = static_cast<int>(cuts.spans.size()) - 1;
    }
  }
}

const BlockCuts::Cuts &BlockCuts::get(Region *region) {
  auto [it, isNew] = regions.try_emplace(region);
  Cuts &cuts = it->second;
  if (!isNew)
    return cuts;
  for (Block &block : *region) {
    numbers[&block] = static_cast<int>(cuts.blocks.size());
    cuts.blocks.push_back(&block);
  }
  std::vector<std::pair<int, int>> edges;
  int exits = 0;
  for (auto [i, block] : llvm::enumerate(cuts.blocks)) {
    int from = static_cast<int>(i);
    cuts.exits.push_back(exits);
    exits += block->getNumSuccessors() == 0;
    for (Block *successor : block->getSuccessors()) {
      int to = numbers.lookup(successor);
      if (to > from + 1)
        edges.emplace_back(from, to);
      // An edge back leads past the block that it comes from, too.
      if (to < from)
        edges.emplace_back(to, from + 1);
    }
  }
  findSpans(cuts, edges);
  return cuts;
}

int BlockCuts::getNumber(Block *block) {
  get(block->getParent());
  return numbers.lookup(block);
}

BlockCuts::Stretch BlockCuts::findStretch(Region *region, int from, int to) {
  const Cuts &cuts = get(region);
  if (cuts.spanOf.empty())
    return {};
  // Of the spans around `to` the innermost that does not begin after `from`.
  int span = cuts.spanOf[to];
  while (cuts.spans[span].before > from)
    span = cuts.spans[span].around;
  const std::vector<int> &blocks = cuts.spans[span].blocks;
  auto begin = std::upper_bound(blocks.begin(), blocks.end(), from);
  auto end = std::upper_bound(blocks.begin(), blocks.end(), to);
  if (end - begin < 2 || cuts.exits[*begin] != cuts.exits[*(end - 1)])
    return {};
  return {*begin, *(end - 1)};
}

//===----------------------------------------------------------------------===//
// Last uses
//===----------------------------------------------------------------------===//

bool Liveness::isLiveIn(unsigned handle, Block *block) const {
  if (auto it = liveIn.find(block);
      it != liveIn.end() &&
      std::binary_search(it->second.begin(), it->second.end(), handle))
    return true;
  auto it = through.find(handle);
  return it != through.end() && it->second.region == block->getParent() &&
         it->second.stretch.contains(cuts.getNumber(block));
}

void Liveness::add(unsigned handle, Block *home, ArrayRef<Operation *> uses) {
  Region *region = home->getParent();
  // The last use in each block.
  llvm::SmallDenseMap<Block *, Operation *> last;
  for (Operation *use : uses) {
    Operation *local = region->findAncestorOpInRegion(*use);
    if (!local)
      continue;
    Operation *&latest = last[local->getBlock()];
    if (!latest || latest->isBeforeInBlock(local))
      latest = local;
  }
  // The blocks entered with a use to come; those that control goes through as a
  // whole on its way to the last one are not looked at one by one.
  SmallVector<Block *> worklist;
  BlockCuts::Stretch whole;
  if (!region->hasOneBlock() && !last.empty()) {
    int end = 0;
    for (auto [block, op] : last)
      end = std::max(end, cuts.getNumber(block));
    whole = cuts.findStretch(region, cuts.getNumber(home), end);
  }
  bool goesThrough = whole.begin < whole.end;
  auto isWhole = [&](Block *block) {
    return goesThrough && whole.contains(cuts.getNumber(block));
  };
  auto addPredecessors = [&](Block *block) {
    for (Block *pred : block->getPredecessors()) {
      if (isWhole(pred))
        continue;
      last.erase(pred);
      if (pred != home)
        worklist.push_back(pred);
    }
  };
  if (goesThrough) {
    through[handle] = {region, whole};
    SmallVector<Block *> inside;
    for (auto [block, op] : last)
      if (isWhole(block))
        inside.push_back(block);
    for (Block *block : inside)
      last.erase(block);
  }
  for (auto [block, op] : last)
    if (block != home)
      worklist.push_back(block);
  if (goesThrough)
    addPredecessors(cuts.getBlock(region, whole.begin));
  llvm::SmallSetVector<Block *, 8> live;
  while (!worklist.empty()) {
    Block *block = worklist.pop_back_val();
    if (!live.insert(block))
      continue;
    liveIn[block].push_back(handle);
    addPredecessors(block);
  }
  for (auto [block, op] : last)
    lastUses[op].push_back(handle);
  if (region->hasOneBlock())
    return;
  auto findDying = [&](Block *block) {
    llvm::SmallPtrSet<Block *, 4> seen;
    for (Block *successor : block->getSuccessors())
      if (!live.contains(successor) && !isWhole(successor) &&
          seen.insert(successor).second)
        dying[{block, successor}].push_back(handle);
  };
  findDying(home);
  for (Block *block : live)
    if (block != home)
      findDying(block);
}

} // namespace memplan::planverifier
