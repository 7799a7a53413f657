//===- InPlace.td - Ops that may write over what they read -*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_INPLACE_TD
#define MEMPLAN_IR_INPLACE_TD

include "mlir/IR/OpBase.td"


def InPlaceInterface : OpInterface<"InPlaceInterface"> {
  let cppNamespace = "::memplan";
  let description = [{
    An op that may write a buffer at the bytes of another that it reads: what it
    computes is the same where the two operands begin at the same byte. Planning
    and its verifier believe it. Both are whole buffers of one number of elements
    of one size.

    Copies, structured ops and nests of loops need not implement it: that they
    are in place is proven from what they say otherwise.
  }];
  let methods = [
    InterfaceMethod<
      "True if the op reads no byte through `read` after it has written it through `written`.",
      "bool", "mayOverwrite",
      (ins "::mlir::OpOperand &":$read, "::mlir::OpOperand &":$written)>,
  ];
}

#endif // MEMPLAN_IR_INPLACE_TD
