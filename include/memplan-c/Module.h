/*===- Module.h - Planning programs given as text -----------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that have MLIR as text and do not use MLIR otherwise; link
// libMemPlanMLIRC. The rules of memplan-c/Core.h hold. The dialects and passes
// are those of memplan-opt: all of upstream MLIR and memplan's.
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_C_MODULE_H
#define MEMPLAN_C_MODULE_H

#include "memplan-c/Core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a run: the program after it, if the run succeeded, and all
 *  diagnostics. It holds no object of MLIR. */
typedef struct MemplanRun MemplanRun;

/** Parses a program, runs a pipeline of passes on it and verifies the result.
 *  If the program or pipeline has an error, the call returns MEMPLAN_OK, but
 * the run has not succeeded.
 *  \param text, length        the program, in bytes; MLIR's text or bytecode.
 *  \param name, nameLength    its name in diagnostics, for example its path.
 *  \param pipeline, pipelineLength
 *                             as for memplan-opt --pass-pipeline, for example
 *                             "builtin.module(plan-memory{lower=false})"; empty
 *                             for none.
 *  \param run                 receives a run that the caller destroys.
 *  Each call has its own context and runs in one thread of its own, for which
 * it waits, so calls of different threads share nothing but the files and
 * standard streams to which passes write. The thread's stack has 100 MiB of
 * address space, because MLIR reads nested regions by recursion; if there can
 * be no such thread, the result is MEMPLAN_NO_RESOURCES. */
MEMPLAN_C_API MemplanResult memplanRun(const char *text, size_t length,
                                       const char *name, size_t nameLength,
                                       const char *pipeline,
                                       size_t pipelineLength, MemplanRun **run);
MEMPLAN_C_API void memplanRunDestroy(MemplanRun *run);

/** 1 if the run succeeded, else 0. */
MEMPLAN_C_API int memplanRunSucceeded(const MemplanRun *run);

/** The program after the run; NULL if it has not succeeded.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API const char *memplanRunText(const MemplanRun *run, size_t *length);

/** The reports of the passes, one after the other: the text that memplan-opt
 *  writes to standard error if `report-file` or `output` names no file, for
 *  example JSON with "plan-memory{report=json}" or
 *  "memplan-profile{format=json}"; "" without reports. NULL if `run` is NULL.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API const char *memplanRunReport(const MemplanRun *run,
                                           size_t *length);

typedef enum MemplanSeverity {
  MEMPLAN_ERROR = 0,
  MEMPLAN_WARNING = 1,
  MEMPLAN_REMARK = 2,
  /** Belongs to the diagnostic before it. */
  MEMPLAN_NOTE = 3
} MemplanSeverity;

/** One diagnostic; the pointers belong to the run. */
typedef struct MemplanDiagnostic {
  MemplanSeverity severity;
  const char *message;
  /** "" if the location is unknown. */
  const char *file;
  /** Counted from 1; 0 if the location is unknown. */
  uint32_t line;
  uint32_t column;
} MemplanDiagnostic;

/** The number of diagnostics, notes included; they are in the order of
 * emission.
 */
MEMPLAN_C_API size_t memplanRunDiagnosticCount(const MemplanRun *run);

/** Fills in `*diagnostic`, which the caller owns. */
MEMPLAN_C_API MemplanResult memplanRunDiagnostic(const MemplanRun *run,
                                                 size_t index,
                                                 MemplanDiagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_MODULE_H */
