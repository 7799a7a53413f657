//===- FirstAccessDominator.cpp - Where a buffer begins to matter ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Points/FirstAccessDominator.h"

#include "mlir/IR/RegionGraphTraits.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace memplan;

/// The most blocks that are visited for one buffer.
constexpr size_t kMaxBlocks = 1024;

void FirstAccessDominator::number(Region *region) {
  for (auto scc = llvm::scc_begin(region); !scc.isAtEnd(); ++scc) {
    for (Block *block : *scc)
      componentOf[block] = {components, scc.hasCycle()};
    ++components;
  }
}

/// True if control may reach the block again without passing the block of the
/// allocation, or if it takes too long to find out.
bool FirstAccessDominator::mayRepeat(Block *block, Block *allocating) {
  Component own = componentOf.lookup(block);
  if (!own.isCycle)
    return false;
  if (componentOf.lookup(allocating).number != own.number)
    return true;
  SmallVector<Block *> reached{block};
  llvm::SmallPtrSet<Block *, 16> seen{allocating};
  for (size_t i = 0; i < reached.size(); ++i)
    for (Block *next : reached[i]->getSuccessors()) {
      if (next == block || reached.size() > kMaxBlocks)
        return true;
      if (componentOf.lookup(next).number == own.number &&
          seen.insert(next).second)
        reached.push_back(next);
    }
  return false;
}

/// Climbs from whichever block is higher in the dominator tree: blocks that are
/// far apart mostly have a common dominator close to it.
Block *FirstAccessDominator::findCommonDominator(ArrayRef<Block *> blocks) {
  auto &tree = dominance.getDomTree(blocks.front()->getParent());
  auto *found = tree.getNode(blocks.front());
  for (Block *block : blocks) {
    auto *other = tree.getNode(block);
    if (!found || !other)
      return nullptr;
    if (other->getLevel() < found->getLevel())
      std::swap(found, other);
    while (!tree.dominates(found, other))
      found = found->getIDom();
  }
  return found->getBlock();
}

FirstAccessDominator::Start
FirstAccessDominator::find(Block *allocating, ArrayRef<Block *> accessing,
                           llvm::function_ref<bool(Block *)> isLive) {
  Start none{allocating, {}};
  Region *region = allocating->getParent();
  if (region->hasOneBlock() || accessing.empty())
    return none;
  if (!componentOf.contains(allocating))
    number(region);
  auto &tree = dominance.getDomTree(region);
  Block *start = findCommonDominator(accessing);
  if (!start)
    return none;
  while (start != allocating && mayRepeat(start, allocating)) {
    if (!tree.getNode(start)->getIDom())
      return none;
    start = tree.getNode(start)->getIDom()->getBlock();
  }
  if (start == allocating || !tree.properlyDominates(allocating, start))
    return none;
  Start result{start, {}};
  llvm::SmallPtrSet<Block *, 16> seen{allocating};
  SmallVector<Block *> open{allocating};
  while (!open.empty())
    for (Block *next : open.pop_back_val()->getSuccessors()) {
      if (tree.dominates(start, next) || !seen.insert(next).second ||
          !isLive(next))
        continue;
      if (result.dead.size() == kMaxBlocks)
        return none;
      result.dead.push_back(next);
      open.push_back(next);
    }
  return result;
}
