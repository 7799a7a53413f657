//===- Report.h - What planning did -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_REPORT_H
#define MEMPLAN_TRANSFORMS_REPORT_H

#include "memplan/Analysis/PlanningProblem.h"
#include "memplan/Core/Solver.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace memplan {

/// One allocation in the report; strings, so that it outlives the IR.
struct BufferReport {
  std::string name;
  std::string type;
  std::string location;
  int64_t size = 0;
  int64_t alignment = 1;
  bool planned = false;
  /// Bytes from the arena's base, of a planned buffer.
  int64_t offset = 0;
  LiveRanges ranges;
  /// Why it is not planned.
  std::string reason;
};

/// What running ops at once costs: the function against itself with its ops one
/// after another, by the same strategy.
struct ConcurrencyReport {
  int64_t steps = 0;
  /// The most ops of a step.
  int64_t widestStep = 0;
  /// Bytes.
  int64_t sequentialBound = 0;
  int64_t sequentialArena = 0;
};

/// One arena: a function and memory space that has allocations.
struct ArenaReport {
  std::string function;
  /// Of the frame of a worker of a parallel loop: how many workers have one,
  /// and the location of the loop. 0 for the arena of the function itself.
  int64_t workers = 0;
  std::string loop;
  /// The memory space as it is printed in IR; "0" for the default.
  std::string memorySpace;
  /// The strategy asked for, and the one whose plan was taken.
  std::string strategy;
  std::string winner;
  std::string status;
  std::string message;
  /// Search steps spent.
  int64_t nodes = 0;
  int64_t alignment = 64;
  std::optional<int64_t> capacity;
  int64_t buffersPlanned = 0;
  int64_t buffersUnplanned = 0;
  /// Bytes: each planned buffer on its own; most live at once (proven least);
  /// the arena.
  int64_t sumBytes = 0;
  int64_t boundBytes = 0;
  int64_t arenaBytes = 0;
  /// Where the most bytes are live: the point, its location, the buffers.
  int64_t peakPoint = 0;
  int64_t peakBytes = 0;
  std::string peakLocation;
  std::vector<unsigned> peakBuffers;
  /// Where ops run at once.
  std::optional<ConcurrencyReport> concurrency;
  std::vector<BufferReport> buffers;
};

/// Describes the problem of a function, solved by `strategy`, and those of the
/// frames of its parallel loops after it; before it is materialized.
std::vector<ArenaReport> makeReports(const FunctionProblem &problem,
                                     Strategy strategy,
                                     const ProgramOrder &order);

/// A page for people.
void printText(llvm::ArrayRef<ArenaReport> reports, llvm::raw_ostream &os);

/// {"arenas": [...]}; the keys are documented in docs/report.md and stable.
void printJson(llvm::ArrayRef<ArenaReport> reports, llvm::raw_ostream &os);

} // namespace memplan

#endif // MEMPLAN_TRANSFORMS_REPORT_H
