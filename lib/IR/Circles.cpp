//===- Circles.cpp - Values that depend on themselves ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Circles.h"

#include "mlir/IR/RegionKindInterface.h"
#include "llvm/ADT/DepthFirstIterator.h"

using namespace mlir;

/// The ops of unreachable blocks of the region that make values, in the order
/// of the text.
static SmallVector<Operation *> findUnreachable(Region &region) {
  if (region.hasOneBlock() || region.empty())
    return {};
  llvm::df_iterator_default_set<Block *> reached;
  for (Block *block : llvm::depth_first_ext(&region.front(), reached))
    (void)block;
  SmallVector<Operation *> ops;
  for (Block &block : region)
    if (!reached.contains(&block))
      for (Operation &op : block)
        ops.push_back(&op);
  return ops;
}

/// An op that depends on itself; null if none of the ops does.
static Operation *findCircle(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> own(ops.begin(), ops.end());
  // The ops of the same blocks on which an op, or one inside it, depends.
  auto collect = [&](Operation *op) {
    SmallVector<Operation *> sources;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *maker = operand.getDefiningOp();
            maker && own.contains(maker))
          sources.push_back(maker);
    });
    return sources;
  };
  llvm::SmallPtrSet<Operation *, 16> finished, open;
  for (Operation *start : ops) {
    if (finished.contains(start))
      continue;
    SmallVector<std::pair<Operation *, SmallVector<Operation *>>> path;
    open.insert(start);
    path.emplace_back(start, collect(start));
    while (!path.empty()) {
      auto &[op, sources] = path.back();
      if (sources.empty()) {
        open.erase(op);
        finished.insert(op);
        path.pop_back();
        continue;
      }
      Operation *next = sources.pop_back_val();
      if (open.contains(next))
        return next;
      if (finished.contains(next))
        continue;
      open.insert(next);
      path.emplace_back(next, collect(next));
    }
  }
  return nullptr;
}

LogicalResult memplan::checkNoCircles(Operation *root) {
  Operation *found = nullptr;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      if (mayHaveSSADominance(region) && !found)
        found = findCircle(findUnreachable(region));
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!found)
    return success();
  return found->emitOpError()
         << "depends on itself, in a block that control never reaches; "
            "--canonicalize removes the block";
}
