//===- AsyncWork.td - Ops whose work goes on after them ----*- tablegen -*-===//
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
    An op that starts work which goes on while control does, or that waits for
    such work. The memrefs that the op is given are in use until the work is
    finished, which is when one of its finished values has been awaited; what it
    does with them is said by its memory effects. A buffer that is given to work
    which is not awaited on every path is not planned.

    `async.execute`, `async.add_to_group`, `async.await` and `async.await_all`
    implement the interface; ops with upstream's `gpu::AsyncOpInterface` need not.
  }];
  let methods = [
    InterfaceMethod<
      "What the op does about asynchronous work.",
      "::memplan::AsyncRole", "getAsyncRole">,
    InterfaceMethod<
      "The values that the op waits for (`Awaits`), or that are ready before its own work begins.",
      "::llvm::SmallVector<::mlir::Value>", "getAwaitedValues">,
    InterfaceMethod<
      "The values each of which is ready only when the work is finished: of the op's own work, and of that it waits for. None where the op awaits.",
      "::llvm::SmallVector<::mlir::Value>", "getFinishedValues", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/[{
        return ::llvm::SmallVector<::mlir::Value>($_op->getResults());
      }]>,
  ];
}

#endif // MEMPLAN_IR_ASYNCWORK_TD
