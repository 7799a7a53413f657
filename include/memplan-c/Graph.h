/*===- Graph.h - Op graphs for C ----------------------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of op graphs of any framework; docs/opgraph.md describes the model
// and the JSON form. Does not need MLIR; it is in the same library as Core.h,
// whose rules on ownership, errors and threads hold. A graph is never changed,
// so any threads may read it at once.
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
 *  \param text, length  JSON, in bytes; copied. An error in it gives
 *                       MEMPLAN_BAD_TEXT and a message with line and column.
 *  \param graph         receives a graph that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanGraphParse(const char *text, size_t length,
                                              MemplanGraph **graph);
MEMPLAN_C_API void memplanGraphDestroy(MemplanGraph *graph);

/** The graph with its schedule as JSON.
 *  \param text    receives terminated text, freed by memplanTextFree.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API MemplanResult memplanGraphFormat(const MemplanGraph *graph,
                                               char **text, size_t *length);

/** The graph's name, which belongs to the graph; NULL if `graph` is NULL. */
MEMPLAN_C_API const char *memplanGraphName(const MemplanGraph *graph);
MEMPLAN_C_API size_t memplanGraphOpCount(const MemplanGraph *graph);

/** The memory that counts. memplanMemoryOptionsInit sets the defaults. The
 * three lists are terminated names of origins, separated by commas: "op",
 *  "parameter", "constant", "primal", "rng", "input", "tangent", "donated",
 *  "all" (all but op), "none"; NULL (default) is "none". */
typedef struct MemplanMemoryOptions {
  /** The origins of memory that is never released, in addition to the default
   *  ones: parameter, constant, primal, rng, input. */
  const char *hold;
  /** Default origins that are released after their last use all the same. */
  const char *release;
  /** The origins of memory that is not counted. */
  const char *exclude;
  /** Not 0: a result reuses the memory of an operand that dies at its op, if a
   *  tie allows it. Default 0. */
  int inPlace;
} MemplanMemoryOptions;

MEMPLAN_C_API void memplanMemoryOptionsInit(MemplanMemoryOptions *options);

/** The memory profile of a graph: live bytes after each allocation and each
 *  release.
 *  \param options  NULL for the defaults; read before the call returns.
 *  \param format   MEMPLAN_TEXT, MEMPLAN_CSV, MEMPLAN_JSON or MEMPLAN_HTML.
 *  \param text, length
 *                  as for memplanGraphFormat. */
MEMPLAN_C_API MemplanResult memplanGraphProfile(
    const MemplanGraph *graph, const MemplanMemoryOptions *options,
    MemplanFormat format, char **text, size_t *length);

/** The profile of a forward and a backward graph. Inputs of the backward graph
 *  are outputs of the forward graph if they have the same id; if such values do
 *  not fit together, the result is MEMPLAN_BAD_ARGUMENT. As
 * memplanGraphProfile, without CSV. */
MEMPLAN_C_API MemplanResult memplanGraphPairProfile(
    const MemplanGraph *forward, const MemplanGraph *backward,
    const MemplanMemoryOptions *options, MemplanFormat format, char **text,
    size_t *length);

/** The planning problem of one memory space: it has a buffer for the claimed
 *  bytes of each allocation, for each unclaimed rest, and for the scratch of
 *  each op. Its peak is that of the profile in this space.
 *  \param space, spaceLength
 *                    the name of the memory space; empty for the default one.
 *                    MEMPLAN_BAD_ARGUMENT if the schedule does not use it.
 *  \param options    NULL for the defaults.
 *  \param alignment  bytes, a power of two: the least alignment of a buffer.
 *  \param problem    receives a problem that the caller destroys. */
MEMPLAN_C_API MemplanResult
memplanGraphProblem(const MemplanGraph *graph, const char *space,
                    size_t spaceLength, const MemplanMemoryOptions *options,
                    int64_t alignment, MemplanProblem **problem);

/** Splits a joint graph into a forward and a backward graph, so that the values
 *  that the forward graph saves cost least. MEMPLAN_BAD_ARGUMENT if the graph
 * is not a joint graph.
 *  \param strategy   terminated; "min-cut", or "default", which saves every
 *                    value that the backward graph uses; NULL for "min-cut".
 *  \param recompute  terminated; the highest cost class of ops that may be
 *                    recomputed: "free", "cheap", "medium" or "expensive"; NULL
 *                    for "medium".
 *  \param forward, backward
 *                    receive graphs that the caller destroys.
 *  \param report     receives terminated text, freed by memplanTextFree: the
 *                    saved values, the proof and the peaks, with one fact in
 *                    each line. */
MEMPLAN_C_API MemplanResult memplanGraphPartition(
    const MemplanGraph *graph, const char *strategy, const char *recompute,
    MemplanGraph **forward, MemplanGraph **backward, char **report);

/** The options of a partition, as those of `memplan-graph partition`.
 *  memplanPartitionOptionsInit sets the defaults. */
typedef struct MemplanPartitionOptions {
  /** Terminated; "default" or "min-cut" (default). */
  const char *strategy;
  /** Terminated; the highest cost class of ops that may be recomputed: "free",
   *  "cheap", "medium" (default) or "expensive". */
  const char *recompute;
  /** Not 0: saving any primal costs nothing, not only static ones; default 0.
   */
  int primalsAreHeld;
  /** Not 0: if the peak of the pair would be higher than with the default
   *  strategy, values that are recomputed there are saved instead; default 0.
   */
  int keepPeak;
  /** Search steps for the backward function's order. */
  int64_t orderSteps;
  /** The most bytes to keep between the functions; negative (default) for the
   *  fewest that ops up to `recompute` permit. */
  int64_t budget;
} MemplanPartitionOptions;

MEMPLAN_C_API void
memplanPartitionOptionsInit(MemplanPartitionOptions *options);

/** Decides how to split a joint graph, for callers that split it themselves.
 *  MEMPLAN_BAD_ARGUMENT if the graph is not a joint graph.
 *  \param options  NULL for the defaults; read before the call returns.
 *  \param text     receives terminated text, freed by memplanTextFree: a JSON
 *                  object with "format": "memplan.partition", the ids of the
 *                  "saved" values, the ids of the ops of "forward" and
 *                  "backward" in the order in which they run, the "recomputed"
 *                  ops, bytes, FLOPs, the capacity of the cut and the flow,
 *                  peaks and remarks.
 *  \param length   receives its length in bytes; may be NULL. */
MEMPLAN_C_API MemplanResult memplanGraphDecidePartition(
    const MemplanGraph *graph, const MemplanPartitionOptions *options,
    char **text, size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_GRAPH_H */
