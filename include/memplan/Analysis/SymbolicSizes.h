//===- SymbolicSizes.h - Formulas of an op graph's bytes --------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_ANALYSIS_SYMBOLICSIZES_H
#define MEMPLAN_ANALYSIS_SYMBOLICSIZES_H

#include "memplan/Analysis/SizeModel.h"
#include "memplan/Graph/Profile.h"

namespace memplan {

/// What the bytes of an op graph are made of, beside it. While the graph has
/// formulas as text, to be read, these can be added up and compared.
struct SymbolicSizes {
  /// By StorageId and by OpId.
  std::vector<SymbolicBytes> storages, scratch;

  /// What is live in an entry of the graph's profile, scratch included, over
  /// all memory spaces or in one.
  SymbolicBytes getLive(SizeModel &model, const graph::OpGraph &graph,
                        const graph::MemoryProfile &profile, size_t entry,
                        std::optional<uint32_t> space = std::nullopt) const;
};

} // namespace memplan

#endif // MEMPLAN_ANALYSIS_SYMBOLICSIZES_H
