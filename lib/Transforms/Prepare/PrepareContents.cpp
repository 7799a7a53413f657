//===- PrepareContents.cpp - Verified changes of fills and copies ---------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prepare/PrepareContents.h"

#include "Complaints.h"
#include "Prepare/ComputeInSlices.h"
#include "Prepare/SinkFills.h"
#include "memplan/Equivalence/Equivalence.h"
#include "memplan/IR/Circles.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANCOMPUTEINSLICES
#define GEN_PASS_DEF_MEMPLANSINKFILLS
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

using namespace memplan;

/// Erases the allocation if its only uses are deallocations.
static void eraseUnused(Operation *allocation) {
  if (!llvm::all_of(allocation->getUsers(), llvm::IsaPred<memref::DeallocOp>))
    return;
  for (Operation *user : llvm::make_early_inc_range(allocation->getUsers()))
    user->erase();
  allocation->erase();
}

bool ContentsOptions::mayChange(ModuleOp module) const {
  return (computeInSlices && hasCopiesToSlices(module)) ||
         (sinkFills && hasFillsToSink(module));
}

LogicalResult memplan::prepareContents(ModuleOp module,
                                       const ContentsOptions &options) {
  if (failed(checkNoCircles(module)))
    return failure();
  if (!options.mayChange(module))
    return success();
  IRMapping copies;
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(module->clone(copies));
  ChangedAllocations changed;
  // computeInSlices moves fills up; sinkFills moves them down again as far as
  // possible.
  if (options.computeInSlices)
    computeInSlices(module, options.trust, changed);
  if (options.sinkFills)
    sinkFills(module, changed);
  for (auto &[op, allocations] : changed) {
    auto function = cast<FunctionOpInterface>(op);
    auto original = cast<FunctionOpInterface>(copies.lookup(op));
    std::vector<Complaint> complaints = findComplaints(
        module.getContext(), [&] { return checkContents(original, function); });
    if (complaints.empty()) {
      llvm::for_each(allocations, eraseUnused);
      continue;
    }
    InFlightDiagnostic diagnostic = options.refusalIsError
                                        ? emitError(function.getLoc())
                                        : emitWarning(function.getLoc());
    diagnostic << "the fills and copies of @" << function.getName()
               << " are not changed: the change failed verification: "
               << complaints.front().second;
    diagnostic.attachNote(complaints.front().first)
        << complaints.front().second;
    if (options.refusalIsError)
      return failure();
    function.getFunctionBody().takeBody(original.getFunctionBody());
  }
  return success();
}

namespace {
struct ComputeInSlicesPass
    : memplan::impl::MemplanComputeInSlicesBase<ComputeInSlicesPass> {
  using MemplanComputeInSlicesBase::MemplanComputeInSlicesBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanComputeInSlicesBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    ContentsOptions options;
    options.computeInSlices = true;
    if (failed(prepareContents(getOperation(), options)))
      signalPassFailure();
  }
};

struct SinkFillsPass : memplan::impl::MemplanSinkFillsBase<SinkFillsPass> {
  using MemplanSinkFillsBase::MemplanSinkFillsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    MemplanSinkFillsBase::getDependentDialects(registry);
    registerAliasInterfaces(registry);
  }

  void runOnOperation() override {
    ContentsOptions options;
    options.sinkFills = true;
    if (failed(prepareContents(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
