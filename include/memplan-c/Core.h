/*===- Core.h - The planner's core for C ---------------------------*- C
-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems, plans, solving and verifying, without MLIR: link libMemPlanC.
// memplan/Core describes the model; the words here mean the same.
//
// Rules that hold for every function:
//
// - Objects. An object that a function creates is the caller's, who destroys
//   it; destroying NULL does nothing. What a getter returns belongs to the
//   object and is valid until that is changed or destroyed.
// - Text. Input is a pointer and a length in bytes, not terminated; NULL is
//   allowed for length 0. Returned text is terminated by a zero byte, which
//   its length does not count. Text may be any bytes; ids are UTF-8 by custom.
// - Errors. A function that can fail returns a MemplanResult. If that is not
//   MEMPLAN_OK nothing was changed, output parameters are as they were, and
//   memplanLastError tells why. An object that is NULL, an index out of
//   range, an enumerator that is none of its enumeration or a missing output
//   parameter is MEMPLAN_BAD_ARGUMENT; getters without a result return 0 or
//   NULL then. No C++ exception leaves a function.
// - Threads. Different objects may be used by different threads at once. One
//   object may be read by several at once (solving and verifying read their
//   problem), and is not to be changed meanwhile. memplanStop is for any
//   thread.
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_C_CORE_H
#define MEMPLAN_C_CORE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MEMPLAN_C_API __attribute__((visibility("default")))
#else
#define MEMPLAN_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum MemplanResult {
  MEMPLAN_OK = 0,
  /** A parameter is not what the function asks for. */
  MEMPLAN_BAD_ARGUMENT = 1,
  /** A text could not be read; the message names the line. */
  MEMPLAN_BAD_TEXT = 2,
  /** Memory or another resource (a thread) could not be had. */
  MEMPLAN_NO_RESOURCES = 3
} MemplanResult;

/** Why the last function of this thread that failed did so: one line, or "" if
 *  none has. Valid until the thread's next call that fails. Never NULL. */
MEMPLAN_C_API const char *memplanLastError(void);

/** "major.minor.patch" of the library; never NULL. */
MEMPLAN_C_API const char *memplanVersion(void);

/** Frees a text that a function has handed out. `text` may be NULL. */
MEMPLAN_C_API void memplanTextFree(char *text);

/*===-- Problems ----------------------------------------------------------===*/

typedef struct MemplanProblem MemplanProblem;

/** A half-open interval [start, end) of time points. */
typedef struct MemplanRange {
  int64_t start;
  int64_t end;
} MemplanRange;

/** An empty problem: no capacity, the arena aligned to 64 bytes. NULL if there
 *  is no memory. The caller destroys it. */
MEMPLAN_C_API MemplanProblem *memplanProblemCreate(void);
MEMPLAN_C_API void memplanProblemDestroy(MemplanProblem *problem);

/** Reads a problem in the CSV form of memplan/Core/Csv.h, whose column `offset`
 *  pins buffers.
 *  \param text, length  the text, in bytes; copied.
 *  \param problem       receives a problem that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanProblemParse(const char *text, size_t length,
                                                MemplanProblem **problem);

/** Adds a buffer. What it says is judged by memplanCheck, not here.
 *  \param id, idLength  its name, unique in the problem; copied.
 *  \param size          bytes.
 *  \param alignment     bytes, a power of two.
 *  \param ranges, rangeCount
 *                       when it is live: at least one range, in any order, made
 *                       into sorted disjoint ones; copied. An empty range
 *                       (start >= end) is MEMPLAN_BAD_ARGUMENT.
 *  \param index         receives its index, counting from 0; may be NULL. */
MEMPLAN_C_API MemplanResult memplanProblemAddBuffer(
    MemplanProblem *problem, const char *id, size_t idLength, int64_t size,
    int64_t alignment, const MemplanRange *ranges, size_t rangeCount,
    size_t *index);

/** Every plan must give the buffer this offset (bytes). */
MEMPLAN_C_API MemplanResult memplanProblemPin(MemplanProblem *problem,
                                              size_t buffer, int64_t offset);

/** The two buffers may never share a byte, whatever their live ranges. */
MEMPLAN_C_API MemplanResult memplanProblemAddConflict(MemplanProblem *problem,
                                                      size_t first,
                                                      size_t second);

/** The two buffers may share bytes although both are live, provided that
 *  minDelta <= offset(second) - offset(first) <= maxDelta (bytes). */
MEMPLAN_C_API MemplanResult memplanProblemAddOverlap(MemplanProblem *problem,
                                                     size_t first,
                                                     size_t second,
                                                     int64_t minDelta,
                                                     int64_t maxDelta);

/** Bytes the arena may have; negative for no limit. */
MEMPLAN_C_API MemplanResult memplanProblemSetCapacity(MemplanProblem *problem,
                                                      int64_t bytes);

/** What the arena's base address is aligned to: bytes, a power of two, the
 *  largest alignment that a buffer may have. */
MEMPLAN_C_API MemplanResult
memplanProblemSetArenaAlignment(MemplanProblem *problem, int64_t bytes);

MEMPLAN_C_API size_t memplanProblemBufferCount(const MemplanProblem *problem);

/** One buffer of a problem; the pointers belong to the problem. */
typedef struct MemplanBuffer {
  const char *id;
  size_t idLength;
  int64_t size;
  int64_t alignment;
  const MemplanRange *ranges;
  size_t rangeCount;
  /** Bytes, or -1 where the buffer is not pinned. */
  int64_t pinnedOffset;
} MemplanBuffer;

/** Describes a buffer in `*buffer`, which is the caller's. */
MEMPLAN_C_API MemplanResult memplanProblemGetBuffer(
    const MemplanProblem *problem, size_t index, MemplanBuffer *buffer);

/** Bytes: no correct plan has a smaller arena. The problem must be one that
 *  memplanCheck accepts: MEMPLAN_BAD_ARGUMENT otherwise. */
MEMPLAN_C_API MemplanResult
memplanProblemLowerBound(const MemplanProblem *problem, int64_t *bytes);

/*===-- Issues ------------------------------------------------------------===*/

/** What is wrong with a problem or a plan; empty if nothing is. */
typedef struct MemplanIssues MemplanIssues;

MEMPLAN_C_API void memplanIssuesDestroy(MemplanIssues *issues);
MEMPLAN_C_API size_t memplanIssuesCount(const MemplanIssues *issues);
/** One line, lower case, with the names and numbers involved. */
MEMPLAN_C_API const char *memplanIssuesMessage(const MemplanIssues *issues,
                                               size_t issue);
/** The buffers concerned.
 *  \param count  receives how many: none, one or two.
 *  \return indices in the problem; they belong to `issues`. */
MEMPLAN_C_API const uint32_t *memplanIssuesBuffers(const MemplanIssues *issues,
                                                   size_t issue, size_t *count);

/** Finds what no strategy may be handed, at most `maxIssues` of it.
 *  \param issues  receives an object that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanCheck(const MemplanProblem *problem,
                                         size_t maxIssues,
                                         MemplanIssues **issues);

/*===-- Plans -------------------------------------------------------------===*/

typedef struct MemplanPlan MemplanPlan;

typedef enum MemplanStatus {
  /** Proven: no plan has a smaller arena. */
  MEMPLAN_OPTIMAL = 0,
  /** A correct plan; a smaller one may exist. */
  MEMPLAN_FEASIBLE = 1,
  /** Proven: no plan fits the capacity, or the pins contradict each other. */
  MEMPLAN_INFEASIBLE = 2,
  /** A limit ended the search; offsets, if any, may exceed the capacity. */
  MEMPLAN_LIMIT = 3,
  /** memplanCheck refuses the problem. */
  MEMPLAN_INVALID = 4,
  /** Not a status: makes room for any number in the type. */
  MEMPLAN_STATUS_MAX = 0x7fffffff
} MemplanStatus;

/** A plan from elsewhere, to be verified. Its status is MEMPLAN_FEASIBLE, its
 *  arena the highest end of a buffer (where that overflows, INT64_MAX).
 *  \param offsets  bytes, one for each buffer of the problem, in its order;
 *                  copied.
 *  \param count    how many there are: MEMPLAN_BAD_ARGUMENT if that is not the
 *                  number of buffers.
 *  \param plan     receives a plan that the caller destroys. It does not refer
 *                  to the problem. */
MEMPLAN_C_API MemplanResult memplanPlanCreate(const MemplanProblem *problem,
                                              const int64_t *offsets,
                                              size_t count, MemplanPlan **plan);
MEMPLAN_C_API void memplanPlanDestroy(MemplanPlan *plan);

MEMPLAN_C_API MemplanStatus memplanPlanStatus(const MemplanPlan *plan);
/** \param count  receives the number of offsets: that of the buffers, or 0
 * where no plan was found; may be NULL.
 *  \return bytes from the arena's base, by buffer; they belong to the plan. */
MEMPLAN_C_API const int64_t *memplanPlanOffsets(const MemplanPlan *plan,
                                                size_t *count);
/** Bytes. */
MEMPLAN_C_API int64_t memplanPlanArenaSize(const MemplanPlan *plan);
/** Bytes: proven, no plan is smaller. */
MEMPLAN_C_API int64_t memplanPlanLowerBound(const MemplanPlan *plan);
/** Search steps spent. */
MEMPLAN_C_API int64_t memplanPlanNodes(const MemplanPlan *plan);
/** The strategy that found the offsets. */
MEMPLAN_C_API const char *memplanPlanStrategy(const MemplanPlan *plan);
/** What was done and why it ended, or what is wrong with the problem. */
MEMPLAN_C_API const char *memplanPlanMessage(const MemplanPlan *plan);
/** "optimal", "feasible", "infeasible", "limit" or "invalid"; NULL for no
 *  status. */
MEMPLAN_C_API const char *memplanStatusName(MemplanStatus status);

/** Verifies a plan, trusting nothing in it; at most `maxIssues` issues.
 *  \param issues  receives an object that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanVerify(const MemplanProblem *problem,
                                          const MemplanPlan *plan,
                                          size_t maxIssues,
                                          MemplanIssues **issues);

/*===-- Solving -----------------------------------------------------------===*/

/** Ends a solve from another thread, or from a signal handler. */
typedef struct MemplanStop MemplanStop;

/** NULL if there is no memory. The caller destroys it, after the solves that
 *  were given it have returned. */
MEMPLAN_C_API MemplanStop *memplanStopCreate(void);
MEMPLAN_C_API void memplanStopDestroy(MemplanStop *stop);
/** Every solve with this object, running or begun later, ends as at a time
 *  limit: with the best plan so far. */
MEMPLAN_C_API void memplanStop(MemplanStop *stop);

/** Called by the thread that solves, now and then while it searches; must not
 *  throw or jump out.
 *  \param arenaSize, lowerBound  bytes: the best so far, and what is proven.
 *  \param nodes                  search steps so far. */
typedef void (*MemplanProgress)(int64_t arenaSize, int64_t lowerBound,
                                int64_t nodes, void *userData);

/** How to solve. memplanSolveOptionsInit sets the defaults. */
typedef struct MemplanSolveOptions {
  /** Terminated; a name as in every tool: "auto" (default), "naive",
   *  "linear-scan", "greedy", "greedy-by-size", "greedy-by-breadth",
   *  "best-fit", "hill-climb", "exact". */
  const char *strategy;
  /** Terminated; "low", "normal" (default) or "high". */
  const char *effort;
  /** Search steps; negative (default) for what the effort says. */
  int64_t nodeLimit;
  /** Milliseconds; negative (default) for no limit. */
  int64_t timeLimitMs;
  uint64_t seed;
  /** Threads that search, at most 1024; 0 for all cores; default 1. */
  uint32_t threads;
  /** NULL (default) for none; not owned. */
  MemplanStop *stop;
  /** NULL (default) for none. */
  MemplanProgress progress;
  /** Handed to `progress`; not touched. */
  void *userData;
} MemplanSolveOptions;

MEMPLAN_C_API void memplanSolveOptionsInit(MemplanSolveOptions *options);

/** Checks and solves the problem and verifies the plan. That there is no plan
 *  is a status of the plan, not an error.
 *  \param options  NULL for the defaults; read before the call returns.
 *  \param plan     receives a plan that the caller destroys. It does not refer
 *                  to the problem. */
MEMPLAN_C_API MemplanResult memplanSolve(const MemplanProblem *problem,
                                         const MemplanSolveOptions *options,
                                         MemplanPlan **plan);

/*===-- Reports -----------------------------------------------------------===*/

typedef enum MemplanFormat {
  /** memplan/Core/Csv.h, with the offsets. */
  MEMPLAN_CSV = 0,
  /** One JSON object, as of memplan-solve. */
  MEMPLAN_JSON = 1,
  /** A map of the arena for terminals; needs offsets. */
  MEMPLAN_MAP = 2,
  /** A picture of the arena; needs offsets. */
  MEMPLAN_SVG = 3,
  /** A page for browsers, in one piece; needs offsets. */
  MEMPLAN_HTML = 4,
  /** For people, as of memplan-solve. */
  MEMPLAN_TEXT = 5,
  /** Not a format: makes room for any number in the type. */
  MEMPLAN_FORMAT_MAX = 0x7fffffff
} MemplanFormat;

/** Writes a plan of this problem.
 *  \param plan    must have as many offsets as the problem has buffers, or,
 *                 but for CSV and the map, none.
 *  \param text    receives terminated text, freed by memplanTextFree.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API MemplanResult memplanReport(const MemplanProblem *problem,
                                          const MemplanPlan *plan,
                                          MemplanFormat format, char **text,
                                          size_t *length);

typedef enum MemplanPageKind {
  /** Of a report as memplan-opt and memplan-solve write it. */
  MEMPLAN_PLAN_PAGE = 0,
  /** Of a memory profile as memplan-profile and memplan-graph write it. */
  MEMPLAN_PROFILE_PAGE = 1,
  /** Not a page: makes room for any number in the type. */
  MEMPLAN_PAGE_MAX = 0x7fffffff
} MemplanPageKind;

/** A page for browsers, in one piece, of what is JSON already. The text is not
 *  checked; of something else the page shows nothing.
 *  \param json, jsonLength  in bytes; copied.
 *  \param text, length      as of memplanReport. */
MEMPLAN_C_API MemplanResult memplanPage(MemplanPageKind kind, const char *json,
                                        size_t jsonLength, char **text,
                                        size_t *length);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_CORE_H */
