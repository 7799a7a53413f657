//===- BufferAllocation.td - Ops that allocate a buffer ----*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_BUFFERALLOCATION_TD
#define MEMPLAN_IR_BUFFERALLOCATION_TD

include "mlir/IR/OpBase.td"

def BufferAllocationInterface : OpInterface<"BufferAllocationInterface"> {
  let cppNamespace = "::memplan";
  let description = [{
    An op that does nothing but yield fresh memory as its only result, a memref,
    so that planning may replace it by a view of an arena. The contents are
    undefined. `memref.alloc`, `memref.alloca` and `memplan.workspace` are such
    ops; ops of other dialects implement the interface, or have it attached as
    an external model.

    An op that is not planned stays as it is; its own dialect must lower it.
  }];
  let methods = [
    InterfaceMethod<
      "Bytes: the alignment that the op requests, a power of two.",
      "int64_t", "getRequestedAlignment", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<
      "The kind of the memory, and who may share its bytes.",
      "::memplan::BufferStorage", "getStorage", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::memplan::BufferStorage::Heap;">,
  ];
}

#endif // MEMPLAN_IR_BUFFERALLOCATION_TD
