//===- npu-compile.cpp - A compiler that embeds memplan -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// npu-compile FILE [--list-plan | --stop-after-plan | --no-plan]: reads a
// program of npu ops, plans its memory, lowers it to the LLVM dialect and
// prints it. With --list-plan, only prints the bytes of each buffer.
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

using namespace mlir;

/// Prints the plan, which the library returns as objects.
static LogicalResult listPlan(ModuleOp module,
                              const memplan::PlanMemoryOptions &options) {
  FailureOr<memplan::PlanData> plans = memplan::computePlans(module, options);
  if (failed(plans))
    return failure();
  for (auto [arena, report] :
       llvm::zip_equal(plans->arenas, plans->report.arenas)) {
    llvm::outs() << report.function << ": " << arena.plan.arenaSize
                 << " bytes, no plan has less than " << arena.plan.lowerBound
                 << "\n";
    for (auto [buffer, offset] :
         llvm::zip(arena.problem.buffers, arena.plan.offsets))
      llvm::outs() << "  " << buffer.id << ": " << buffer.size << " bytes at "
                   << offset << "\n";
    for (const memplan::BufferReport &buffer : report.buffers)
      if (!buffer.planned)
        llvm::outs() << "  " << buffer.name << " has no place: it "
                     << buffer.reason << "\n";
  }
  return success();
}

int main(int argc, char **argv) {
  llvm::StringRef mode = argc > 2 ? argv[2] : "";
  if (argc < 2 || argc > 3 ||
      (argc == 3 && mode != "--list-plan" && mode != "--stop-after-plan" &&
       mode != "--no-plan")) {
    llvm::errs() << "usage: npu-compile FILE "
                    "[--list-plan | --stop-after-plan | --no-plan]\n";
    return 1;
  }
  // The dialects of input programs and of planned programs.
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

  memplan::PlanMemoryOptions options;
  options.strategy = memplan::Strategy::Exact;
  PassManager manager(&context);
  manager.addNestedPass<func::FuncOp>(npu::createAddScratch());
  if (mode == "--list-plan")
    return failed(manager.run(*module)) || failed(listPlan(*module, options));

  if (mode != "--no-plan") {
    options.report = memplan::ReportFormat::Text;
    memplan::buildPlanMemoryPipeline(manager, options);
  }
  if (mode != "--stop-after-plan") {
    manager.addNestedPass<func::FuncOp>(npu::createLowerNpu());
    memplan::buildToLLVMPipeline(manager, memplan::ToLLVMOptions());
  }
  if (failed(manager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
