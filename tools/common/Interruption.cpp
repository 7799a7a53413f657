//===- Interruption.cpp - Ctrl-C during a solve ---------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Interruption.h"

#include <csignal>

using namespace memplan::tool;

static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler sets it");
static std::atomic<bool> interrupted{false};
static struct sigaction before;

Interruption::Interruption() {
  interrupted = false;
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler == SIG_IGN)
    return;
  struct sigaction action = {};
  action.sa_handler = [](int) { interrupted = true; };
  sigemptyset(&action.sa_mask);
  // The second signal finds the default action, which ends the process.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
}

Interruption::~Interruption() { sigaction(SIGINT, &before, nullptr); }

const std::atomic<bool> &Interruption::flag() const { return interrupted; }
