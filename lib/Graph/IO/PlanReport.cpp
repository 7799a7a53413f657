//===- PlanReport.cpp - Reports of planned op graphs ----------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Graph/PlanReport.h"

#include "memplan/Core/Bound.h"
#include "memplan/Core/JsonWriter.h"

#include <cstdio>

using namespace memplan;
using namespace memplan::graph;

std::string
memplan::graph::formatPlansText(const std::vector<SolvedSpace> &solved) {
  std::string text;
  for (const SolvedSpace &space : solved) {
    auto line = [&](const char *key, const std::string &value) {
      text += std::string(key) + ": " + value + "\n";
    };
    if (!text.empty())
      text += "\n";
    line("space", space.name.empty() ? "(default)" : space.name);
    line("buffers", std::to_string(space.problem.buffers.size()));
    line("peak", std::to_string(space.peakBytes));
    line("bound", std::to_string(space.plan.lowerBound));
    if (space.plan.hasOffsets()) {
      char ratio[32];
      std::snprintf(ratio, sizeof(ratio), "%.6f",
                    space.peakBytes > 0
                        ? double(space.plan.arenaSize) / double(space.peakBytes)
                        : 1.0);
      line("arena", std::to_string(space.plan.arenaSize));
      line("arena/peak", ratio);
    }
    if (space.allocatorBytes) {
      // Fragmentation: the share of the held bytes that are unused even at the
      // peak.
      int64_t held = *space.allocatorBytes;
      char share[32];
      std::snprintf(share, sizeof(share), "%.2f %%",
                    held > 0
                        ? 100.0 * double(held - space.peakBytes) / double(held)
                        : 0.0);
      line("allocator", std::to_string(held));
      line("fragmentation", share);
    }
    line("sum", std::to_string(totalSize(space.problem)));
    line("status", std::string(statusName(space.plan.status)));
    line("strategy", space.plan.strategy);
    if (!space.plan.message.empty())
      line("message", space.plan.message);
  }
  return text;
}

Report memplan::graph::makeSpaceReport(std::string_view graphName,
                                       const SolvedSpace &space) {
  Report report =
      makeReport(space.problem, space.plan,
                 parseStrategy(space.plan.strategy).value_or(Strategy::Auto),
                 std::string(graphName));
  if (!space.name.empty())
    report.arenas.front().memorySpace = space.name;
  return report;
}

std::string
memplan::graph::formatPlansJson(std::string_view graphName,
                                const std::vector<SolvedSpace> &spaces) {
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.member("format", "memplan.graph_plan");
  json.member("version", 1);
  json.member("graph", graphName);
  json.objects("spaces", spaces, [&](const SolvedSpace &space) {
    json.member("space", space.name);
    json.member("peak_bytes", space.peakBytes);
    if (space.allocatorBytes)
      json.member("allocator_bytes", *space.allocatorBytes);
    json.key("plan");
    json.json(formatJson(makeSpaceReport(graphName, space)));
  });
  json.endObject();
  return out + "\n";
}
