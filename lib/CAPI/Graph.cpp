//===- Graph.cpp - Op graphs for C ----------------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan-c/Graph.h"

#include "CatchErrors.h"
#include "Handles.h"
#include "memplan/Core/CheckedMath.h"
#include "memplan/Graph/GraphJson.h"
#include "memplan/Graph/Pair.h"
#include "memplan/Graph/Partition.h"
#include "memplan/Graph/Profile.h"
#include "memplan/Graph/ProfileReport.h"
#include "memplan/Report/Picture.h"

#include <memory>

using namespace memplan;
using namespace memplan::capi;
using namespace memplan::graph;

/// The number of allocations that are listed, as the default of `memplan-graph
/// profile`.
static constexpr size_t kTop = 20;

static MemplanResult readOptions(const MemplanMemoryOptions *from,
                                 MemoryOptions &to) {
  if (!from)
    return MEMPLAN_OK;
  Origins held, released;
  for (auto [list, origins] :
       {std::pair(from->hold, &held), std::pair(from->release, &released),
        std::pair(from->exclude, &to.excluded)}) {
    std::optional<Origins> read = parseOrigins(list ? list : "none");
    if (!read)
      return badArgument("'" + std::string(list) + "' is not a list of " +
                         allNames<Origin>() + ", or all");
    *origins = *read;
  }
  to.held.insert(held);
  to.held.erase(released);
  to.takeTies = from->inPlace != 0;
  return MEMPLAN_OK;
}

MemplanResult memplanGraphParse(const char *text, size_t length,
                                MemplanGraph **graph) {
  return catchErrors([&] {
    std::optional<std::string_view> view = viewText(text, length);
    if (!view || !graph)
      return badArgument("memplanGraphParse: a parameter is NULL");
    auto result = std::make_unique<MemplanGraph>();
    std::optional<Schedule> stated;
    TextError error;
    if (!parseGraph(*view, result->graph, stated, error))
      return memplanFailWith(MEMPLAN_BAD_TEXT,
                             ("line " + std::to_string(error.line) +
                              ", column " + std::to_string(error.column) +
                              ": " + error.message)
                                 .c_str());
    result->schedule =
        stated ? std::move(*stated) : programOrder(result->graph);
    *graph = result.release();
    return MEMPLAN_OK;
  });
}

void memplanGraphDestroy(MemplanGraph *graph) { delete graph; }

MemplanResult memplanGraphFormat(const MemplanGraph *graph, char **text,
                                 size_t *length) {
  return catchErrors([&] {
    if (!graph || !text)
      return badArgument("memplanGraphFormat: a parameter is NULL");
    return returnText(formatGraph(graph->graph, &graph->schedule), text,
                      length);
  });
}

const char *memplanGraphName(const MemplanGraph *graph) {
  return graph ? graph->graph.name.c_str() : nullptr;
}

size_t memplanGraphOpCount(const MemplanGraph *graph) {
  return graph ? graph->graph.ops.size() : 0;
}

void memplanMemoryOptionsInit(MemplanMemoryOptions *options) {
  if (options)
    *options = {nullptr, nullptr, nullptr, 0};
}

MemplanResult memplanGraphProfile(const MemplanGraph *graph,
                                  const MemplanMemoryOptions *options,
                                  MemplanFormat format, char **text,
                                  size_t *length) {
  return catchErrors([&] {
    if (!graph || !text)
      return badArgument("memplanGraphProfile: a parameter is NULL");
    MemoryOptions memory;
    if (MemplanResult bad = readOptions(options, memory))
      return bad;
    const OpGraph &own = graph->graph;
    MemoryProfile profile = buildProfile(own, graph->schedule, memory);
    switch (format) {
    case MEMPLAN_TEXT:
      return returnText(formatProfileText(own, profile, kTop, false), text,
                        length);
    case MEMPLAN_CSV:
      return returnText(formatProfileCsv(own, profile), text, length);
    case MEMPLAN_JSON:
      return returnText(formatProfileJson(own, profile), text, length);
    case MEMPLAN_HTML:
      return returnText(makeProfilePage(formatProfileJson(own, profile)), text,
                        length);
    default:
      return badArgument("a profile has no format " + std::to_string(format));
    }
  });
}

MemplanResult memplanGraphPairProfile(const MemplanGraph *forward,
                                      const MemplanGraph *backward,
                                      const MemplanMemoryOptions *options,
                                      MemplanFormat format, char **text,
                                      size_t *length) {
  return catchErrors([&] {
    if (!forward || !backward || !text)
      return badArgument("memplanGraphPairProfile: a parameter is NULL");
    MemoryOptions memory;
    if (MemplanResult bad = readOptions(options, memory))
      return bad;
    PairProfile pair;
    for (const GraphIssue &issue : buildPairProfile(
             forward->graph, forward->schedule, backward->graph,
             backward->schedule, matchSaved(forward->graph, backward->graph),
             memory, pair))
      return badArgument(issue.message);
    switch (format) {
    case MEMPLAN_TEXT:
      return returnText(formatPairText(forward->graph, pair, kTop, false), text,
                        length);
    case MEMPLAN_JSON:
      return returnText(formatPairJson(forward->graph, pair), text, length);
    case MEMPLAN_HTML:
      return returnText(makeProfilePage(formatPairJson(forward->graph, pair)),
                        text, length);
    default:
      return badArgument("a pair of profiles has no format " +
                         std::to_string(format));
    }
  });
}

MemplanResult memplanGraphProblem(const MemplanGraph *graph, const char *space,
                                  size_t spaceLength,
                                  const MemplanMemoryOptions *options,
                                  int64_t alignment, MemplanProblem **problem) {
  return catchErrors([&] {
    std::optional<std::string_view> name = viewText(space, spaceLength);
    if (!graph || !name || !problem)
      return badArgument("memplanGraphProblem: a parameter is NULL");
    if (!isPowerOfTwo(alignment))
      return badArgument("alignment " + std::to_string(alignment) +
                         " is not a power of two");
    MemoryOptions memory;
    if (MemplanResult bad = readOptions(options, memory))
      return bad;
    ScheduleMemory ran = runSchedule(graph->graph, graph->schedule, memory);
    for (ProblemInSpace &part : buildProblems(graph->graph, ran, alignment)) {
      if (ran.spaces[part.space] != *name)
        continue;
      auto result = std::make_unique<MemplanProblem>();
      result->problem = std::move(part.problem);
      *problem = result.release();
      return MEMPLAN_OK;
    }
    return badArgument("the schedule has nothing in memory space '" +
                       std::string(*name) + "'");
  });
}

template <typename Enum>
static MemplanResult readName(const char *name, Enum &result) {
  std::optional<Enum> named = name ? parseName<Enum>(name) : std::nullopt;
  if (!named)
    return badArgument("'" + std::string(name ? name : "") + "' is not " +
                       allNames<Enum>());
  result = *named;
  return MEMPLAN_OK;
}

MemplanResult memplanGraphPartition(const MemplanGraph *graph,
                                    const char *strategy, const char *recompute,
                                    MemplanGraph **forward,
                                    MemplanGraph **backward, char **report) {
  return catchErrors([&] {
    if (!graph || !forward || !backward || !report)
      return badArgument("memplanGraphPartition: a parameter is NULL");
    PartitionOptions options;
    if (strategy)
      if (MemplanResult bad = readName(strategy, options.strategy))
        return bad;
    if (recompute)
      if (MemplanResult bad = readName(recompute, options.recompute))
        return bad;
    const OpGraph &joint = graph->graph;
    if (std::string why = whyNotJoint(joint); !why.empty())
      return badArgument("not a joint graph: " + why);
    Partition parts = partition(joint, options);
    auto first = std::make_unique<MemplanGraph>();
    auto second = std::make_unique<MemplanGraph>();
    first->graph = forwardPart(joint, parts).graph;
    first->schedule = programOrder(first->graph);
    second->graph = backwardPart(joint, parts).graph;
    second->schedule = programOrder(second->graph);
    *report = copyText(partitionReport(joint, parts));
    *forward = first.release();
    *backward = second.release();
    return MEMPLAN_OK;
  });
}

void memplanPartitionOptionsInit(MemplanPartitionOptions *options) {
  if (!options)
    return;
  options->strategy = "min-cut";
  options->recompute = "medium";
  options->primalsAreHeld = 0;
  options->keepPeak = 0;
  options->orderSteps = PartitionOptions().orderSteps;
  options->budget = -1;
}

MemplanResult
memplanGraphDecidePartition(const MemplanGraph *graph,
                            const MemplanPartitionOptions *options, char **text,
                            size_t *length) {
  return catchErrors([&] {
    if (!graph || !text)
      return badArgument("memplanGraphDecidePartition: a parameter is NULL");
    PartitionOptions decided;
    if (options) {
      if (MemplanResult bad = readName(options->strategy, decided.strategy))
        return bad;
      if (MemplanResult bad = readName(options->recompute, decided.recompute))
        return bad;
      decided.primalsAreHeld = options->primalsAreHeld != 0;
      decided.keepPeak = options->keepPeak != 0;
      decided.orderSteps = options->orderSteps;
      if (options->budget >= 0)
        decided.budget = options->budget;
    }
    if (std::string why = whyNotUsable(decided); !why.empty())
      return badArgument(why);
    if (std::string why = whyNotJoint(graph->graph); !why.empty())
      return badArgument("not a joint graph: " + why);
    return returnText(
        partitionJson(graph->graph, partition(graph->graph, decided)), text,
        length);
  });
}
