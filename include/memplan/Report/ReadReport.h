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

/// What a report in JSON says of an arena as a problem, and of its solution.
struct ReportedProblem {
  /// As in the report; empty where it names none.
  std::string function;
  std::string memorySpace = "0";
  std::optional<int64_t> loopNumber;
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
