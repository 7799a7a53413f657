//===- Observation.h - What a running program did with slots ----*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what libMemPlanRuntime has recorded (docs/observe.md) and compares it
// with the plan in a report.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_REPORT_OBSERVATION_H
#define MEMPLAN_REPORT_OBSERVATION_H

#include "memplan/Report/ReadReport.h"

#include <algorithm>

namespace memplan {

/// A place of a program.
struct ObservedSite {
  /// Of the buffer, if there is one.
  ArenaName arena;
  std::string buffer, op, location;
};

struct ObservedEvent {
  /// alloc, free, birth, death or use-of-dead.
  std::string kind;
  size_t site = 0;
  uint64_t number = 0, begin = 0, pointer = 0;
  int64_t offset = 0, bytes = 0;
  std::optional<int64_t> point;
};

/// The peak of the slots of an arena, over all its instances, in bytes.
struct ObservedArena {
  ArenaName name;
  int64_t peakBytes = 0, extentBytes = 0;
};

/// Counts over the whole run, also of events that were not kept.
struct ObservedCounts {
  uint64_t births = 0, usesOfDead = 0;
  /// What guards have found.
  uint64_t findings = 0;
  /// Events that were not kept.
  uint64_t dropped = 0;
};

struct Observation {
  ObservedCounts counts;
  std::vector<ObservedSite> sites;
  std::vector<ObservedEvent> events;
  std::vector<ObservedArena> arenas;
};

/// Reads a JSON file of the observer. Returns false and sets `error`, with line
/// and column, if the text is rejected; `observation` is then unspecified.
bool parseObservation(std::string_view text, Observation &observation,
                      TextError &error);

struct ObservationComparison {
  /// What disagrees, a sentence each, in the order of the events.
  std::vector<std::string> differences;
  struct Row {
    ArenaName name;
    /// The greatest end of a slot in the plan, at the first hint.
    int64_t plannedBytes = 0;
    /// The sizes depend on the arguments, so the bytes need not be equal.
    bool isDynamic = false;
    std::optional<ObservedArena> observed;
    size_t numLives = 0;
  };
  /// One for each arena of the report.
  std::vector<Row> arenas;
  /// A life: the arena as an index in `arenas`, bytes [offset, offset + bytes)
  /// and points [from, to).
  struct Life {
    size_t arena;
    int64_t offset, bytes, from, to;
  };
  /// The different lives, sorted.
  std::vector<Life> lives;
  /// False if no slot was born, so that nothing agrees and nothing disagrees.
  bool isAnyCompared() const {
    return !differences.empty() ||
           std::any_of(arenas.begin(), arenas.end(),
                       [](const Row &row) { return row.numLives > 0; });
  }
};

/// Compares each life with the plan: the slot is one of the plan; its offset
/// and size are those of the plan, if they are constant; it is born at a point
/// at which it is live by the plan, and dies at one at which it is not; no
/// other slot has its bytes meanwhile, unless the plan permits it. Compares
/// peaks with the size of the arena, and lists uses of dead slots and findings
/// of guards. That slots were born and none can be compared is a difference.
ObservationComparison compare(const std::vector<ReportedProblem> &plan,
                              const Observation &observation);

/// The page of the report (makePlanPage) with the lives drawn over the slots.
/// `report` is the text from which the plan was read.
std::string makeObservedPage(std::string_view report,
                             const ObservationComparison &compared);

} // namespace memplan

#endif // MEMPLAN_REPORT_OBSERVATION_H
