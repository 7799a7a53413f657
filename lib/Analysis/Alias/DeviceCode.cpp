//===- DeviceCode.cpp - Functions that many threads run -------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Alias/DeviceCode.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"

using namespace mlir;
using namespace memplan;

/// Ops that only make sense in code that many threads run.
static bool isThreadOp(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::GlobalIdOp, gpu::LaneIdOp,
             gpu::SubgroupIdOp, gpu::ClusterIdOp, gpu::ClusterBlockIdOp,
             gpu::BlockDimOp, gpu::GridDimOp, gpu::BarrierOp, gpu::AllReduceOp,
             gpu::SubgroupReduceOp, gpu::ShuffleOp, gpu::DynamicSharedMemoryOp>(
             op) ||
         isa_and_present<NVVM::NVVMDialect, ROCDL::ROCDLDialect>(
             op->getDialect());
}

static bool isMarkedAsKernel(Operation *function) {
  return function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
         function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
         function->hasAttr(ROCDL::ROCDLDialect::getKernelFuncAttrName()) ||
         function->hasAttr(spirv::getEntryPointABIAttrName());
}

Operation *memplan::findDeviceMark(FunctionOpInterface function) {
  if (auto module = function->getParentOfType<gpu::GPUModuleOp>())
    return module;
  if (isMarkedAsKernel(function))
    return function;
  Operation *mark = nullptr;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    // Threads run the body of a launch, but the host runs the code around it. A
    // function in a nested module is asked about separately.
    if (isa<gpu::LaunchOp, FunctionOpInterface>(op))
      return WalkResult::skip();
    if (!isThreadOp(op))
      return WalkResult::advance();
    mark = op;
    return WalkResult::interrupt();
  });
  return mark;
}
