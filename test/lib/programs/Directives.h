//===- Directives.h - How a program states its tests ---------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TEST_PROGRAMS_DIRECTIVES_H
#define MEMPLAN_TEST_PROGRAMS_DIRECTIVES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::test {

/// One comparison of a program: a line `// PROGRAM: ...` of its file.
struct Directive {
  enum class Form {
    /// As it is written: `plain`, or no word.
    Plain,
    /// With the frees of buffer-deallocation-pipeline, raised: `deallocate`.
    Deallocated,
    /// With its own lowered deallocations raised: `raise`.
    Raised,
    /// As it is written, and freed by the pipeline after planning:
    /// `then-deallocate`. Nothing is printed or expected.
    ThenDeallocated,
  };
  Form form = Form::Plain;
  /// `reverse-steps`: planned programs run with the ops of each step
  /// (memplan.step, an op a line) in reverse order as well.
  bool reverseSteps = false;
  /// Options of plan-memory: all words with a `=` that are no option of ours.
  std::string options;
  /// `--check-prefixes=A,B`; CHECK if there is none.
  std::vector<std::string> prefixes;
  /// The line in words.
  std::string text;
};

/// What the comments of a program ask for.
struct Directives {
  /// One plain comparison if the file has no line `// PROGRAM:`.
  std::vector<Directive> comparisons;
  /// The arguments of the runs, one after another, of type index or i64: a line
  /// `// ARGUMENTS: 8, 16` each; one run without arguments if there is none.
  std::vector<std::vector<int64_t>> runs;
  /// `// WITH: PATH`: the file, relative to the program, whose functions the
  /// program calls.
  std::string helpers;
};

llvm::Expected<Directives> readDirectives(llvm::StringRef program);

} // namespace memplan::test

#endif // MEMPLAN_TEST_PROGRAMS_DIRECTIVES_H
