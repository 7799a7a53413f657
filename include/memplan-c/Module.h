/*===- Module.h - Planning programs given as text ------------------*- C
-*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that have MLIR as text and want no more of MLIR than that: link
// libMemPlanMLIRC. The rules of memplan-c/Core.h hold. Dialects and passes are
// those of memplan-opt: all of upstream MLIR and memplan's.
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_C_MODULE_H
#define MEMPLAN_C_MODULE_H

#include "memplan-c/Core.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a run made of a program: the program after it, or why there is none,
 *  and all diagnostics. Nothing of MLIR lives on in it. */
typedef struct MemplanRun MemplanRun;

/** Parses a program, runs a pipeline of passes on it and verifies the result.
 *  A program or pipeline that is refused is a run that has not succeeded; the
 *  call itself is MEMPLAN_OK then.
 *  \param text, length        the program, in bytes; MLIR's text or bytecode.
 *  \param name, nameLength    what diagnostics call it, for example its path.
 *  \param pipeline, pipelineLength
 *                             as memplan-opt --pass-pipeline takes it, for
 *                             example
 * "builtin.module(plan-memory{lower=false})"; empty for none.
 *  \param run                 receives a run that the caller destroys.
 *  Each call has a context and one thread of its own: calls of different
 * threads do not meet, except in what passes write to files and standard
 * streams. */
MEMPLAN_C_API MemplanResult memplanRun(const char *text, size_t length,
                                       const char *name, size_t nameLength,
                                       const char *pipeline,
                                       size_t pipelineLength, MemplanRun **run);
MEMPLAN_C_API void memplanRunDestroy(MemplanRun *run);

/** 1 if there is a program after the run, or 0. */
MEMPLAN_C_API int memplanRunSucceeded(const MemplanRun *run);

/** The program after the run; NULL if it has not succeeded.
 *  \param length  receives its length in bytes; may be NULL. */
MEMPLAN_C_API const char *memplanRunText(const MemplanRun *run, size_t *length);

/** What the passes reported, one after the other: the text that memplan-opt has
 *  on standard error where `report-file` or `output` names no file, for example
 *  JSON with "plan-memory{report=json}" or "memplan-profile{format=json}"; ""
 * if nothing. NULL for no run.
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
  /** "" where the place is not known. */
  const char *file;
  /** Counting from 1; 0 where the place is not known. */
  uint32_t line;
  uint32_t column;
} MemplanDiagnostic;

/** How many there are, notes included, in the order they were given. */
MEMPLAN_C_API size_t memplanRunDiagnosticCount(const MemplanRun *run);

/** Describes a diagnostic in `*diagnostic`, which is the caller's. */
MEMPLAN_C_API MemplanResult memplanRunDiagnostic(const MemplanRun *run,
                                                 size_t index,
                                                 MemplanDiagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_MODULE_H */
