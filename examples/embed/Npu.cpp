//===- Npu.cpp - The dialect of an imaginary accelerator ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npu.h"

#include "memplan/IR/Memplan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

#include "NpuDialect.cpp.inc"

#define GET_OP_CLASSES
#include "NpuOps.cpp.inc"

void npu::NpuDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "NpuOps.cpp.inc"
      >();
}

namespace {

struct AskForMemory : PassWrapper<AskForMemory, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AskForMemory)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memplan::MemplanDialect, memref::MemRefDialect>();
  }

  void runOnOperation() override {
    getOperation().walk([](npu::AllocOp op) {
      OpBuilder builder(op);
      auto type = cast<MemRefType>(op.getTile().getType());
      op.getTile().replaceAllUsesWith(
          memref::AllocOp::create(builder, op.getLoc(), type));
      op.erase();
    });
    getOperation().walk([](npu::MatmulOp op) {
      if (op.getScratch())
        return;
      OpBuilder builder(op);
      auto scratch = memplan::WorkspaceOp::create(
          builder, op.getLoc(), op.getRhs().getType(),
          memplan::WorkspaceKind::Shared, /*align=*/64);
      op.getScratchMutable().assign(scratch);
    });
  }
};

struct NpuToLinalg : PassWrapper<NpuToLinalg, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(NpuToLinalg)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect>();
  }

  static void lower(npu::MatmulOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    linalg::CopyOp::create(builder, loc, op.getRhs(), op.getScratch());
    auto type = cast<MemRefType>(op.getOut().getType());
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    linalg::FillOp::create(builder, loc, zero, op.getOut());
    linalg::MatmulOp::create(builder, loc,
                             ValueRange{op.getLhs(), op.getScratch()},
                             ValueRange{op.getOut()});
    op.erase();
  }

  static void lower(npu::ReluOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getTile().getType());
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    linalg::MapOp::create(
        builder, loc, op.getTile(), op.getTile(),
        [&](OpBuilder &body, Location loc, ValueRange elements) {
          Value larger =
              arith::MaximumFOp::create(body, loc, elements.front(), zero);
          linalg::YieldOp::create(body, loc, larger);
        });
    op.erase();
  }

  void runOnOperation() override {
    getOperation().walk([](npu::MatmulOp op) { lower(op); });
    getOperation().walk([](npu::ReluOp op) { lower(op); });
  }
};

} // namespace

std::unique_ptr<Pass> npu::createAskForMemory() {
  return std::make_unique<AskForMemory>();
}

std::unique_ptr<Pass> npu::createNpuToLinalg() {
  return std::make_unique<NpuToLinalg>();
}
