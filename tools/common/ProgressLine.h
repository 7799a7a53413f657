//===- ProgressLine.h - How far a long solve has come -----------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_PROGRESSLINE_H
#define MEMPLAN_TOOLS_COMMON_PROGRESSLINE_H

#include "memplan/Core/Solver.h"

#include <chrono>

namespace memplan::tool {

/// Rewrites one line of standard error, if that is a terminal, from the second
/// second on; it is gone when this is.
class ProgressLine {
public:
  explicit ProgressLine(bool isWanted = true);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void update(const Progress &progress);

private:
  bool isWanted;
  bool isShown = false;
  std::chrono::steady_clock::time_point start, last;
};

/// Solves the problem with a line of progress.
Plan solveWithProgress(const Problem &problem, SolveOptions options,
                       bool isWanted = true);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_PROGRESSLINE_H
