//===- NothingToPlan.cpp - Modules without buffers to plan ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain/PlanDiagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace memplan;

namespace {
/// The number of functions with a body of each kind.
struct FunctionKinds {
  int64_t allocating = 0;
  int64_t planned = 0;
  int64_t onTensors = 0;
  int64_t others = 0;
  /// Functions other than func.func, by the name of their op.
  llvm::MapVector<StringRef, int64_t> foreign;
};
} // namespace

bool memplan::isOnTensors(FunctionOpInterface function) {
  return function
      ->walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static FunctionKinds classify(ModuleOp module) {
  FunctionKinds kinds;
  module->walk([&](FunctionOpInterface function) {
    if (function.isExternal())
      return;
    if (!isa<func::FuncOp>(function)) {
      ++kinds.foreign[function->getName().getStringRef()];
      return;
    }
    bool allocates = false;
    walkAllocations(function, [&](Operation *) { allocates = true; });
    if (hasArena(function))
      ++kinds.planned;
    else if (allocates)
      ++kinds.allocating;
    else if (isOnTensors(function))
      ++kinds.onTensors;
    else
      ++kinds.others;
  });
  return kinds;
}

void memplan::explainNothingToPlan(ModuleOp module) {
  FunctionKinds kinds = classify(module);
  if (kinds.allocating > 0)
    return;
  std::string text = "nothing to plan: ";
  bool isFirst = true;
  auto add = [&](int64_t count, const Twine &one, const Twine &many) {
    if (count == 0)
      return;
    text += (isFirst ? "" : "; ") + std::to_string(count) + " " +
            (count == 1 ? one : many).str();
    isFirst = false;
  };
  add(kinds.onTensors,
      "function is on tensors: memplan-from-tensors bufferizes and plans it",
      "functions are on tensors: memplan-from-tensors bufferizes and plans "
      "them");
  for (auto &[name, count] : kinds.foreign)
    add(count, "'" + name + "' is no func.func, and is not planned",
        "'" + name + "' are no func.func, and are not planned");
  add(kinds.planned, "function has an arena already",
      "functions have an arena already");
  add(kinds.others, "function allocates nothing", "functions allocate nothing");
  if (isFirst)
    text += "there is no function with a body";
  if (kinds.onTensors > 0 || !kinds.foreign.empty())
    emitWarning(module.getLoc()) << text;
  else
    emitRemark(module.getLoc()) << text;
}

LogicalResult memplan::checkNoTensors(ModuleOp module) {
  LogicalResult result = success();
  module->walk([&](FunctionOpInterface function) {
    if (isa<func::FuncOp>(function) && isOnTensors(function))
      result = emitError(function.getLoc())
               << "@" << function.getName()
               << " is on tensors, whose memory is not planned: "
                  "memplan-from-tensors bufferizes and plans it";
  });
  return result;
}

LogicalResult memplan::checkForeignFunctions(ModuleOp module, bool isError) {
  LogicalResult result = success();
  module->walk([&](FunctionOpInterface function) {
    if (isa<func::FuncOp>(function) || function.isExternal())
      return;
    std::string reason = "not planned: its function is no func.func but '" +
                         function->getName().getStringRef().str() + "'";
    bool isDevice = function->getParentOfType<gpu::GPUModuleOp>();
    walkAllocations(function, [&](Operation *allocation) {
      if (isError && !isDevice)
        result = emitError(allocation->getLoc()) << reason;
      else if (module.getContext()->getRemarkEngine())
        remark::missed(allocation->getLoc(),
                       remark::RemarkOpts::name("BufferNotPlanned")
                           .category("plan-memory")
                           .function(function.getName()))
            << reason;
    });
  });
  return result;
}
