//===- OpCost.td - Costs of ops ----------------------------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_OPCOST_TD
#define MEMPLAN_IR_OPCOST_TD

include "mlir/IR/OpBase.td"

def OpCostInterface : OpInterface<"OpCostInterface"> {
  let cppNamespace = "::memplan";
  let description = [{
    The cost of one execution of an op: floating-point operations, bytes read and
    written, scratch memory. Ops of other dialects implement it by an external
    model; the models of upstream's ops are in lib/Analysis/Costs.
  }];
  let methods = [
    InterfaceMethod<
      "The cost of one execution. `context` gives sizes, trip counts, and the "
      "costs of regions and callees.",
      "::memplan::OpCost", "estimateCost",
      (ins "::memplan::CostContext &":$context)>,
  ];
}

#endif // MEMPLAN_IR_OPCOST_TD
