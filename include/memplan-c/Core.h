/*===- Core.h - The planner's core for C --------------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problems, plans, solving and verifying, without MLIR; link libMemPlanC. The
// headers of memplan/Core describe the model; the terms here are the same.
//
// Rules that hold for every function:
//
// - Objects. The caller owns the objects that functions create and must destroy
//   them; destroying NULL does nothing. A pointer that a getter returns belongs
//   to the object and is valid until the object is changed or destroyed.
// - Text. Input is a pointer and a length in bytes, not terminated; NULL is
//   allowed for length 0. Returned text is terminated by a zero byte, which
//   its length does not include. Text may be any bytes; ids should be UTF-8.
// - Errors. A function that can fail returns a MemplanResult. If it is not
//   MEMPLAN_OK, objects and output parameters are unchanged, and
//   memplanLastError returns the reason. An object that is NULL, an index out
//   of range, an invalid enumerator or a missing output parameter gives
//   MEMPLAN_BAD_ARGUMENT; functions that return a value return 0 or NULL
//   instead. No C++ exception leaves a function.
// - Threads. Threads may use different objects at once. Several threads may
//   read one object at once (solving and verifying read their problem) as long
//   as no thread changes it. memplanStop may be called by any thread.
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
  /** A parameter is invalid. */
  MEMPLAN_BAD_ARGUMENT = 1,
  /** A text has an error; the message names the line. */
  MEMPLAN_BAD_TEXT = 2,
  /** Memory or another resource (a thread) is not available. */
  MEMPLAN_NO_RESOURCES = 3
} MemplanResult;

/** The reason if the thread's last call of a function that can fail has failed:
 *  one line. "" if that call succeeded, or without a call. Functions that
 *  cannot fail, such as getters and memplan...Destroy, do not change it. Valid
 *  until the thread's next call of a function that can fail. Never NULL. */
MEMPLAN_C_API const char *memplanLastError(void);

/** "major.minor.patch" of the library; never NULL. */
MEMPLAN_C_API const char *memplanVersion(void);

/** Frees a text that a function has returned. `text` may be NULL. */
MEMPLAN_C_API void memplanTextFree(char *text);

/*===-- Problems ----------------------------------------------------------===*/

typedef struct MemplanProblem MemplanProblem;

/** A half-open interval [start, end) of time points. */
typedef struct MemplanRange {
  int64_t start;
  int64_t end;
} MemplanRange;

/** Creates an empty problem without capacity, with the arena aligned to 64
 *  bytes. NULL if memory is exhausted. The caller destroys it. */
MEMPLAN_C_API MemplanProblem *memplanProblemCreate(void);
MEMPLAN_C_API void memplanProblemDestroy(MemplanProblem *problem);

/** Reads a problem in the CSV form of memplan/Core/Csv.h, whose column `offset`
 *  pins buffers.
 *  \param text, length  the text, in bytes; copied.
 *  \param problem       receives a problem that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanProblemParse(const char *text, size_t length,
                                                MemplanProblem **problem);

/** Adds a buffer. Size, alignment and id are checked by memplanCheck, not here.
 *  \param id, idLength  its name, unique in the problem; copied.
 *  \param size          bytes.
 *  \param alignment     bytes, a power of two.
 *  \param ranges, rangeCount
 *                       the live ranges: at least one, in any order; copied,
 *                       sorted and merged. An empty range (start >= end) is
 *                       MEMPLAN_BAD_ARGUMENT.
 *  \param index         receives its index, counting from 0; may be NULL. */
MEMPLAN_C_API MemplanResult memplanProblemAddBuffer(
    MemplanProblem *problem, const char *id, size_t idLength, int64_t size,
    int64_t alignment, const MemplanRange *ranges, size_t rangeCount,
    size_t *index);

/** In place of a number that a field does not have. */
#define MEMPLAN_ABSENT INT64_MIN

/** The fields of a buffer that are numbers, such as "size", "alignment" and
 *  "pin": the names of columns of CSV and of members of reports.
 *  \param number        counts the fields from 0.
 *  \param defaultValue  receives what a new buffer has; may be NULL.
 *  \return NULL if there are fewer fields. */
MEMPLAN_C_API const char *memplanBufferField(size_t number,
                                             int64_t *defaultValue);
/** Sets or returns a field of a buffer by its name, which is terminated. The
 *  value is checked by memplanCheck, not here. An unknown name, and
 *  MEMPLAN_ABSENT for a field that each buffer has, is MEMPLAN_BAD_ARGUMENT. */
MEMPLAN_C_API MemplanResult memplanProblemSetBufferField(
    MemplanProblem *problem, size_t buffer, const char *field, int64_t value);
MEMPLAN_C_API MemplanResult
memplanProblemGetBufferField(const MemplanProblem *problem, size_t buffer,
                             const char *field, int64_t *value);
/** Sets a number of the problem: "alignment" (of the arena), "capacity" or
 *  "bank_size". */
MEMPLAN_C_API MemplanResult memplanProblemSetField(MemplanProblem *problem,
                                                   const char *field,
                                                   int64_t value);

/** Every plan must give the buffer this offset (bytes). */
MEMPLAN_C_API MemplanResult memplanProblemPin(MemplanProblem *problem,
                                              size_t buffer, int64_t offset);

/** The two buffers must not share a byte, whatever their live ranges. */
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

/** What two buffers of a soft conflict should not have in common. */
typedef enum MemplanSoftKind {
  MEMPLAN_SOFT_BYTES = 0,
  /** Requires a bank size. */
  MEMPLAN_SOFT_BANK = 1,
  /** Not a kind: makes room for any number in the type. */
  MEMPLAN_SOFT_MAX = 0x7fffffff
} MemplanSoftKind;

typedef struct MemplanSoftConflict {
  size_t first;
  size_t second;
  int64_t weight;
  MemplanSoftKind kind;
} MemplanSoftConflict;

/** A plan pays the weight (not negative) if the two buffers share a byte, or
 * are in one bank. A plan that fits the capacity comes first, the least sum of
 * the weights paid second, the smallest arena third. */
MEMPLAN_C_API MemplanResult memplanProblemAddSoftConflict(
    MemplanProblem *problem, MemplanSoftConflict conflict);
MEMPLAN_C_API size_t
memplanProblemSoftConflictCount(const MemplanProblem *problem);
/** Fills in `*conflict`, which the caller owns. */
MEMPLAN_C_API MemplanResult memplanProblemGetSoftConflict(
    const MemplanProblem *problem, size_t index, MemplanSoftConflict *conflict);

/** The two buffers begin at the same byte or share none. */
MEMPLAN_C_API MemplanResult memplanProblemAddAllOrNone(MemplanProblem *problem,
                                                       size_t first,
                                                       size_t second);
MEMPLAN_C_API size_t
memplanProblemAllOrNoneCount(const MemplanProblem *problem);
MEMPLAN_C_API MemplanResult memplanProblemGetAllOrNone(
    const MemplanProblem *problem, size_t index, size_t *first, size_t *second);

/** No buffer crosses a multiple of `bytes`; 0 for no banks. */
MEMPLAN_C_API MemplanResult memplanProblemSetBankSize(MemplanProblem *problem,
                                                      int64_t bytes);

/** The most bytes that the arena may have; negative for no limit. */
MEMPLAN_C_API MemplanResult memplanProblemSetCapacity(MemplanProblem *problem,
                                                      int64_t bytes);

/** The alignment of the arena's base address in bytes, a power of two. No
 *  buffer may have a larger alignment. */
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
  /** In bytes, or -1 if the buffer is not pinned. */
  int64_t pinnedOffset;
} MemplanBuffer;

/** Fills in `*buffer`, which the caller owns. */
MEMPLAN_C_API MemplanResult memplanProblemGetBuffer(
    const MemplanProblem *problem, size_t index, MemplanBuffer *buffer);

/** A lower bound of the arena in bytes: no correct plan has a smaller arena.
 *  MEMPLAN_BAD_ARGUMENT if memplanCheck does not accept the problem. */
MEMPLAN_C_API MemplanResult
memplanProblemLowerBound(const MemplanProblem *problem, int64_t *bytes);

/*===-- Issues ------------------------------------------------------------===*/

/** A list of the errors of a problem or a plan; empty if it has none. */
typedef struct MemplanIssues MemplanIssues;

MEMPLAN_C_API void memplanIssuesDestroy(MemplanIssues *issues);
MEMPLAN_C_API size_t memplanIssuesCount(const MemplanIssues *issues);
/** One line in lower case, with the names and numbers involved. */
MEMPLAN_C_API const char *memplanIssuesMessage(const MemplanIssues *issues,
                                               size_t issue);
/** The buffers that the error is about.
 *  \param count  receives their number: 0, 1 or 2.
 *  \return indices in the problem; they belong to `issues`. */
MEMPLAN_C_API const uint32_t *memplanIssuesBuffers(const MemplanIssues *issues,
                                                   size_t issue, size_t *count);

/** Checks the requirements of the strategies; finds at most `maxIssues` errors.
 *  \param issues  receives an object that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanCheck(const MemplanProblem *problem,
                                         size_t maxIssues,
                                         MemplanIssues **issues);

/*===-- Plans -------------------------------------------------------------===*/

typedef struct MemplanPlan MemplanPlan;

typedef enum MemplanStatus {
  /** Proven: no plan has a smaller penalty, and none of this penalty a smaller
   *  arena. */
  MEMPLAN_OPTIMAL = 0,
  /** The plan is correct; a smaller one may exist. */
  MEMPLAN_FEASIBLE = 1,
  /** It is proven that no plan fits the capacity, or the pins contradict each
   *  other. */
  MEMPLAN_INFEASIBLE = 2,
  /** A limit ended the search; offsets, if any, may exceed the capacity. */
  MEMPLAN_LIMIT = 3,
  /** memplanCheck rejects the problem. */
  MEMPLAN_INVALID = 4,
  /** Not a status: makes room for any number in the type. */
  MEMPLAN_STATUS_MAX = 0x7fffffff
} MemplanStatus;

/** Makes a plan of given offsets, for memplanVerify. Its status is
 *  MEMPLAN_FEASIBLE, its arena the highest end of a buffer (INT64_MAX if that
 *  overflows).
 *  \param offsets  in bytes, one for each buffer of the problem, in its order;
 *                  copied.
 *  \param count    the number of offsets; MEMPLAN_BAD_ARGUMENT if it is not the
 *                  number of buffers.
 *  \param plan     receives a plan that the caller destroys. It does not refer
 *                  to the problem. */
MEMPLAN_C_API MemplanResult memplanPlanCreate(const MemplanProblem *problem,
                                              const int64_t *offsets,
                                              size_t count, MemplanPlan **plan);
MEMPLAN_C_API void memplanPlanDestroy(MemplanPlan *plan);

MEMPLAN_C_API MemplanStatus memplanPlanStatus(const MemplanPlan *plan);
/** \param count  receives the number of offsets: the number of buffers, or 0 if
 *                no plan was found; may be NULL.
 *  \return bytes from the arena's base, by buffer; they belong to the plan. */
MEMPLAN_C_API const int64_t *memplanPlanOffsets(const MemplanPlan *plan,
                                                size_t *count);
/** The highest end of a buffer, in bytes. */
MEMPLAN_C_API int64_t memplanPlanArenaSize(const MemplanPlan *plan);
/** In bytes: it is proven that no plan of this or a smaller penalty has a
 *  smaller arena. */
MEMPLAN_C_API int64_t memplanPlanLowerBound(const MemplanPlan *plan);
/** The sum of the weights of soft conflicts that the plan pays. */
MEMPLAN_C_API int64_t memplanPlanPenalty(const MemplanPlan *plan);
/** It is proven that every plan within the capacity pays as much. */
MEMPLAN_C_API int64_t memplanPlanPenaltyBound(const MemplanPlan *plan);
/** Search nodes spent. */
MEMPLAN_C_API int64_t memplanPlanNodes(const MemplanPlan *plan);
/** The strategy that found the offsets. */
MEMPLAN_C_API const char *memplanPlanStrategy(const MemplanPlan *plan);
/** How the search went and why it ended, or the error of the problem. */
MEMPLAN_C_API const char *memplanPlanMessage(const MemplanPlan *plan);
/** "optimal", "feasible", "infeasible", "limit" or "invalid"; NULL if `status`
 *  is none of these. */
MEMPLAN_C_API const char *memplanStatusName(MemplanStatus status);

/** Verifies a plan and trusts nothing in it; finds at most `maxIssues` errors.
 *  \param issues  receives an object that the caller destroys. */
MEMPLAN_C_API MemplanResult memplanVerify(const MemplanProblem *problem,
                                          const MemplanPlan *plan,
                                          size_t maxIssues,
                                          MemplanIssues **issues);

/*===-- Solving -----------------------------------------------------------===*/

/** Ends a solve from another thread, or from a signal handler. */
typedef struct MemplanStop MemplanStop;

/** NULL if memory is exhausted. The caller destroys it after all solves with it
 *  have returned. */
MEMPLAN_C_API MemplanStop *memplanStopCreate(void);
MEMPLAN_C_API void memplanStopDestroy(MemplanStop *stop);
/** Every solve with this object, running or started later, ends as at a time
 *  limit, with the best plan so far. */
MEMPLAN_C_API void memplanStop(MemplanStop *stop);

/** Called by the thread that called memplanSolve, from time to time during the
 *  search; must not throw or use longjmp.
 *  \param arenaSize, lowerBound  in bytes, of the best plan so far.
 *  \param nodes                  search nodes so far. */
typedef void (*MemplanProgress)(int64_t arenaSize, int64_t lowerBound,
                                int64_t nodes, void *userData);

/** The options of memplanSolve. memplanSolveOptionsInit sets the defaults. */
typedef struct MemplanSolveOptions {
  /** Terminated; a name of a strategy: "auto" (default), "naive",
   *  "linear-scan", "greedy", "greedy-by-size", "greedy-by-breadth",
   *  "best-fit", "hill-climb", "exact". */
  const char *strategy;
  /** Terminated; "low", "normal" (default) or "high". */
  const char *effort;
  /** Search nodes; negative (default) for the limit of the effort. */
  int64_t nodeLimit;
  /** Milliseconds; negative (default) for no limit. */
  int64_t timeLimitMs;
  uint64_t seed;
  /** Threads that search, at most 1024; 0 for all cores; default 1. */
  uint32_t threads;
  /** Not 0: with a capacity, go on from the first plan that fits to the least
   *  arena; default 0. */
  int minimize;
  /** NULL (default) for none; not owned. */
  MemplanStop *stop;
  /** NULL (default) for none. */
  MemplanProgress progress;
  /** The argument of `progress`; not used otherwise. */
  void *userData;
} MemplanSolveOptions;

MEMPLAN_C_API void memplanSolveOptionsInit(MemplanSolveOptions *options);

/** Checks and solves the problem and verifies the plan. If there is no plan,
 *  the result is MEMPLAN_OK and the status of the plan tells why.
 *  \param options  NULL for the defaults; read before the call returns.
 *  \param plan     receives a plan that the caller destroys. It does not refer
 *                  to the problem. */
MEMPLAN_C_API MemplanResult memplanSolve(const MemplanProblem *problem,
                                         const MemplanSolveOptions *options,
                                         MemplanPlan **plan);

/*===-- Reports -----------------------------------------------------------===*/

typedef enum MemplanFormat {
  /** The form of memplan/Core/Csv.h, with the offsets. An error if CSV cannot
   *  state the problem (conflicts, overlaps, times before 0). */
  MEMPLAN_CSV = 0,
  /** One JSON object, as memplan-solve writes it. */
  MEMPLAN_JSON = 1,
  /** A map of the arena for terminals; requires offsets. */
  MEMPLAN_MAP = 2,
  /** A picture of the arena. */
  MEMPLAN_SVG = 3,
  /** A self-contained HTML page. */
  MEMPLAN_HTML = 4,
  /** Text for people, as memplan-solve writes it. */
  MEMPLAN_TEXT = 5,
  /** Not a format: makes room for any number in the type. */
  MEMPLAN_FORMAT_MAX = 0x7fffffff
} MemplanFormat;

/** Writes a plan of this problem.
 *  \param plan    must have as many offsets as the problem has buffers, or none
 *                 if the format is neither CSV nor the map.
 *  \param text    receives terminated text, freed by memplanTextFree.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API MemplanResult memplanReport(const MemplanProblem *problem,
                                          const MemplanPlan *plan,
                                          MemplanFormat format, char **text,
                                          size_t *length);

typedef enum MemplanPageKind {
  /** A report, as memplan-opt and memplan-solve write it. */
  MEMPLAN_PLAN_PAGE = 0,
  /** A memory profile, as memplan-profile and memplan-graph write it. */
  MEMPLAN_PROFILE_PAGE = 1,
  /** Not a page: makes room for any number in the type. */
  MEMPLAN_PAGE_MAX = 0x7fffffff
} MemplanPageKind;

/** Makes a self-contained HTML page of JSON text. The text is not checked; for
 *  other text the page shows nothing.
 *  \param json, jsonLength  in bytes; copied.
 *  \param text, length      as for memplanReport. */
MEMPLAN_C_API MemplanResult memplanPage(MemplanPageKind kind, const char *json,
                                        size_t jsonLength, char **text,
                                        size_t *length);

/** The value of a size that is known only when the program runs. */
typedef struct MemplanSize {
  /** Terminated: a symbol of a report, such as "B" or "arg0_d1". */
  const char *name;
  int64_t value;
} MemplanSize;

/** The bytes of an arena at given sizes: what `@f.arena_bytes` returns in the
 *  program for a call with them. MEMPLAN_BAD_ARGUMENT if a size is missing,
 *  unknown, given twice or not within its bounds, if there is no such arena or
 *  plan, or if the arena is too large; MEMPLAN_BAD_TEXT if the text is no
 *  report.
 *  \param report, length  a report as JSON, as plan-memory and memplan-solve
 *                         write it.
 *  \param function        terminated; NULL for that of the only arena.
 *  \param memorySpace     terminated; NULL for "0".
 *  \param sizes, count    a value for each symbol of the arena, in any order;
 *                         none if its size is constant.
 *  \param bytes           receives the size. */
MEMPLAN_C_API MemplanResult memplanArenaBytes(const char *report, size_t length,
                                              const char *function,
                                              const char *memorySpace,
                                              const MemplanSize *sizes,
                                              size_t count, int64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_CORE_H */
