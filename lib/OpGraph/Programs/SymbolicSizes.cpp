//===- SymbolicSizes.cpp - Formulas of an op graph's bytes ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/OpGraph/SymbolicSizes.h"

using namespace mlir;
using namespace memplan;

SymbolicBytes SymbolicSizes::getLive(SizeModel &model,
                                     const graph::OpGraph &graph,
                                     const graph::MemoryProfile &profile,
                                     size_t entryIndex,
                                     std::optional<uint32_t> space) const {
  const graph::ProfileEntry &entry = profile.entries[entryIndex];
  SmallVector<SymbolicBytes> parts;
  for (const graph::ProfileChange &live : profile.liveAt(entryIndex)) {
    const graph::Allocation &allocation =
        profile.memory.allocations[live.allocation];
    if (space && allocation.space != *space)
      continue;
    // Only a whole storage has a formula.
    if (live.bytes == graph.storages[allocation.storage].bytes)
      parts.push_back(storages[allocation.storage]);
    else
      parts.push_back({live.bytes});
  }
  if (entry.scratchBytes > 0 && (!space || *space == 0))
    parts.push_back(scratch[profile.memory.opAt[entry.time]]);
  return model.getSum(parts);
}
