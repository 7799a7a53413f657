//===- AsyncWork.td - Asynchronous work --------------------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_ASYNCWORK_TD
#define MEMPLAN_IR_ASYNCWORK_TD

include "mlir/IR/OpBase.td"

def AsyncWorkInterface : OpInterface<"AsyncWorkInterface"> {
  let cppNamespace = "::memplan";
  let description = [{
    An op that starts work which may go on when control does, or that waits for
    such work. The memrefs that the op is given are in use until the work is
    finished, which is when one of its finished values has been awaited; the
    memory effects of the op tell how it uses them. A buffer that is given to
    work which is not awaited on every path is not planned.

    `async.execute`, `async.add_to_group`, `async.await` and `async.await_all`
    implement the interface; ops with upstream's `gpu::AsyncOpInterface` need not.
  }];
  let methods = [
    InterfaceMethod<
      "The role of the op in asynchronous work.",
      "::memplan::AsyncRole", "getAsyncRole">,
    InterfaceMethod<
      "The values that the op waits for (`Awaits`), or that must be ready before its own work begins.",
      "::llvm::SmallVector<::mlir::Value>", "getAwaitedValues">,
    InterfaceMethod<
      "The values that are ready only when the work is finished: the work of the op, and the work that it waits for. Empty if the op awaits.",
      "::llvm::SmallVector<::mlir::Value>", "getFinishedValues", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::llvm::SmallVector<::mlir::Value>($_op->getResults());
      }]>,
  ];
}

#endif // MEMPLAN_IR_ASYNCWORK_TD
