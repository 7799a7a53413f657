//===- FinishLLVM.cpp - The end of the lowering to LLVM -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANFINISHLLVM
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

/// Adds the conversions whose passes take the width of `index` as an option.
static void addConversions(OpPassManager &manager, unsigned width) {
  ConvertIndexToLLVMPassOptions index;
  index.indexBitwidth = width;
  manager.addPass(createConvertIndexToLLVMPass(index));
  UBToLLVMConversionPassOptions undefined;
  undefined.indexBitwidth = width;
  manager.addPass(createUBToLLVMConversionPass(undefined));
  ArithToLLVMConversionPassOptions arithmetic;
  arithmetic.indexBitwidth = width;
  manager.addPass(createArithToLLVMConversionPass(arithmetic));
  ConvertControlFlowToLLVMPassOptions branches;
  branches.indexBitwidth = width;
  manager.addPass(createConvertControlFlowToLLVMPass(branches));
  manager.addPass(createReconcileUnrealizedCastsPass());
}

/// True if `mlir-translate --mlir-to-llvmir` knows the op, or never sees it.
static bool mayStay(Operation *op) {
  if (isa<ModuleOp, gpu::BinaryOp>(op))
    return true;
  // The dialects of which LLVM IR consists, beside LLVM's own.
  static constexpr StringLiteral kTranslated[] = {
      "llvm", "omp", "acc",       "nvvm",     "rocdl",   "xevm",
      "vcix", "amx", "x86vector", "arm_neon", "arm_sve", "arm_sme"};
  return llvm::is_contained(kTranslated, op->getName().getDialectNamespace());
}

namespace {
struct FinishLLVMPass : memplan::impl::MemplanFinishLLVMBase<FinishLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DataLayout layout(module);
    auto width = static_cast<unsigned>(
        layout.getTypeSizeInBits(IndexType::get(&getContext())));
    OpPassManager conversions(ModuleOp::getOperationName());
    addConversions(conversions, width);
    if (failed(runPipeline(conversions, module)) || failed(checkAllIsLLVM()))
      signalPassFailure();
  }

private:
  LogicalResult checkAllIsLLVM() {
    llvm::MapVector<OperationName, SmallVector<Operation *, 1>> left, casts;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // Device code has a lowering of its own.
      if (isa<gpu::GPUModuleOp>(op))
        return WalkResult::skip();
      if (isa<UnrealizedConversionCastOp>(op))
        casts[op->getName()].push_back(op);
      else if (!mayStay(op))
        left[op->getName()].push_back(op);
      return WalkResult::advance();
    });
    // A cast is left where an op is.
    if (left.empty())
      left = std::move(casts);
    for (auto &[name, ops] : left) {
      InFlightDiagnostic error = emitError(ops.front()->getLoc())
                                 << "'" << name << "' has no lowering to LLVM";
      if (ops.size() > 1)
        error << "; there are " << ops.size() << " of them";
    }
    return failure(!left.empty());
  }
};
} // namespace
