//===- MemplanBase.td - The memplan dialect ----------------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_MEMPLANBASE_TD
#define MEMPLAN_IR_MEMPLANBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Memplan_Dialect : Dialect {
  let name = "memplan";
  let cppNamespace = "::memplan";
  let summary = "Static memory planning: problems, plans and planned programs";
  let description = [{
    The dialect has two halves.

    The *problem* half states an offset-assignment problem as IR, so that every
    solver can be tested by text and a plan can be read, diffed, edited and
    pinned: `memplan.problem` holds `memplan.buffer`, `memplan.buffer_view`,
    `memplan.conflict` and `memplan.overlap` ops. Live ranges are half-open
    intervals of program points; sizes, alignments and offsets are bytes.

    The *program* half is what a function looks like once it is planned:
    `memplan.arena` is its one allocation, `memplan.view` places a buffer at a
    byte offset of it, `memplan.renew` in a slot that travels, and
    `memplan.release` frees the arena.
    `memplan.workspace` asks for scratch memory. Everything lowers to plain
    `memref` ops (`memplan-lower`). All types are builtin memrefs.
  }];
  // The discardable attributes "memplan.buffer" (on an allocation: the buffer's
  // name in its problem, or the names of all it takes turns in), "memplan.arena"
  // (on a lowered arena, or an argument that is one), "memplan.renew" (on a
  // lowered renewal), "memplan.copied" (what is left of a copy that moves
  // nothing), "memplan.align", "memplan.output" and "memplan.outputs" (results that are in
  // the arena), "memplan.overwrites" (on an argument of a function without a
  // body), "memplan.step" and "memplan.stream" (on ops that run at
  // once) are verified, and those of op graphs (GraphAttributes.h); there are no
  // others.
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// On an allocation: the name of its memplan.buffer in the problem of its
    /// function (a string), or an array of them where it may be in several.
    static constexpr ::llvm::StringLiteral kBufferAttr = "memplan.buffer";
    /// On the memref.alloc, memref.alloca, memref.get_global or gpu.alloc that an
    /// arena was lowered to (unit), and on a function argument that is an arena its
    /// callers hand in (its alignment in bytes).
    static constexpr ::llvm::StringLiteral kArenaAttr = "memplan.arena";
    /// On a function argument that stands for a result: the alignment in bytes
    /// that the program asks of its memory (an i64).
    static constexpr ::llvm::StringLiteral kAlignAttr = "memplan.align";
    /// On the memref.load of an output that memplan.output was lowered to: the
    /// number of the result (an i64).
    static constexpr ::llvm::StringLiteral kOutputAttr = "memplan.output";
    /// On a function whose results are in its arena: an array with a dictionary
    /// for each, of its `offset` in bytes, its `type` (a static memref) and the
    /// number `result` that it had.
    static constexpr ::llvm::StringLiteral kOutputsAttr = "memplan.outputs";
    /// On a memref.cast of a slot to its own type: that of memplan.renew, as it
    /// was lowered (unit).
    static constexpr ::llvm::StringLiteral kRenewAttr = "memplan.renew";
    /// On a memref.copy of no elements of two buffers, which is left of a copy
    /// from a part of the first to one of the second that was at the same bytes:
    /// where each part begins in its buffer, and how long they are, in bytes (an
    /// array of three i64).
    static constexpr ::llvm::StringLiteral kCopiedAttr = "memplan.copied";
    /// On an argument of a function without a body: the numbers of the
    /// arguments, memrefs that it only reads, over whose bytes it may write this
    /// one (an array of i64).
    static constexpr ::llvm::StringLiteral kOverwritesAttr =
        "memplan.overwrites";
    /// On ops that run at once: the number of their step (an i64).
    static constexpr ::llvm::StringLiteral kStepAttr = "memplan.step";
    /// On ops that run in order, beside those of other streams: the number of
    /// their stream (an i64).
    static constexpr ::llvm::StringLiteral kStreamAttr = "memplan.stream";
  }];
}

class Memplan_Op<string mnemonic, list<Trait> traits = []>
    : Op<Memplan_Dialect, mnemonic, traits>;

def Memplan_WorkspaceKind : I32EnumAttr<"WorkspaceKind",
    "how scratch memory is shared",
    [I32EnumAttrCase<"Shared", 0, "shared">,
     I32EnumAttrCase<"Unique", 1, "unique">]> {
  let cppNamespace = "::memplan";
}

def Memplan_ArenaMemory : I32EnumAttr<"ArenaMemory", "where an arena is",
    [I32EnumAttrCase<"Heap", 0, "heap">,
     I32EnumAttrCase<"Stack", 1, "stack">,
     I32EnumAttrCase<"Global", 2, "global">]> {
  let cppNamespace = "::memplan";
}

def Memplan_GpuMemory : I32EnumAttr<"GpuMemory", "what gpu.alloc allocates",
    [I32EnumAttrCase<"Device", 0, "device">,
     I32EnumAttrCase<"HostShared", 1, "host_shared">]> {
  let cppNamespace = "::memplan";
}

def Memplan_GpuAllocAttr : AttrDef<Memplan_Dialect, "GpuAlloc"> {
  let mnemonic = "gpu_alloc";
  let summary = "The memory space of what gpu.alloc allocates, while planning";
  let description = [{
    The type of a `gpu.alloc` does not say that its memory is another than that
    of a `memref.alloc`. `memplan-raise-gpu-alloc` says it in the memory space,
    so that the two never share an arena; `memplan-restore-gpu-alloc` takes it
    back. `space` is the memory space that the program gives it, if any.

    ```mlir
    %0 = memref.alloc() : memref<64xf32, #memplan.gpu_alloc<host_shared>>
    ```
  }];
  let parameters = (ins EnumParameter<Memplan_GpuMemory>:$memory,
                        OptionalParameter<"::mlir::Attribute">:$space);
  let assemblyFormat = "`<` $memory (`,` $space^)? `>`";
}

#endif // MEMPLAN_IR_MEMPLANBASE_TD
