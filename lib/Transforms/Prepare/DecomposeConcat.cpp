//===- DecomposeConcat.cpp - tensor.concat as insertions ------------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memplan/IR/Memplan.h"
#include "memplan/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace memplan {
#define GEN_PASS_DEF_MEMPLANDECOMPOSECONCAT
#include "memplan/Transforms/PipelineParts.h.inc"
} // namespace memplan

namespace {
struct DecomposeConcatPass
    : memplan::impl::MemplanDecomposeConcatBase<DecomposeConcatPass> {
  void runOnOperation() override {
    // The time of bufferization grows with the cube of the number of tensors
    // that may be in one buffer.
    constexpr size_t kMostOperands = 32;
    SmallVector<tensor::ConcatOp> concats;
    getOperation()->walk([&](tensor::ConcatOp concat) {
      if (concat.getInputs().size() <= kMostOperands)
        concats.push_back(concat);
    });
    IRRewriter rewriter(&getContext());
    for (tensor::ConcatOp concat : concats) {
      rewriter.setInsertionPoint(concat);
      FailureOr<SmallVector<Value>> inserted =
          concat.decomposeOperation(rewriter);
      if (succeeded(inserted))
        rewriter.replaceOp(concat, *inserted);
    }
  }
};
} // namespace
