//===- Npu.cpp - The dialect of an imaginary accelerator ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Npu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

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

static constexpr int64_t kTileAlignment = 128;

int64_t npu::AllocOp::getRequestedAlignment() { return kTileAlignment; }
int64_t npu::ScratchOp::getRequestedAlignment() { return kTileAlignment; }

memplan::BufferStorage npu::ScratchOp::getStorage() {
  return memplan::BufferStorage::Scratch;
}

/// Control enters the body first; from its end it enters the body again or
/// leaves the op.
void npu::RepeatOp::getSuccessorRegions(
    RegionBranchPoint point, SmallVectorImpl<RegionSuccessor> &successors) {
  successors.emplace_back(&getBody());
  if (!point.isParent())
    successors.emplace_back(getOperation(), getOperation()->getResults());
}

namespace {

struct AddScratch : PassWrapper<AddScratch, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AddScratch)

  void runOnOperation() override {
    getOperation().walk([](npu::MatmulOp op) {
      if (op.getScratch())
        return;
      OpBuilder builder(op);
      auto scratch =
          npu::ScratchOp::create(builder, op.getLoc(), op.getRhs().getType());
      op.getScratchMutable().assign(scratch.getTile());
    });
  }
};

struct LowerNpu : PassWrapper<LowerNpu, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerNpu)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  }

  static void lowerAllocation(memplan::BufferAllocationInterface op) {
    OpBuilder builder(op);
    Value tile = op->getResult(0);
    tile.replaceAllUsesWith(memref::AllocOp::create(
        builder, op.getLoc(), cast<MemRefType>(tile.getType()),
        builder.getI64IntegerAttr(op.getRequestedAlignment())));
    op.erase();
  }

  static void lower(npu::RepeatOp op) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto getIndex = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    auto loop = scf::ForOp::create(builder, loc, getIndex(0),
                                   getIndex(op.getTimes()), getIndex(1));
    Block &body = op.getBody().front();
    body.getTerminator()->erase();
    loop.getBody()->getOperations().splice(loop.getBody()->begin(),
                                           body.getOperations());
    op.erase();
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
    func::FuncOp function = getOperation();
    function.walk([](npu::MatmulOp op) { lower(op); });
    function.walk([](npu::ReluOp op) { lower(op); });
    function.walk([](npu::RepeatOp op) { lower(op); });
    function.walk([](Operation *op) {
      if (isa<npu::AllocOp, npu::ScratchOp>(op))
        lowerAllocation(cast<memplan::BufferAllocationInterface>(op));
    });
  }
};

} // namespace

std::unique_ptr<Pass> npu::createAddScratch() {
  return std::make_unique<AddScratch>();
}

std::unique_ptr<Pass> npu::createLowerNpu() {
  return std::make_unique<LowerNpu>();
}
