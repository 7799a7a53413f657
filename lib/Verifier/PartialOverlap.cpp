//===- PartialOverlap.cpp - Loops that write behind their reads -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartialOverlap.h"
#include "NestAccess.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Analysis/Presburger/Utils.h"

using namespace mlir;
using namespace mlir::presburger;

namespace memplan::verifier {

/// True if the store and a load that comes after it may access a common byte,
/// where the iterations of the outer `same` loops are the same for both. In the
/// next loop, the iteration of the load is later if `step` is 1, earlier if it
/// is -1, and any if it is 0. The load's buffer begins `distance` bytes above
/// that of the store.
static bool mayCollide(const NestAccess &store, const NestAccess &load,
                       int64_t distance, unsigned same, int64_t step) {
  // The variables are those of the store, followed by those of the load alone.
  DenseMap<Value, unsigned> columns[2];
  SmallVector<int64_t> counts;
  auto addVariable = [&](unsigned side, Value variable, int64_t count) {
    if (columns[side].try_emplace(variable, counts.size()).second)
      counts.push_back(count);
  };
  for (const LoopRange &loop : store.loops)
    addVariable(0, loop.variable, loop.count);
  for (auto [i, loop] : llvm::enumerate(load.loops)) {
    if (i < same)
      columns[1][loop.variable] = columns[0].lookup(loop.variable);
    else
      addVariable(1, loop.variable, loop.count);
  }
  // A loop around the nest is in one iteration, the same for both.
  for (const WorkerTerm &term :
       llvm::concat<const WorkerTerm>(store.begin.terms, load.begin.terms)) {
    bool isAround = !llvm::any_of(
        llvm::concat<const LoopRange>(store.loops, load.loops),
        [&](const LoopRange &loop) { return loop.variable == term.variable; });
    if (!isAround)
      continue;
    addVariable(0, term.variable, term.count);
    columns[1][term.variable] = columns[0].lookup(term.variable);
  }
  Simplex simplex(counts.size());
  SmallVector<DynamicAPInt> row(counts.size() + 1);
  auto addRow = [&] {
    simplex.addInequality(row);
    llvm::fill(row, DynamicAPInt(0));
  };
  for (auto [column, count] : llvm::enumerate(counts)) {
    row[column] = 1;
    addRow();
    row[column] = -1;
    row.back() = count - 1;
    addRow();
  }
  if (step != 0) {
    row[columns[1].lookup(load.loops[same].variable)] += step;
    row[columns[0].lookup(store.loops[same].variable)] -= step;
    row.back() = -1;
    addRow();
  }
  auto addBytes = [&](unsigned side, const Offset &begin, int64_t sign) {
    row.back() += DynamicAPInt(begin.constant) * sign;
    for (const WorkerTerm &term : begin.terms)
      row[columns[side].lookup(term.variable)] +=
          DynamicAPInt(term.stride) * sign;
  };
  for (int64_t sign : {1, -1}) {
    addBytes(0, store.begin, -sign);
    addBytes(1, load.begin, sign);
    row.back() += DynamicAPInt(distance) * sign;
    // The -1 makes this a strict inequality of integers.
    row.back() += (sign == 1 ? load.size : store.size) - 1;
    addRow();
  }
  return !simplex.isEmpty();
}

bool isStoredBehind(Operation *store, Value stored, Operation *load,
                    Value loaded, Operation *nest, int64_t distance) {
  auto find = [&](Operation *op, Value buffer) -> std::optional<NestAccess> {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    std::optional<int64_t> size =
        type ? getElementBytes(type.getElementType(), DataLayout::closest(op))
             : std::nullopt;
    return size ? findAccess(op, buffer, *size, nest) : std::nullopt;
  };
  std::optional<NestAccess> to = find(store, stored);
  std::optional<NestAccess> from = find(load, loaded);
  if (!to || !from)
    return false;
  unsigned loop = 0;
  for (; loop < std::min(to->loops.size(), from->loops.size()) &&
         to->loops[loop].variable == from->loops[loop].variable;
       ++loop) {
    bool isAnyOrder =
        isParallelLoop(to->loops[loop].variable.getOwner()->getParentOp());
    if (mayCollide(*to, *from, distance, loop, 1) ||
        (isAnyOrder && mayCollide(*to, *from, distance, loop, -1)))
      return false;
  }
  // In one iteration of all loops around both, the order of the text decides.
  // Both branches of a conditional count as taken.
  Operation *first = store;
  while (!first->getParentOp()->isAncestor(load))
    first = first->getParentOp();
  Operation *second = first->getBlock()->findAncestorOpInBlock(*load);
  return (second && second->isBeforeInBlock(first)) ||
         !mayCollide(*to, *from, distance, loop, 0);
}

} // namespace memplan::verifier
