//===- PlanVerifierOps.cpp - The ops that matter to memory ----------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifier goes through a function many times, and most of its ops compute
// with numbers: those that do not matter are left out once.
//
//===----------------------------------------------------------------------===//

#include "PlanVerifierModel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Async/IR/Async.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace memplan::planverifier {

// They are known by name, as few of these dialects need be linked, and what is
// loaded counts.
bool goesOn(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (llvm::is_contained({"async", "nvgpu", "nvvm", "amdgpu", "rocdl", "xegpu",
                          "xevm", "mpi", "acc", "shmem"},
                         dialect))
    return true;
  StringRef name = op->getName().getStringRef();
  return llvm::is_contained({"omp.task", "omp.taskloop", "omp.target",
                             "omp.target_data", "omp.target_enter_data",
                             "omp.target_exit_data", "omp.target_update",
                             "omp.teams", "omp.distribute"},
                            name) ||
         isa<memref::DmaStartOp, affine::AffineDmaStartOp>(op);
}

namespace {

bool isToken(Type type) {
  return isa<gpu::AsyncTokenType, async::TokenType>(type);
}

bool isMemRefType(Type type) { return isa<BaseMemRefType>(type); }

class OpLister {
public:
  explicit OpLister(Model &model) : model(model) {}

  void list(Region &region, bool goesOn, bool isBody = false) {
    for (Block &block : region)
      for (Operation &op : block) {
        OpKind kind = getKind(&op);
        model.isCoroutine |= kind.coroutine;
        bool endsBody = isBody && &op == &block.back();
        if (!endsBody && !kind.calls && !matters(&op))
          continue;
        kind.goesOn |= goesOn || llvm::any_of(op.getResultTypes(), isToken);
        size_t index = model.ops.size();
        model.ops.push_back({&op, kind, 0});
        for (Region &inner : op.getRegions())
          list(inner, kind.goesOn);
        model.ops[index].end = model.ops.size();
      }
  }

private:
  static bool matters(Operation *op) {
    return op->getNumRegions() != 0 || op->getNumSuccessors() != 0 ||
           llvm::any_of(op->getOperandTypes(), isMemRefType) ||
           llvm::any_of(op->getResultTypes(), isMemRefType);
  }

  /// The kind of all ops of this name.
  OpKind getKind(Operation *op) {
    auto [it, isNew] = kinds.try_emplace(op->getName());
    if (isNew) {
      OpKind &kind = it->second;
      kind.isolated = op->hasTrait<OpTrait::IsIsolatedFromAbove>();
      kind.calls = isa<CallOpInterface>(op);
      kind.views = isa<ViewLikeOpInterface>(op);
      kind.selects = isa<SelectLikeOpInterface>(op);
      kind.terminates = op->hasTrait<OpTrait::IsTerminator>();
      kind.branchesToRegions = isa<RegionBranchOpInterface>(op);
      kind.declaresEffects = isa<MemoryEffectOpInterface>(op);
      kind.goesOn = goesOn(op);
      kind.coroutine = isa<async::CoroBeginOp, LLVM::CoroBeginOp>(op);
    }
    return it->second;
  }

  Model &model;
  DenseMap<OperationName, OpKind> kinds;
};

} // namespace

void listOps(Model &model, Region &root) {
  OpLister(model).list(root, /*goesOn=*/false, /*isBody=*/true);
}

void listOps(Model &model) { listOps(model, model.function.getFunctionBody()); }

} // namespace memplan::planverifier
