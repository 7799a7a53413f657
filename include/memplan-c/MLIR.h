/*===- MLIR.h - memplan in MLIR's C API ---------------------------*- C -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that use MLIR through its C API: link libMemPlanMLIRC beside it.
// Both must use the same libMLIR.so.
//
//===----------------------------------------------------------------------===*/

#ifndef MEMPLAN_C_MLIR_H
#define MEMPLAN_C_MLIR_H

#include "memplan-c/Core.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The handle of the dialect `memplan`, for mlirDialectHandleInsertDialect and
 *  mlirDialectHandleLoadDialect. Any thread may call it. */
MEMPLAN_C_API MlirDialectHandle mlirGetDialectHandle__memplan__(void);

/** Registers memplan's passes and pipelines for mlirParsePassPipeline, once for
 *  the process; further calls do nothing. Any thread may call it, but not while
 *  another thread parses a pipeline. */
MEMPLAN_C_API void memplanRegisterPasses(void);

#ifdef __cplusplus
}
#endif

#endif /* MEMPLAN_C_MLIR_H */
