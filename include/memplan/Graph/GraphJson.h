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
// lies in the storage of the same id; if the text does not declare this
// storage, it has the size of the value.
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

/// Reads a graph and checks it and its schedule (checkGraph, checkSchedule).
/// `schedule` becomes the schedule of the text, or std::nullopt if it has none.
/// Unknown and repeated keys are errors. Returns false and sets `error` to the
/// first error, with its line and column. Linear.
bool parseGraph(std::string_view text, OpGraph &graph,
                std::optional<Schedule> &schedule, TextError &error);

/// The graph in the form that parseGraph reads, with the schedule if one is
/// given. Members with default values are left out. Linear.
std::string formatGraph(const OpGraph &graph,
                        const Schedule *schedule = nullptr);

} // namespace memplan::graph

#endif // MEMPLAN_GRAPH_GRAPHJSON_H
