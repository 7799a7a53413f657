//===- ProgressLine.cpp - The progress line of a solve --------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ProgressLine.h"

#include "memplan/Core/Interrupt.h"

#include <cstdio>
#include <unistd.h>

using namespace memplan;
using namespace memplan::tool;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ProgressLine::ProgressLine(bool isWanted)
    : isWanted(isWanted && isatty(STDERR_FILENO)), start(Clock::now()),
      last(start) {}

ProgressLine::~ProgressLine() {
  if (isShown)
    std::fprintf(stderr, "\r\033[K");
}

void ProgressLine::update(const Progress &progress) {
  if (!isWanted || secondsSince(start) < 1 ||
      (isShown && secondsSince(last) < 0.1))
    return;
  last = Clock::now();
  isShown = true;
  double gap = progress.lowerBound > 0
                   ? 100.0 * double(progress.arenaSize - progress.lowerBound) /
                         double(progress.lowerBound)
                   : 0;
  std::fprintf(stderr,
               "\r\033[Kbest %lld, bound %lld, gap %.3f %%, nodes %lld, %.0f s",
               static_cast<long long>(progress.arenaSize),
               static_cast<long long>(progress.lowerBound), gap,
               static_cast<long long>(progress.nodes), secondsSince(start));
}

Plan tool::solveWithProgress(const Problem &problem, SolveOptions options,
                             bool isWanted, const std::atomic<bool> *stop) {
  ProgressLine line(isWanted);
  options.progress = [&](const Progress &progress) { line.update(progress); };
  return stop ? solve(problem, options, *stop) : solve(problem, options);
}
