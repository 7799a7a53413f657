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
    An op that yields fresh memory as its only result, a memref, and does nothing
    else: planning may put a view of an arena in its place. Its contents are
    undefined. `memref.alloc`, `memref.alloca` and `memplan.workspace` are such
    ops; those of other dialects implement the interface, or have it attached as
    an external model.

    An op that is not planned stays as it is; to lower it is up to its dialect.
  }];
  let methods = [
    InterfaceMethod<
      "Bytes: the alignment that is asked for, a power of two.",
      "int64_t", "getRequestedAlignment", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return 1;">,
    InterfaceMethod<
      "Where the memory comes from, and what may share its bytes.",
      "::memplan::BufferStorage", "getStorage", (ins), /*methodBody=*/"",
      /*defaultImplementation=*/"return ::memplan::BufferStorage::Heap;">,
  ];
}

#endif // MEMPLAN_IR_BUFFERALLOCATION_TD
