/*===- Graph.h - Op graphs for C ----------------------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a graph of operations needs, of any framework: docs/opgraph.md has the
// model and the JSON form. Needs no MLIR, and is in the same library as Core.h,
// whose rules on ownership, errors and threads hold: a graph is never changed,
// so that any threads may read it at once.
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_C_GRAPH_H
#define MEMPLAN_C_GRAPH_H

#include "memplan-c/Core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An op graph with a schedule: that of its text, or program order. */
typedef struct MemplanGraph MemplanGraph;

/** Reads and checks a graph.
 *  \param text, length  JSON, in bytes; copied. What is refused is
 *                       MEMPLAN_BAD_TEXT, and the message names line and
 *                       column.
 *  \param graph         receives a graph that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanGraphParse(const char *text, size_t length,
                                              MemplanGraph **graph);
MEMPLAN_C_API void memplanGraphDestroy(MemplanGraph *graph);

/** The graph with its schedule as JSON.
 *  \param text    receives terminated text, freed by memplanTextFree.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API MemplanResult memplanGraphFormat(const MemplanGraph *graph,
                                               char **text, size_t *length);

/** Its name; belongs to the graph. NULL for no graph. */
MEMPLAN_C_API const char *memplanGraphName(const MemplanGraph *graph);
MEMPLAN_C_API size_t memplanGraphOpCount(const MemplanGraph *graph);

/** How memory counts. memplanMemoryOptionsInit sets the defaults. The three
 *  lists are terminated names of origins, separated by commas: "op",
 *  "parameter", "constant", "primal", "rng", "input", "tangent", "donated",
 *  "all" (all but op), "none"; NULL (default) is "none". */
typedef struct MemplanMemoryOptions {
  /** Never released, besides the default ones: parameter, constant, primal,
   *  rng, input. */
  const char *hold;
  /** Released after their last use after all. */
  const char *release;
  /** Not counted. */
  const char *exclude;
  /** Not 0: a result takes the place of an operand that dies, where the op
   *  allows it. Default 0. */
  int inPlace;
} MemplanMemoryOptions;

MEMPLAN_C_API void memplanMemoryOptionsInit(MemplanMemoryOptions *options);

/** The memory profile of a graph: live bytes after each allocation and each
 *  release.
 *  \param options  NULL for the defaults; read before the call returns.
 *  \param format   MEMPLAN_TEXT, MEMPLAN_CSV, MEMPLAN_JSON or MEMPLAN_HTML.
 *  \param text, length
 *                  as of memplanGraphFormat. */
MEMPLAN_C_API MemplanResult memplanGraphProfile(
    const MemplanGraph *graph, const MemplanMemoryOptions *options,
    MemplanFormat format, char **text, size_t *length);

/** The profile of a forward and a backward graph, which takes outputs of the
 *  forward one by their ids. As memplanGraphProfile, without CSV. Saved values
 *  that do not fit together are MEMPLAN_BAD_ARGUMENT. */
MEMPLAN_C_API MemplanResult memplanGraphPairProfile(
    const MemplanGraph *forward, const MemplanGraph *backward,
    const MemplanMemoryOptions *options, MemplanFormat format, char **text,
    size_t *length);

/** What the schedule has in one memory space, as a problem of buffers: what
 *  each allocation claims, its rest and each op's scratch. Its peak is the
 *  profile's in that space.
 *  \param space, spaceLength
 *                    the name of the memory space; empty for the default one.
 *                    MEMPLAN_BAD_ARGUMENT if the schedule has nothing there.
 *  \param options    NULL for the defaults.
 *  \param alignment  bytes, a power of two: the least alignment of a buffer.
 *  \param problem    receives a problem that the caller destroys. */
MEMPLAN_C_API MemplanResult
memplanGraphProblem(const MemplanGraph *graph, const char *space,
                    size_t spaceLength, const MemplanMemoryOptions *options,
                    int64_t alignment, MemplanProblem **problem);

/** Splits a joint graph into a forward and a backward one, so that what the
 *  forward graph saves costs least. That the graph is no joint graph is
 *  MEMPLAN_BAD_ARGUMENT.
 *  \param strategy   terminated; "min-cut" or "default", which saves whatever
 *                    the backward graph uses; NULL for "min-cut".
 *  \param recompute  terminated; the highest class of op that is recomputed:
 *                    "free", "cheap", "medium" (for NULL) or "expensive".
 *  \param forward, backward
 *                    receive graphs that the caller destroys.
 *  \param report     receives terminated text, freed by memplanTextFree: what
 *                    was saved, the proof, the peaks; one fact a line. */
MEMPLAN_C_API MemplanResult memplanGraphPartition(
    const MemplanGraph *graph, const char *strategy, const char *recompute,
    MemplanGraph **forward, MemplanGraph **backward, char **report);

/** How to partition; as the options of `memplan-graph partition`.
 *  memplanPartitionOptionsInit sets the defaults. */
typedef struct MemplanPartitionOptions {
  /** Terminated; "default" or "min-cut" (default). */
  const char *strategy;
  /** Terminated; "bytes" (default) or "torch-compat". */
  const char *costModel;
  /** Terminated; the highest class of op that is recomputed: "free", "cheap",
   *  "medium" (default) or "expensive". */
  const char *recompute;
  /** Not 0 if every primal is free to keep, not only static ones; default 0. */
  int primalsAreHeld;
  /** Not 0: where the pair would peak higher than with the default strategy,
   *  what is computed again there is saved; default 0. */
  int keepPeak;
  /** torch-compat: recompute no op farther from the backward function; negative
   *  (default) for no limit. */
  int64_t maxDistance;
  /** Search steps for the backward function's order. */
  int64_t orderSteps;
} MemplanPartitionOptions;

MEMPLAN_C_API void
memplanPartitionOptionsInit(MemplanPartitionOptions *options);

/** Decides how to split a joint graph, for callers that split it themselves.
 *  \param options  NULL for the defaults; read before the call returns.
 *  \param text     receives terminated text, freed by memplanTextFree: a JSON
 *                  object with "format": "memplan.partition", the ids of the
 *                  "saved" values, the ids of the ops of "forward" and
 *                  "backward" in the order they run, those "recomputed", bytes,
 *                  FLOPs, the certificate of the cut, peaks and remarks.
 *  \param length   receives its length in bytes; may be NULL. */
MEMPLAN_C_API MemplanResult memplanGraphDecidePartition(
    const MemplanGraph *graph, const MemplanPartitionOptions *options,
    char **text, size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_GRAPH_H */
