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

const BlockCuts::Cuts &BlockCuts::get(Region *region) {
  auto [it, isNew] = regions.try_emplace(region);
  Cuts &cuts = it->second;
  if (!isNew)
    return cuts;
  for (Block &block : *region) {
    numbers[&block] = static_cast<int>(cuts.blocks.size());
    cuts.blocks.push_back(&block);
  }
  int size = static_cast<int>(cuts.blocks.size());
  // How far the blocks before each one lead, and how far back those from it on.
  std::vector<int> furthest(size, 0), lowest(size);
  int exits = 0, reach = 0;
  for (int i = 0; i < size; ++i) {
    furthest[i] = reach;
    cuts.exits.push_back(exits);
    exits += cuts.blocks[i]->getNumSuccessors() == 0;
    for (Block *successor : cuts.blocks[i]->getSuccessors())
      reach = std::max(reach, numbers.lookup(successor));
  }
  int low = size;
  for (int i = size - 1; i >= 0; --i) {
    for (Block *successor : cuts.blocks[i]->getSuccessors())
      low = std::min(low, numbers.lookup(successor));
    lowest[i] = low;
  }
  int last = 0;
  for (int i = 0; i < size; ++i) {
    if (furthest[i] <= i && lowest[i] >= i)
      last = i;
    cuts.before.push_back(last);
  }
  cuts.behind.assign(size, -1);
  for (int i = size - 2; i >= 0; --i)
    cuts.behind[i] = cuts.before[i + 1] == i + 1 ? i + 1 : cuts.behind[i + 1];
  return cuts;
}

int BlockCuts::getNumber(Block *block) {
  get(block->getParent());
  return numbers.lookup(block);
}

BlockCuts::Stretch BlockCuts::findStretch(Region *region, int from, int to) {
  const Cuts &cuts = get(region);
  int begin = cuts.behind[from], end = cuts.before[to];
  if (begin < 0 || begin >= end || cuts.exits[begin] != cuts.exits[end])
    return {};
  return {begin, end};
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
