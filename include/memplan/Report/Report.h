//===- Report.h - What planning did -----------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one model of a report, which every tool fills in and every format prints:
// text for terminals, JSON for programs, a page for browsers, pictures for
// papers. C++17 only; a report holds strings and numbers and outlives what it
// describes.
//
// A slot is a place in the arena: bytes [offset, offset + size) at the points
// of time at which it is live. A buffer is an allocation of the program. Most
// buffers have a slot alone; what control flow joins shares one, and what a
// loop carries takes turns in several:
//
//   slot b1    |    b1     | b0  | b1 |      live at once, in two slots, and
//   slot b0    | b0  | b1  |   b0     |      neither buffer stays in one
//              +---------------------------> time
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_REPORT_H
#define MEMPLAN_REPORT_REPORT_H

#include "memplan/Core/Plan.h"
#include "memplan/Core/Problem.h"
#include "memplan/Core/Solver.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// The version of the JSON form. It grows when a key is removed or means
/// something else; new keys leave it as it is.
constexpr int kReportVersion = 1;

/// Buffers counted: how many, the bytes of those whose size is known, and how
/// many others there are.
struct ByteCount {
  int64_t count = 0;
  int64_t bytes = 0;
  int64_t unknown = 0;

  /// Nothing for a buffer whose size is not known. Bytes that leave int64 count
  /// as not known.
  void add(std::optional<int64_t> size);
  ByteCount &operator+=(const ByteCount &other);
};

/// A buffer that may be in a slot, and when.
struct SlotUse {
  /// Index in ArenaReport::buffers.
  unsigned buffer = 0;
  LiveRanges live;
};

/// A place in the arena.
struct SlotReport {
  std::string name;
  int64_t size = 0;
  int64_t alignment = 1;
  /// Bytes from the arena's base; absent where there is no plan.
  std::optional<int64_t> offset;
  /// The offset that every plan has to give it.
  std::optional<int64_t> pin;
  LiveRanges live;
  std::vector<SlotUse> uses;
};

/// An allocation.
struct BufferReport {
  std::string name;
  /// As in the program; empty where there is none.
  std::string type;
  std::string location;
  /// Bytes; absent where they are not known.
  std::optional<int64_t> size;
  int64_t alignment = 1;
  bool planned = false;
  /// The slots it may be in, ascending, as indices in ArenaReport::slots, and
  /// the points at which it may be in one of them.
  std::vector<unsigned> slots;
  LiveRanges live;
  /// Why it is not planned, as the predicate of a sentence about it, and where
  /// the op stands that is the reason, if there is one.
  std::string reason;
  std::string reasonLocation;
};

/// A slot that an op writes over another, or over a part of it, which it reads
/// for the last time.
struct InPlaceReport {
  /// Indices in ArenaReport::slots.
  unsigned read = 0;
  unsigned written = 0;
  /// Bytes by which the one begins above the other.
  int64_t delta = 0;
  /// The name of the op, and where it stands.
  std::string op;
  std::string location;
  /// Why no element is read when it has been written, as a sentence.
  std::string proof;
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

enum class ArenaStatus {
  /// As of the plan.
  Optimal,
  Feasible,
  Infeasible,
  Limit,
  Invalid,
  /// No buffer of the arena's memory space is planned.
  NothingToPlan,
  /// The plan did not pass verification; the function is as it was.
  Rejected,
  /// The function had an arena before.
  PlannedBefore,
};

std::string_view arenaStatusName(ArenaStatus status);
ArenaStatus getArenaStatus(PlanStatus status);

/// What one strategy needs for the arena.
struct StrategyReport {
  std::string name;
  int64_t arenaBytes = 0;
};

/// One arena: a function and memory space that has allocations.
struct ArenaReport {
  std::string function;
  /// The memory space as it is printed in IR; "0" for the default.
  std::string memorySpace = "0";
  /// Of the frame of a worker of a parallel loop: how many workers have one,
  /// and the location of the loop. 0 for the arena of the function itself, and,
  /// with the location of a loop, for that of each iteration of it.
  int64_t workers = 0;
  std::string loop;
  /// The number of that loop among the parallel loops of the function, in walk
  /// order from 0.
  std::optional<int64_t> loopNumber;
  /// The callers hand the arena in: it is a part of theirs.
  bool isFrame = false;
  /// "stack" or "global"; empty where it is on the heap or handed in.
  std::string placement;
  ArenaStatus status = ArenaStatus::Feasible;
  /// The strategy asked for, and the one whose plan was taken.
  std::string strategy;
  std::string winner;
  std::string message;
  /// Search steps spent.
  int64_t nodes = 0;
  int64_t alignment = 64;
  /// Bytes that arena and unplanned buffers may have together.
  std::optional<int64_t> capacity;
  int64_t buffersPlanned = 0;
  ByteCount unplanned;
  /// Bytes of the arena without reuse: all planned buffers one after another,
  /// at the alignments they have.
  int64_t sumBytes = 0;
  /// Bytes: proven, no plan of these slots is smaller.
  int64_t boundBytes = 0;
  int64_t arenaBytes = 0;
  /// Where the most bytes are live: the point, its location, the slots.
  int64_t peakPoint = 0;
  int64_t peakBytes = 0;
  std::string peakLocation;
  std::vector<unsigned> peakSlots;
  /// Where ops run at once.
  std::optional<ConcurrencyReport> concurrency;
  std::vector<SlotReport> slots;
  /// Between slots, by index; where the problem stands alone (makeReport).
  std::vector<Conflict> conflicts;
  std::vector<PermittedOverlap> overlaps;
  /// The permitted overlaps that the plan makes use of, and why they are
  /// permitted.
  std::vector<InPlaceReport> inPlace;
  std::vector<BufferReport> buffers;
  /// Where they were asked for.
  std::vector<StrategyReport> strategies;

  int64_t getSavedBytes() const { return sumBytes - arenaBytes; }
  /// The arena is memory of its own, and its plan counts.
  bool isCounted() const {
    return !isFrame && workers == 0 && status != ArenaStatus::Rejected &&
           status != ArenaStatus::NothingToPlan;
  }
};

/// What comes into a function and leaves it.
struct FunctionReport {
  std::string name;
  std::string location;
  ByteCount arguments;
  ByteCount results;
};

struct Report {
  std::vector<FunctionReport> functions;
  std::vector<ArenaReport> arenas;
  /// Of the module: what is constant, and other global memory.
  ByteCount constants;
  ByteCount variables;
  /// Milliseconds of solving; absent where reports are to be the same on every
  /// run.
  std::optional<double> timeMs;
};

/// The report as a whole, summed up. Frames that are part of other arenas are
/// not counted twice.
struct ReportTotals {
  /// Arenas that are memory of their own, those planned before apart.
  int64_t arenas = 0;
  int64_t arenaBytes = 0;
  int64_t boundBytes = 0;
  int64_t sumBytes = 0;
  ByteCount plannedBefore;
  ByteCount unplanned;
  ByteCount arguments;
  ByteCount results;
};
ReportTotals computeTotals(const Report &report);

/// Numerator / denominator; 1 when both are 0.
double ratioOf(int64_t numerator, int64_t denominator);

/// Bytes: the end of the buffers when they are laid one after another, each
/// (size, alignment) at the next multiple of its alignment. Saturates.
int64_t
computeSizeWithoutReuse(const std::vector<std::pair<int64_t, int64_t>> &sizes);

/// Describes a problem that is not of a program, and its plan: one arena, whose
/// slots are the problem's buffers. `name` stands for the function.
Report makeReport(const Problem &problem, const Plan &plan, Strategy strategy,
                  std::string name);

/// What each strategy that does not search needs for the problem, with those
/// that `plan` is of. O(n log n) each.
std::vector<StrategyReport> compareStrategies(const Problem &problem,
                                              const Plan &plan);

/// A page for people.
std::string formatText(const Report &report);

/// One JSON object, as docs/report.md and docs/report.schema.json say. Equal
/// reports give equal text. What is not UTF-8 becomes U+FFFD.
std::string formatJson(const Report &report);

} // namespace memplan

#endif // MEMPLAN_REPORT_REPORT_H
