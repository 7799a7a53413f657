//===- ReadReport.h - Problems and plans of reports -------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_READREPORT_H
#define MEMPLAN_REPORT_READREPORT_H

#include "memplan/Core/Problem.h"
#include "memplan/Core/TextError.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// Which arena a problem or a plan is of.
struct ArenaName {
  /// Empty where the problem is of no function.
  std::string function;
  std::string memorySpace = "0";
  /// Of the body of a parallel loop of the function: the loop's number, in walk
  /// order from 0.
  std::optional<int64_t> loop;

  /// The loop's number, or "none" for the function itself.
  std::string getLoopText() const {
    return loop ? std::to_string(*loop) : "none";
  }
  bool operator==(const ArenaName &other) const {
    return function == other.function && memorySpace == other.memorySpace &&
           loop == other.loop;
  }
};

/// Which of several arenas are meant, as options say it: by function, memory
/// space and loop (ArenaName::getLoopText). What is empty says nothing.
struct ArenaChoice {
  std::string function, memorySpace, loop;

  bool accepts(const ArenaName &name) const;
};

/// The options that choose the arena: "function=f memory-space=0 loop=none",
/// each with `prefix` before it.
std::string describeArenaOptions(const ArenaName &name,
                                 std::string_view prefix);

/// What a report in JSON says of an arena as a problem, and of its solution.
struct ReportedProblem {
  /// As in the report.
  ArenaName name;
  /// Its buffers are the slots, in their order; what is not planned is taken
  /// from the capacity.
  Problem problem;
  /// By buffer; absent where the report has null or nothing.
  std::vector<std::optional<int64_t>> offsets;
};

/// Reads the arenas of a report (formatJson, docs/report.md), of which only
/// `arenas` and in them `slots` are required. What a slot is besides its name,
/// size, alignment, live ranges, offset and pin is not looked at; slots of one
/// name, and conflicts and overlaps of unknown slots are refused. The problems
/// are not checked (check). False with `error` set, to line and column. Linear.
bool parseReport(std::string_view text, std::vector<ReportedProblem> &problems,
                 TextError &error);

} // namespace memplan

#endif // MEMPLAN_REPORT_READREPORT_H
