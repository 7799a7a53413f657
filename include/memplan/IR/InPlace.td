//===- InPlace.td - Ops that may overwrite an operand ------*- tablegen -*-===//
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
    An op that may write a buffer over another that it reads: its result is the
    same if the two operands begin at the same byte. Planning and its verifier
    rely on that. Both operands are whole buffers with the same number of
    elements of the same size.

    Copies, structured ops and nests of loops need not implement it: for them it
    is proven.
  }];
  let methods = [
    InterfaceMethod<
      "True if the op reads no byte through `read` after it has written it through `written`.",
      "bool", "mayOverwrite",
      (ins "::mlir::OpOperand &":$read, "::mlir::OpOperand &":$written)>,
  ];
}

#endif // MEMPLAN_IR_INPLACE_TD
