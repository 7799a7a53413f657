//===- PlanVerifierArenas.cpp - When arenas are there ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierArenas.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace memplan::planverifier {

void ArenaLives::allocate(Operation *op, unsigned arena) {
  if (const Entry *entry = state.find(arena);
      report && entry && entry->life != Life::No)
    reporter.leak(op, arena);
  state.get(arena).life = Life::Yes;
}

void ArenaLives::release(Operation *op, unsigned arena) {
  Entry &entry = state.get(arena);
  if (report && entry.life != Life::Yes)
    reporter.releaseAgain(op, arena, entry.life);
  entry.life = Life::No;
}

void ArenaLives::leave(Operation *op,
                       llvm::function_ref<bool(unsigned)> isLeft) {
  if (!report)
    return;
  // Other memory spaces may have no deallocation.
  auto isFreed = [&](unsigned arena) {
    Value memory = model.handles[arena].value;
    Operation *definition = memory.getDefiningOp();
    return !cast<BaseMemRefType>(memory.getType()).getMemorySpace() &&
           definition && isHeapArena(definition);
  };
  SmallVector<unsigned, 1> leaked;
  for (unsigned arena : state.getArenas())
    if (state.find(arena)->life != Life::No && isLeft(arena) && isFreed(arena))
      leaked.push_back(arena);
  llvm::sort(leaked);
  for (unsigned arena : leaked)
    reporter.leak(op, arena);
}

void ArenaLives::check(Operation *op, unsigned handle) {
  if (!report)
    return;
  auto isReleased = [&](unsigned arena) {
    const Entry *entry = state.find(arena);
    return entry && entry->life != Life::Yes;
  };
  IdSet slots = model.handles[handle].slots;
  const Places &places = state.getPlaces();
  if (llvm::none_of(places.of(slots), [&](const RefPlace &own) {
        return isReleased(places.arena(own.place));
      }))
    return;
  for (unsigned slot : slots)
    if (isReleased(model.handles[slot].arena))
      return reporter.afterRelease(op, slot);
}

LogicalResult checkThreads(const Model &model) {
  Operation *function = FunctionOpInterface(model.function);
  bool isDevice = isa<gpu::GPUFuncOp>(function) ||
                  function->getParentOfType<gpu::GPUModuleOp>();
  auto isCommon = [&](const Handle &slot) {
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(
        cast<BaseMemRefType>(slot.value.getType()).getMemorySpace());
    return isDevice ||
           (space && space.getValue() == gpu::AddressSpace::Workgroup);
  };
  SmallVector<const Handle *> slots;
  for (const Handle &handle : model.handles)
    if (handle.kind == HandleKind::Slot &&
        isa<BaseMemRefType>(handle.value.getType()) && isCommon(handle))
      slots.push_back(&handle);
  llvm::stable_sort(slots, [](const Handle *a, const Handle *b) {
    return std::tie(a->arena, a->bytes.begin) <
           std::tie(b->arena, b->bytes.begin);
  });
  const Handle *last = nullptr;
  for (const Handle *slot : slots) {
    if (last && last->arena == slot->arena &&
        last->bytes.overlaps(slot->bytes)) {
      InFlightDiagnostic diag = emitError(slot->value.getLoc())
                                << "shares bytes with another buffer in memory "
                                   "that many threads use; that a barrier lies "
                                   "between their uses cannot be verified";
      diag.attachNote(last->value.getLoc()) << "the other buffer";
      return failure();
    }
    if (!last || last->arena != slot->arena ||
        last->bytes.end < slot->bytes.end)
      last = slot;
  }
  return success();
}

} // namespace memplan::planverifier
