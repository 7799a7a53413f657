//===- Trace.h - Traces of recorded allocations -----------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the allocations and frees of a run and makes planning problems of them,
// to compare the size of an arena with the bytes that the allocator used.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_TRACE_H
#define MEMPLAN_GRAPH_TRACE_H

#include "memplan/Core/Problem.h"
#include "memplan/Core/TextError.h"
#include "memplan/Graph/Memory.h"
#include "memplan/Graph/OpGraph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::graph {

/// The file formats of traces that parseTrace reads.
enum class TraceForm {
  /// time,event,pointer,bytes and optionally name and space, by column names;
  /// event is alloc or free.
  Csv,
  /// torch.cuda.memory._snapshot() as JSON: device_traces with alloc, free_*
  /// and segment_* actions. Each device is a space.
  Torch,
};
template <> struct EnumNames<TraceForm> {
  static constexpr std::array<std::string_view, 2> names = {"csv", "torch"};
};

/// One allocation, from its alloc event to its free event.
struct TracedBuffer {
  std::string name;
  uint64_t pointer = 0;
  int64_t bytes = 0;
  /// Live at the events [begin, end). Memory from before the trace begins at 0;
  /// memory that was never freed ends behind the last event.
  size_t begin = 0, end = 0;
  /// Index into Trace::spaces.
  uint32_t space = 0;
};

struct Trace {
  std::vector<std::string> spaces;
  std::vector<TracedBuffer> buffers;
  /// Events are numbered from 1 to numEvents; 0 is before the trace.
  size_t numEvents = 0;
  /// The number of frees of memory that was allocated before the trace and
  /// whose size the trace does not state.
  size_t numUnknownFrees = 0;
  /// By space: the most bytes that the allocator held for it at once;
  /// std::nullopt if the trace does not state it.
  std::vector<std::optional<int64_t>> reservedBytes;
};

/// Reads a trace. A free of memory that is not live is taken as a free of
/// memory from before the trace; without a size it is only counted in
/// numUnknownFrees. Errors are malformed text, an allocation at an address that
/// is live, times that decrease, and sums of sizes that overflow int64. Returns
/// false and sets `error` to the first error, with its line and column. Linear.
bool parseTrace(std::string_view text, TraceForm form, Trace &trace,
                TextError &error);

/// The format that the text probably has.
TraceForm guessTraceForm(std::string_view text);

/// One problem for each space in use; its times are the numbers of events.
std::vector<ProblemInSpace> buildProblems(const Trace &trace,
                                          int64_t alignment = 64);

/// The trace as a graph with an op for each event, in order: an allocation
/// makes a value, and a free uses it for the last time. Memory from before the
/// trace is a donated input, memory that was never freed an output.
OpGraph makeGraph(const Trace &trace);

/// The number of addresses of the space that any buffer ever occupied, in
/// bytes: a lower bound of the bytes that the allocator used. O(n log n).
int64_t touchedBytes(const Trace &trace, uint32_t space);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_TRACE_H
