//===- GraphJson.h - Op graphs as JSON --------------------------*- C++ -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text form of an op graph; docs/opgraph.md describes it and
// docs/opgraph.schema.json states it. In short:
//
//   {"format": "memplan.opgraph", "version": 1, "name": ...,
//    "storages": [{"id", "bytes", ...}],   only those not implied by a value
//    "values":   [{"id", "bytes", "storage", "offset"}],
//    "inputs":   [{"value", "role", ...}],
//    "ops":      [{"id", "operands": [value], "results": [value], ...}],
//    "outputs":  [value], "forward_outputs": number, "schedule": [op]}
//
// Storages, values and ops are named by their ids. A value without "storage"
// lies in the storage of its own id, which is made with its size where the text
// states none.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_GRAPH_GRAPHJSON_H
#define MEMPLAN_GRAPH_GRAPHJSON_H

#include "memplan/Core/TextError.h"
#include "memplan/Graph/OpGraph.h"

#include <optional>
#include <string>
#include <string_view>

namespace memplan::graph {

/// Reads a graph, and checks it and its schedule (checkGraph, checkSchedule).
/// `schedule` becomes the text's, or nothing where it has none. False with
/// `error` set, to the line and column concerned, when the text is refused:
/// also for unknown and repeated keys. Linear.
bool parseGraph(std::string_view text, OpGraph &graph,
                std::optional<Schedule> &schedule, TextError &error);

/// The graph as parseGraph reads it; with a schedule where one is given. What
/// has its default value is left out. Linear.
std::string formatGraph(const OpGraph &graph,
                        const Schedule *schedule = nullptr);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_GRAPHJSON_H
