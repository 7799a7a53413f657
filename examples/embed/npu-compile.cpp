//===- npu-compile.cpp - A compiler that embeds memplan -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// npu-compile FILE [--stop-after-plan | --no-plan]: reads a program of npu ops,
// plans its memory and lowers it to the LLVM dialect, on standard output.
//
//===----------------------------------------------------------------------===//

#include "Npu.h"

#include "memplan/Transforms/Embedding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/SourceMgr.h"

#include <string>

using namespace mlir;

int main(int argc, char **argv) {
  std::string mode = argc > 2 ? argv[2] : "";
  if (argc < 2 || argc > 3 ||
      (argc == 3 && mode != "--stop-after-plan" && mode != "--no-plan")) {
    llvm::errs() << "usage: npu-compile FILE [--stop-after-plan | --no-plan]\n";
    return 1;
  }
  // The dialects of its programs, and of planned programs.
  DialectRegistry registry;
  registry
      .insert<npu::NpuDialect, arith::ArithDialect, func::FuncDialect,
              linalg::LinalgDialect, memref::MemRefDialect, scf::SCFDialect>();
  memplan::registerMemplanDialects(registry);

  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(argv[1], sources, &context);
  if (!module)
    return 1;

  PassManager manager(&context);
  manager.addNestedPass<func::FuncOp>(npu::createAskForMemory());
  if (mode != "--no-plan") {
    memplan::PlanMemoryOptions options;
    options.strategy = memplan::Strategy::Exact;
    options.report = memplan::ReportFormat::Text;
    memplan::buildPlanMemoryPipeline(manager, options);
  }
  if (mode != "--stop-after-plan") {
    manager.addNestedPass<func::FuncOp>(npu::createNpuToLinalg());
    memplan::buildToLLVMPipeline(manager, memplan::ToLLVMOptions());
  }
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
