//===- OpCost.td - What an op costs ------------------------*- tablegen -*-===//
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
    What one execution of an op costs: floating-point operations, bytes read and
    written, scratch memory. Ops of other dialects implement it by an external
    model; those of upstream have theirs in lib/Analysis/OpGraph.
  }];
  let methods = [
    InterfaceMethod<
      "The cost of one execution. Sizes, trip counts and the costs of regions "
      "and callees are asked of `context`.",
      "::memplan::OpCost", "estimateCost",
      (ins "::memplan::CostContext &":$context)>,
  ];
}

#endif // MEMPLAN_IR_OPCOST_TD
