//===- FuzzReadGraph.cpp - Readers of op graphs and traces
//------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Op graphs as JSON and traces in all forms. A graph that is read and written
// is read again as the same; graphs and traces that are read can be profiled
// and planned.

#include "Bytes.h"

#include "memplan/Core/Verify.h"
#include "memplan/Graph/Check.h"
#include "memplan/Graph/Dot.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Graph/OpTable.h"
#include "memplan/Graph/ProfileReport.h"
#include "memplan/Graph/Trace.h"

using namespace memplan;
using namespace memplan::fuzz;
using namespace memplan::graph;

static void useGraph(const OpGraph &graph, const Schedule &schedule) {
  require(checkGraph(graph).empty(), "parseGraph() accepts a wrong graph");
  require(checkSchedule(graph, schedule).empty(),
          "parseGraph() accepts a wrong schedule");
  std::string text = formatGraph(graph, &schedule);
  OpGraph again;
  std::optional<Schedule> scheduleAgain;
  TextError error;
  require(parseGraph(text, again, scheduleAgain, error),
          "a written graph is not read");
  require(scheduleAgain == schedule &&
              formatGraph(again, &*scheduleAgain) == text,
          "a written graph is read as another one");
  MemoryProfile profile = buildProfile(graph, schedule);
  (void)formatProfileText(graph, profile, 4, true);
  (void)formatProfileCsv(graph, profile);
  (void)formatProfileJson(graph, profile);
  (void)formatDot(graph, &schedule);
  OpTable table = buildOpTable(graph);
  (void)formatOpTableText(graph, table);
  (void)formatOpTableJson(graph, table);
  for (const ProblemInSpace &space : buildProblems(graph, profile.memory))
    require(space.problem.arenaAlignment >= 64, "a problem is not aligned");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  OpGraph graph;
  std::optional<Schedule> schedule;
  TextError error;
  if (parseGraph(text, graph, schedule, error)) {
    useGraph(graph, schedule ? *schedule : programOrder(graph));
    return 0;
  }
  require(!error.message.empty(), "an error has no message");
  for (TraceForm form : {TraceForm::Csv, TraceForm::Torch}) {
    Trace trace;
    if (!parseTrace(text, form, trace, error)) {
      require(!error.message.empty(), "an error has no message");
      continue;
    }
    for (const TracedBuffer &buffer : trace.buffers)
      require(buffer.begin < buffer.end && buffer.bytes >= 0 &&
                  buffer.end <= trace.numEvents + 1 &&
                  buffer.space < trace.spaces.size(),
              "a traced buffer is wrong");
    for (const ProblemInSpace &space : buildProblems(trace))
      require(touchedBytes(trace, space.space) >= 0, "bytes are negative");
  }
  return 0;
}
