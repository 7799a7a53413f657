//===- Interruption.cpp - Signals during a solve --------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Interruption.h"

#include <csignal>
#include <iterator>

using namespace memplan::tool;

static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler sets it");
static std::atomic<bool> interrupted{false};
static constexpr int kSignals[] = {SIGINT, SIGTERM};
static struct sigaction before[std::size(kSignals)];

Interruption::Interruption() {
  interrupted = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  sigemptyset(&action.sa_mask);
  // The second signal finds the default action, which ends the process.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(kSignals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &before[i], nullptr);
}

const std::atomic<bool> &Interruption::flag() const { return interrupted; }
