//===- Child.h - Work in a child process ----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_PROGRAMS_CHILD_H
#define MEMPLAN_TEST_PROGRAMS_CHILD_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace memplan::test {

/// What a child process left behind.
struct ChildResult {
  /// The exit status; a signal that ended the child as a negative number.
  int status = 0;
  std::string standardOutput;
  std::string standardError;

  bool timedOut() const;
  /// "exit status 1", "ended by signal 11 (Segmentation fault)", ...
  std::string describe() const;
};

/// Runs `work` in a fork of this process, which has all libraries loaded and
/// whose crash harms nobody. The child reads `input`, writes into memory, exits
/// with what `work` returns, and is ended after `seconds` seconds of processor
/// time, or ten times as many of wall time.
ChildResult runInChild(llvm::function_ref<int()> work, unsigned seconds,
                       llvm::StringRef input = "");

} // namespace memplan::test

#endif // MEMPLAN_TEST_PROGRAMS_CHILD_H
