//===- PlanVerifierArenas.cpp - When arenas are there ---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierArenas.h"

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
  SmallVector<unsigned, 1> leaked;
  for (unsigned arena : state.getArenas())
    if (state.find(arena)->life != Life::No && isLeft(arena))
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

} // namespace memplan::planverifier
