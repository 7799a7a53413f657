//===- SearchControl.cpp - Budget, clock and threads of a solve -----------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Search/SearchControl.h"

#include <thread>

using namespace memplan;
using namespace memplan::detail;

SearchControl::SearchControl(const SolveOptions &options,
                             int64_t defaultNodeLimit,
                             const std::atomic<bool> *stop)
    : options(options),
      limit(std::max<int64_t>(0, options.nodeLimit.value_or(defaultNodeLimit))),
      end(options, stop), threadCount(options.threads) {
  if (threadCount == 0)
    threadCount = std::max(1u, std::thread::hardware_concurrency());
}
