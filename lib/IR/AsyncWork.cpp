//===- AsyncWork.cpp - Asynchronous work ----------------------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/AsyncWork.h"

#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace memplan;

#include "memplan/IR/AsyncWork.cpp.inc"

namespace {
/// A task; its results are ready when it has finished.
struct ExecuteModel
    : AsyncWorkInterface::ExternalModel<ExecuteModel, async::ExecuteOp> {
  AsyncRole getAsyncRole(Operation *) const { return AsyncRole::Starts; }
  SmallVector<Value> getAwaitedValues(Operation *op) const {
    return SmallVector<Value>(op->getOperands());
  }
};

template <typename Op>
struct AwaitModel : AsyncWorkInterface::ExternalModel<AwaitModel<Op>, Op> {
  AsyncRole getAsyncRole(Operation *) const { return AsyncRole::Awaits; }
  SmallVector<Value> getAwaitedValues(Operation *op) const {
    return {op->getOperand(0)};
  }
  SmallVector<Value> getFinishedValues(Operation *) const { return {}; }
};

/// The group is ready when all tokens that were added to it are.
struct AddToGroupModel
    : AsyncWorkInterface::ExternalModel<AddToGroupModel, async::AddToGroupOp> {
  AsyncRole getAsyncRole(Operation *) const { return AsyncRole::Joins; }
  SmallVector<Value> getAwaitedValues(Operation *op) const {
    return {cast<async::AddToGroupOp>(op).getOperand()};
  }
  SmallVector<Value> getFinishedValues(Operation *op) const {
    return {cast<async::AddToGroupOp>(op).getGroup()};
  }
};
} // namespace

AsyncWork memplan::getAsyncWork(Operation *op) {
  if (auto work = dyn_cast<AsyncWorkInterface>(op))
    return {work.getAsyncRole(), work.getAwaitedValues(),
            work.getFinishedValues()};
  auto gpu = dyn_cast<gpu::AsyncOpInterface>(op);
  if (!gpu)
    return {};
  SmallVector<Value> awaited(gpu.getAsyncDependencies());
  if (Value token = gpu.getAsyncToken())
    return {AsyncRole::Starts, std::move(awaited), {token}};
  // An op without a token returns when it has finished.
  if (awaited.empty())
    return {};
  return {AsyncRole::Awaits, std::move(awaited), {}};
}

void memplan::registerAsyncWorkModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, async::AsyncDialect *) {
    async::ExecuteOp::attachInterface<ExecuteModel>(*context);
    async::AwaitOp::attachInterface<AwaitModel<async::AwaitOp>>(*context);
    async::AwaitAllOp::attachInterface<AwaitModel<async::AwaitAllOp>>(*context);
    async::AddToGroupOp::attachInterface<AddToGroupModel>(*context);
  });
}
