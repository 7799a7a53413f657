//===- Programs.cpp - Passes on programs in fuzz targets
//---------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "Bytes.h"

#include "memplan/Transforms/Embedding.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

using namespace mlir;
using namespace memplan;
using namespace memplan::fuzz;

// MLIR is not instrumented: it shares containers and arenas with instrumented
// code, and keeps memory to its end.
extern "C" const char *__asan_default_options() {
  return "detect_leaks=0:detect_container_overflow=0:allow_user_poisoning=0";
}

MLIRContext &fuzz::getContext() {
  static std::unique_ptr<MLIRContext> context;
  static unsigned used = 0;
  if (context && ++used % 400 != 0)
    return *context;
  static bool isRegistered = [] {
    registerMemplanPasses();
    return true;
  }();
  (void)isRegistered;
  DialectRegistry registry;
  registry
      .insert<affine::AffineDialect, arith::ArithDialect,
              cf::ControlFlowDialect, func::FuncDialect, linalg::LinalgDialect,
              memref::MemRefDialect, scf::SCFDialect, vector::VectorDialect>();
  registerMemplanDialects(registry);
  context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  return *context;
}

/// Collects what is said while it exists.
static ScopedDiagnosticHandler listen(MLIRContext &context,
                                      std::string &errors) {
  return ScopedDiagnosticHandler(&context, [&](Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    if (text.find("defect of the strategy") != std::string::npos)
      fail(text);
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += text + "\n";
    return success();
  });
}

OwningOpRef<ModuleOp> fuzz::parse(StringRef text, std::string &errors,
                                  MLIRContext &context) {
  ScopedDiagnosticHandler handler = listen(context, errors);
  return parseSourceString<ModuleOp>(text, &context);
}

bool fuzz::run(ModuleOp module, StringRef pipeline, std::string &errors) {
  ScopedDiagnosticHandler handler = listen(*module.getContext(), errors);
  PassManager manager(module.getContext());
  if (failed(parsePassPipeline(pipeline, manager)))
    fail("no pipeline: " + pipeline.str());
  bool isDone = succeeded(manager.run(module));
  require(isDone || !errors.empty(), "a pass fails without an error");
  return isDone;
}

std::string fuzz::print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}
