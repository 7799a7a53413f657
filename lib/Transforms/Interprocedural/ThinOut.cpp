//===- ThinOut.cpp - Remove operands of bufferization.dealloc -------------===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interprocedural/ThinOut.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace memplan;

void memplan::thinOut(bufferization::DeallocOp op, const ConstantMaker &maker,
                      llvm::function_ref<bool(unsigned)> keepsMemref,
                      llvm::function_ref<bool(unsigned)> keepsRetained) {
  SmallVector<Value> memrefs, conditions, retained, results;
  for (unsigned i = 0, e = op.getMemrefs().size(); i < e; ++i)
    if (keepsMemref(i)) {
      memrefs.push_back(op.getMemrefs()[i]);
      conditions.push_back(op.getConditions()[i]);
    }
  for (unsigned i = 0, e = op.getRetained().size(); i < e; ++i)
    if (!memrefs.empty() && keepsRetained(i)) {
      retained.push_back(op.getRetained()[i]);
      results.push_back(op.getResult(i));
    }
  OpBuilder builder(op);
  if (!memrefs.empty()) {
    auto thinned = bufferization::DeallocOp::create(
        builder, op.getLoc(), memrefs, conditions, retained);
    thinned->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    for (auto [before, after] : llvm::zip_equal(results, thinned.getResults()))
      before.replaceAllUsesWith(after);
  }
  if (!op.use_empty()) {
    Value no = maker.createBit(builder, op.getLoc(), false);
    for (Value result : op->getResults())
      result.replaceAllUsesWith(no);
  }
  op->erase();
}

bool memplan::isEmptyConditional(Operation *op) {
  auto conditional = dyn_cast<scf::IfOp>(op);
  return conditional && conditional.getNumResults() == 0 &&
         llvm::all_of(conditional->getRegions(), [](Region &region) {
           return region.empty() || region.front().without_terminator().empty();
         });
}
