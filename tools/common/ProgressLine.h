//===- ProgressLine.h - The progress line of a solve ------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TOOLS_COMMON_PROGRESSLINE_H
#define MEMPLAN_TOOLS_COMMON_PROGRESSLINE_H

#include "memplan/Core/Solver.h"

#include <atomic>
#include <chrono>

namespace memplan::tool {

/// A line on standard error that shows the progress of a solve, if standard
/// error is a terminal and the solve takes more than a second. The destructor
/// removes the line.
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

/// Solves the problem and shows a progress line. The search ends once `stop`,
/// if it is given, is true.
Plan solveWithProgress(const Problem &problem, SolveOptions options,
                       bool isWanted = true,
                       const std::atomic<bool> *stop = nullptr);

} // namespace memplan::tool

#endif // MEMPLAN_TOOLS_COMMON_PROGRESSLINE_H
