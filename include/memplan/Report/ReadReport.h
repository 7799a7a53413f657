//===- ReadReport.h - Planning problems from reports ------------*- C++ -*-===//
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

#include "memplan/Core/Plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// The key of an arena in a report.
struct ArenaName {
  /// Empty if the problem does not belong to a function.
  std::string function;
  std::string memorySpace = "0";
  /// For the arena of the body of a parallel loop: the number of the loop in
  /// the function, in walk order from 0.
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

/// A choice of arenas by options: function, memory space and loop (as
/// ArenaName::getLoopText). An empty option accepts every arena.
struct ArenaChoice {
  std::string function, memorySpace, loop;

  bool accepts(const ArenaName &name) const;
};

/// The options that choose the arena, "function=f memory-space=0 loop=none",
/// each with `prefix` before it.
std::string describeArenaOptions(const ArenaName &name,
                                 std::string_view prefix);

/// An arena of a JSON report as a planning problem with its solution.
struct ReportedProblem {
  /// The arena's key in the report.
  ArenaName name;
  /// Its buffers are the slots, in their order; the bytes of buffers that are
  /// not planned are subtracted from the capacity.
  Problem problem;
  /// By buffer, in bytes; std::nullopt if the report has null or no offset.
  std::vector<std::optional<int64_t>> offsets;
  /// In bytes: the size of the arena; absent if the report has null or none.
  std::optional<int64_t> arenaBytes;
  /// The order of a plan whose sizes are formulas, if the report has it.
  std::optional<PlaceOrder> order;
};

/// In bytes: the size of the arena at these sizes, which must be one for each
/// of its symbols, within the bounds of the symbol. std::nullopt and `error` if
/// the report does not say it, or if it overflows.
std::optional<int64_t>
getArenaBytes(const ReportedProblem &arena,
              const std::vector<std::pair<std::string_view, int64_t>> &sizes,
              std::string &error);

/// Reads the arenas of a report (formatJson, docs/report.md). Required are only
/// `arenas` and in each arena `slots`. Only a slot's name, size, alignment,
/// live ranges, offset and pin are read; two slots with one name, and
/// conflicts, overlaps and places of unknown slots are errors. The problems are
/// not checked (check). Returns false and sets `error`, with line and column,
/// if the text is rejected; `problems` is then empty. Linear.
bool parseReport(std::string_view text, std::vector<ReportedProblem> &problems,
                 TextError &error);

} // namespace memplan

#endif // MEMPLAN_REPORT_READREPORT_H
