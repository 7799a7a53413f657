//===- Auto.h - The best of the strategies -------------------- -*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_LIB_CORE_AUTO_H
#define MEMPLAN_LIB_CORE_AUTO_H

#include "Placer.h"
#include "memplan/Core/Solver.h"

#include <string>

namespace memplan::detail {

struct AutoResult {
  Placement placement;
  Strategy winner = Strategy::Naive;
  std::string message;
};

/// The best of the constructive strategies; stops at `bound`.
AutoResult solveAuto(const Model &model, int64_t bound);

} // namespace memplan::detail

#endif // MEMPLAN_LIB_CORE_AUTO_H
