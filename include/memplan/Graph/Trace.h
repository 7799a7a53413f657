//===- Trace.h - Recorded allocations ---------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run allocated and freed, as a problem for the planner: what would an
// arena have cost, against what the allocator used?
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_TRACE_H
#define MEMPLAN_GRAPH_TRACE_H

#include "memplan/Core/Problem.h"
#include "memplan/Core/TextError.h"
#include "memplan/Graph/Memory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// The forms of traces that parseTrace reads.
enum class TraceForm {
  /// time,event,pointer,bytes and optionally name and space, by column names;
  /// event is alloc or free.
  Csv,
  /// {"format": "memplan.trace", "events": [{"time", "event", "pointer",
  /// "bytes", "name", "space"}]}
  Json,
  /// torch.cuda.memory._snapshot() as JSON: device_traces with alloc, free_*
  /// and
  /// segment_* actions. A space for each device.
  Torch,
  /// A log of malloc calls: glibc's mtrace (@ where + pointer size), or lines
  /// that contain malloc(n) = p, calloc(n, m) = p, realloc(p, n) = p,
  /// free(p). Other lines are skipped.
  Malloc,
};
template <> struct EnumNames<TraceForm> {
  static constexpr std::array<std::string_view, 4> names = {"csv", "json",
                                                            "torch", "malloc"};
};

/// One life of a piece of memory.
struct TracedBuffer {
  std::string name;
  uint64_t pointer = 0;
  int64_t bytes = 0;
  /// Indices of events, half-open; what was there before the trace begins at
  /// 0, what was never freed ends behind the last event.
  size_t begin = 0, end = 0;
  /// Index into Trace::spaces.
  uint32_t space = 0;
};

struct Trace {
  std::vector<std::string> spaces;
  std::vector<TracedBuffer> buffers;
  /// Events are numbered from 1; 0 is before the trace.
  size_t numEvents = 0;
  /// Frees of memory that was allocated before the trace and whose size the
  /// trace does not tell.
  size_t numUnknownFrees = 0;
  /// Per space, the most bytes that the allocator held for it; nothing where
  /// the trace does not tell.
  std::vector<std::optional<int64_t>> reservedBytes;
};

/// Reads a trace. False with `error` set, to the line and column concerned,
/// when the text is refused: also for memory that is allocated while it is
/// live, frees of memory that is not (with size unknown they are counted), and
/// times that run backwards. Linear.
bool parseTrace(std::string_view text, TraceForm form, Trace &trace,
                TextError &error);

/// The form that the text seems to have.
TraceForm guessTraceForm(std::string_view text);

/// One problem a space in use; its times are numbers of events.
std::vector<SpaceProblem> buildProblems(const Trace &trace,
                                        int64_t alignment = 64);

/// Bytes of the space's addresses that any of its buffers ever occupied: what
/// the allocator used at least. O(n log n).
int64_t touchedBytes(const Trace &trace, uint32_t space);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_TRACE_H
