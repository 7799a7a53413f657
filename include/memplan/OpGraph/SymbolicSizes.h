//===- SymbolicSizes.h - Formulas of an op graph's bytes --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPGRAPH_SYMBOLICSIZES_H
#define MEMPLAN_OPGRAPH_SYMBOLICSIZES_H

#include "memplan/Analysis/SizeModel.h"
#include "memplan/Graph/Profile.h"

namespace memplan {

/// The formulas for the bytes of an op graph. The graph has them only as text;
/// these can be added up and compared.
struct SymbolicSizes {
  /// By StorageId and by OpId.
  std::vector<SymbolicBytes> storages, scratch;

  /// The bytes that are live at an entry of the graph's profile, scratch
  /// included, in all memory spaces or in one of them.
  SymbolicBytes getLive(SizeModel &model, const graph::OpGraph &graph,
                        const graph::MemoryProfile &profile, size_t entry,
                        std::optional<uint32_t> space = std::nullopt) const;
};

} // namespace memplan

#endif // MEMPLAN_OPGRAPH_SYMBOLICSIZES_H
