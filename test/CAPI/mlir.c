/*===- mlir.c - memplan in MLIR's C API, and programs as text -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "memplan-c/MLIR.h"
#include "memplan-c/Module.h"

#include "mlir-c/Dialect/Func.h"
#include "mlir-c/Dialect/MemRef.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: %s\n", __LINE__, #condition);                           \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static const char *const program =
    "func.func @f(%out: memref<16xf32>) {\n"
    "  %a = memref.alloc() : memref<16xf32>\n"
    "  memref.copy %a, %out : memref<16xf32> to memref<16xf32>\n"
    "  return\n"
    "}\n";

static void countArenas(MlirStringRef text, void *data) {
  char copy[4096];
  size_t length = text.length < 4095 ? text.length : 4095;
  memcpy(copy, text.data, length);
  copy[length] = 0;
  *(int *)data += strstr(copy, "memplan.arena") != NULL;
}

/* Plans in the caller's own context, which has only the dialects it loads. */
static void plansInMlirsOwnApi(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  MlirContext context;
  MlirModule module;
  MlirPassManager manager;
  int arenas = 0;
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__func__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__memref__(), registry);
  mlirDialectHandleInsertDialect(mlirGetDialectHandle__memplan__(), registry);
  context = mlirContextCreateWithRegistry(registry, false);
  module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(program));
  CHECK(!mlirModuleIsNull(module));
  memplanRegisterPasses();
  memplanRegisterPasses();
  manager = mlirPassManagerCreate(context);
  CHECK(mlirLogicalResultIsSuccess(mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(manager),
      mlirStringRefCreateFromCString(
          "builtin.module(plan-memory{lower=false strategy=exact})"),
      countArenas, &arenas)));
  CHECK(mlirLogicalResultIsSuccess(
      mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirOperationPrint(mlirModuleGetOperation(module), countArenas, &arenas);
  CHECK(arenas > 0);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
}

static MemplanRun *run(const char *text, const char *pipeline) {
  MemplanRun *result = NULL;
  CHECK(memplanRun(text, strlen(text), "a.mlir", 6, pipeline, strlen(pipeline),
                   &result) == MEMPLAN_OK);
  return result;
}

static void runsText(void) {
  MemplanRun *result = run(program, "builtin.module(plan-memory)");
  size_t length = 0;
  const char *text = memplanRunText(result, &length);
  CHECK(memplanRunSucceeded(result) == 1);
  CHECK(text && strlen(text) == length && strstr(text, "memref<64xi8>"));
  CHECK(memplanRunDiagnosticCount(result) == 0);
  memplanRunDestroy(result);
}

/* The report says which ops are computed in stripes. */
static void reportsStripes(void) {
  MemplanRun *result = run(
      "func.func @s(%x: tensor<64x8xf32>, %w: tensor<8x16xf32>) -> "
      "tensor<16xf32> {\n"
      "  %zero = arith.constant 0.0 : f32\n"
      "  %e = tensor.empty() : tensor<64x16xf32>\n"
      "  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x16xf32>) -> "
      "tensor<64x16xf32>\n"
      "  %a = linalg.matmul ins(%x, %w : tensor<64x8xf32>, tensor<8x16xf32>) "
      "outs(%z : tensor<64x16xf32>) -> tensor<64x16xf32>\n"
      "  %f = tensor.empty() : tensor<16xf32>\n"
      "  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<16xf32>) -> "
      "tensor<16xf32>\n"
      "  %r = linalg.reduce { arith.addf } ins(%a : tensor<64x16xf32>) "
      "outs(%y : tensor<16xf32>) dimensions = [0]\n"
      "  return %r : tensor<16xf32>\n"
      "}\n",
      "builtin.module(memplan-from-tensors{stripes=0 report=json})");
  const char *report = memplanRunReport(result, NULL);
  CHECK(memplanRunSucceeded(result) == 1);
  CHECK(strstr(report, "{\"op\": \"matmul\", \"location\": \"a.mlir:5:8\"}"));
  CHECK(strstr(report, "\"count\": 64, \"halo\": 0"));
  memplanRunDestroy(result);
}

static void tellsWhatIsWrong(void) {
  MemplanDiagnostic said;
  MemplanRun *result = run("func.func @f() {\n  oops\n}\n", "");
  CHECK(memplanRunSucceeded(result) == 0);
  CHECK(memplanRunText(result, NULL) == NULL);
  CHECK(memplanRunDiagnosticCount(result) >= 1);
  CHECK(memplanRunDiagnostic(result, 0, &said) == MEMPLAN_OK);
  CHECK(said.severity == MEMPLAN_ERROR && said.line == 2 && said.column > 0);
  CHECK(strcmp(said.file, "a.mlir") == 0 && strlen(said.message) > 0);
  CHECK(memplanRunDiagnostic(result, 99, &said) == MEMPLAN_BAD_ARGUMENT);
  CHECK(strstr(memplanLastError(), "no such diagnostic") != NULL);
  memplanRunDestroy(result);

  result = run(program, "builtin.module(no-such-pass)");
  CHECK(memplanRunSucceeded(result) == 0);
  CHECK(memplanRunDiagnostic(result, 0, &said) == MEMPLAN_OK);
  CHECK(strstr(said.message, "no-such-pass") != NULL);
  memplanRunDestroy(result);

  result = run(program, "builtin.module(plan-memory{capacity=1})");
  CHECK(memplanRunSucceeded(result) == 0);
  CHECK(memplanRunDiagnosticCount(result) >= 1);
  memplanRunDestroy(result);
  memplanRunDestroy(NULL);
  CHECK(memplanRun(NULL, 1, NULL, 0, NULL, 0, &result) == MEMPLAN_BAD_ARGUMENT);
  CHECK(memplanRunSucceeded(NULL) == 0);
}

int main(void) {
  plansInMlirsOwnApi();
  runsText();
  reportsStripes();
  tellsWhatIsWrong();
  if (failures)
    printf("%d failures\n", failures);
  else
    puts("all checks hold");
  return failures != 0;
}
