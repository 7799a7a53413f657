//===- PlanVerifierSharing.cpp - Slots that one op shares ---------------- ===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierSharing.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace memplan::planverifier {

/// True if an op of the block uses a memref, of which it may read any element.
static bool touchesMemory(Block *body) {
  return llvm::any_of(*body, [](Operation &op) {
    return op.getNumRegions() > 0 ||
           llvm::any_of(op.getOperandTypes(), llvm::IsaPred<BaseMemRefType>);
  });
}

/// True if an op that reads `read` and writes `written`, both at the same
/// bytes, reads each element before it writes it.
static bool isSafeInPlace(Operation *op, Value read, Value written) {
  if (read.getType() != written.getType())
    return false;
  if (isa<memref::CopyOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || linalgOp.getNumLoops() != linalgOp.getNumParallelLoops() ||
      touchesMemory(linalgOp.getBlock()))
    return false;
  AffineMap map;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != read && operand.get() != written)
      continue;
    AffineMap other = linalgOp.getMatchingIndexingMap(&operand);
    if (!other.isPermutation() || (map && map != other))
      return false;
    map = other;
  }
  return true;
}

std::optional<std::pair<unsigned, unsigned>> Sharing::find(const Event &event) {
  ArrayRef<Access> accesses = event.accesses;
  for (const Access &written : accesses) {
    if (!written.writes)
      continue;
    for (const Access &other : accesses) {
      if (other.handle == written.handle || (other.writes && &other < &written))
        continue;
      if (auto shared = find(event.op, written, other))
        return shared;
    }
  }
  return std::nullopt;
}

std::optional<std::pair<unsigned, unsigned>>
Sharing::find(Operation *op, const Access &written, const Access &other) {
  const RefSet *first = state.refsOf(written.handle);
  const RefSet *second = state.refsOf(other.handle);
  const Places &places = state.getPlaces();
  for (const Overlap &overlap : state.getSets().meet(first, second).overlaps) {
    // One life of one slot under two names: the program's own aliasing.
    if (overlap.kind != Overlap::Differ)
      continue;
    bool inPlace = places.bytes(overlap.first.place).begin ==
                       places.bytes(overlap.second.place).begin &&
                   !other.writes && bytes.hasKnownPlace(other.memref) &&
                   bytes.hasKnownPlace(written.memref) &&
                   isSafeInPlace(op, other.memref, written.memref);
    if (inPlace)
      continue;
    // Of several slots at one place, name two.
    for (unsigned slot : second->slots)
      if (slot != overlap.first.slot && places.of(slot) == overlap.second.place)
        return std::make_pair(overlap.first.slot, slot);
    return std::make_pair(overlap.first.slot, overlap.second.slot);
  }
  return std::nullopt;
}

} // namespace memplan::planverifier
