//===- TestCorrespondence.cpp - Compare planned functions with others -----===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// plan-memory checks the planned program against the original one. This pass
// takes both from one file: each function with the attribute `original` is
// checked against the function that the attribute names.
//
//===----------------------------------------------------------------------===//

#include "TestCorrespondence.h"

#include "memplan/Equivalence/Equivalence.h"
#include "memplan/IR/BufferAllocation.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {

class TestCorrespondence
    : public PassWrapper<TestCorrespondence, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestCorrespondence)

  StringRef getArgument() const final { return "test-correspondence"; }
  StringRef getDescription() const final {
    return "Check planned functions against the ones that they name";
  }

  void getDependentDialects(DialectRegistry &registry) const final {
    memplan::registerBufferAllocationModels(registry);
  }

  void runOnOperation() final {
    bool isSame = true;
    getOperation()->walk([&](FunctionOpInterface planned) {
      auto name = planned->getAttrOfType<FlatSymbolRefAttr>("original");
      if (!name)
        return;
      auto original = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
          planned, name);
      if (!original) {
        planned.emitError() << "names an original that is not there";
        isSame = false;
      } else if (failed(memplan::checkCorrespondence(original, planned))) {
        isSame = false;
      }
    });
    if (!isSame)
      signalPassFailure();
  }
};

} // namespace

void memplan::registerTestCorrespondence() {
  PassRegistration<TestCorrespondence>();
}
