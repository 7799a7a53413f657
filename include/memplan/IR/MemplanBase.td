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
    pinned: `memplan.problem` holds `memplan.buffer`, `memplan.conflict` and
    `memplan.overlap` ops. Live ranges are half-open
    intervals of program points; sizes, alignments and offsets are bytes.

    The *program* half is the form of a planned function: `memplan.arena` is its
    one allocation, `memplan.view` places a buffer at a byte offset of the arena,
    `memplan.slot` says where, if that depends on sizes that are known only when
    the program runs, `memplan.renew` begins a buffer in a loop-carried slot,
    and `memplan.release` frees the arena.
    `memplan.workspace` asks for scratch memory. Everything lowers to plain
    `memref` ops (`memplan-lower`). All types are builtin memrefs.

    ## Sharing that makes a pipeline wait

    A producer whose ops run on several hardware pipes at once (DMA, matrix and
    vector units) can say so. `plan-memory` and `memplan-extract` then give pairs
    of buffers soft conflicts: the plan fits the capacity first, waits least
    second, and has the smallest arena third. The program stays correct
    without these attributes: the hardware, or a later pass, makes ops wait for
    the bytes that they need.

    - `memplan.pipe = "dma"` on an op, or on a loop that runs on one pipe as a
      whole: the pipe. Ops of one pipe run in order, those of others at the same
      time, as far as the buffers that they write and read permit.
    - `memplan.cycles = 400 : i64` beside it: how long the op runs (1 without it).
      If a buffer gets the bytes of another one that some pipe still uses, the op
      that writes it first would have to wait; the pair pays these cycles. In
      loops each iteration pays.
    - `memplan.apart = {x = 3 : i64}` on allocations: each two with a name in
      common should not share bytes; a pair that does pays the larger number.
      `memplan.bank_apart` is the same for memory banks. Their size is `bank_size`
      of the space in the target description of the module
      (`"memplan.spaces" = {"1" = {bank_size = 4096}}`).

    ```mlir
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    linalg.copy {memplan.pipe = "dma"} ins(%x : ...) outs(%a : ...)
    linalg.exp {memplan.pipe = "vector"} ins(%a : ...) outs(%u : ...)
    linalg.copy {memplan.pipe = "dma"} ins(%y : ...) outs(%b : ...)
    linalg.exp {memplan.pipe = "vector"} ins(%b : ...) outs(%v : ...)
    // The second copy can run while the first linalg.exp does, unless %b has the
    // bytes of %a: a soft conflict of %a and %b with weight 1.
    ```
  }];
  // These discardable attributes are verified: "memplan.buffer" (on an
  // allocation: the name of its buffer in its problem, or of all buffers whose
  // slots it may be in), "memplan.slots" and "memplan.slot" (on a lowered arena
  // of no constant size, and on its views), "memplan.arena" (on a lowered arena, or on an argument
  // that is one), "memplan.renew" (on a lowered renewal),
  // "memplan.workgroup" (on a view of an arena of workgroup memory), "memplan.align", "memplan.output" and
  // "memplan.outputs" (for results in the arena), "memplan.overwrites" (on an
  // argument of a function without a body), "memplan.step" and "memplan.stream"
  // (on ops that run at once), "memplan.pipe" and "memplan.cycles" (on ops of
  // hardware pipes), "memplan.apart" and "memplan.bank_apart" (on allocations that
  // had better not share memory), and those of op graphs (GraphAttributes.h). There
  // are no others.
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// On an allocation: the name of its memplan.buffer in the problem of its
    /// function (a string), or an array of the names of all buffers it may be in.
    static constexpr ::llvm::StringLiteral kBufferAttr = "memplan.buffer";
    /// On the memref.alloc, memref.alloca, memref.get_global or gpu.alloc of a
    /// lowered arena (unit), and on a function argument that is an arena of the
    /// callers (its alignment in bytes, an i64).
    static constexpr ::llvm::StringLiteral kArenaAttr = "memplan.arena";
    /// On a lowered arena of no constant size: an array with an entry for each
    /// slot, which has its least offset in bytes and then the numbers of the
    /// slots before it that it is directly above (an array of i64).
    static constexpr ::llvm::StringLiteral kSlotsAttr = "memplan.slots";
    /// On the memref.view of a buffer in such a slot: the number of the slot and
    /// the offset in the slot in bytes (an array of two i64).
    static constexpr ::llvm::StringLiteral kSlotAttr = "memplan.slot";
    /// On a function argument that stands for a result: the alignment in bytes
    /// that the program requires of its memory (an i64).
    static constexpr ::llvm::StringLiteral kAlignAttr = "memplan.align";
    /// On the memref.load of a lowered memplan.output: the number of the result
    /// (an i64).
    static constexpr ::llvm::StringLiteral kOutputAttr = "memplan.output";
    /// On a function with results in its arena: an array with a dictionary for
    /// each of them, with its `offset` in bytes, its `type` (a static memref) and
    /// the number `result` that it had.
    static constexpr ::llvm::StringLiteral kOutputsAttr = "memplan.outputs";
    /// On the memref.cast of a lowered memplan.renew, which casts a slot to its
    /// own type (unit).
    static constexpr ::llvm::StringLiteral kRenewAttr = "memplan.renew";
    /// On the memref.view of a buffer in an arena of workgroup memory (unit).
    static constexpr ::llvm::StringLiteral kWorkgroupAttr =
        "memplan.workgroup";
    /// On the memref.alloc of an arena that a result of the function is in, and
    /// that the caller frees with the result (unit).
    static constexpr ::llvm::StringLiteral kReturnedAttr = "memplan.returned";
    /// On an argument of a function without a body: the numbers of the memref
    /// arguments that the function only reads and whose bytes it may overwrite
    /// with this one (an array of i64).
    static constexpr ::llvm::StringLiteral kOverwritesAttr =
        "memplan.overwrites";
    /// On ops that run at once: the number of their step (an i64).
    static constexpr ::llvm::StringLiteral kStepAttr = "memplan.step";
    /// On ops that run in order, at once with ops of other streams: the number of
    /// their stream (an i64).
    static constexpr ::llvm::StringLiteral kStreamAttr = "memplan.stream";
    /// On an op: the hardware pipe that runs it (a string), and how long it runs
    /// (an i64, 1 without it).
    static constexpr ::llvm::StringLiteral kPipeAttr = "memplan.pipe";
    static constexpr ::llvm::StringLiteral kCyclesAttr = "memplan.cycles";
    /// On allocations: those with a name in common had better not share bytes,
    /// or a bank; by name, what it costs if two do (an i64).
    static constexpr ::llvm::StringLiteral kApartAttr = "memplan.apart";
    static constexpr ::llvm::StringLiteral kBankApartAttr =
        "memplan.bank_apart";
    /// On a module: planning leaves marks (Observation.h). The bytes behind each
    /// slot that no other slot has at the same time (an i64).
    static constexpr ::llvm::StringLiteral kObserveAttr = "memplan.observe";
    /// On an op: its program point in the body of the parallel loop with this
    /// number, or in the function if that is -1 (an array of i64: loop, point).
    static constexpr ::llvm::StringLiteral kPointAttr = "memplan.point";
    /// On a memplan.view: a dictionary that describes its slot (Observed).
    static constexpr ::llvm::StringLiteral kObservedAttr = "memplan.observed";
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

def Memplan_ArenaMemory : I32EnumAttr<"ArenaMemory", "the memory of an arena",
    [I32EnumAttrCase<"Heap", 0, "heap">,
     I32EnumAttrCase<"Stack", 1, "stack">,
     I32EnumAttrCase<"Global", 2, "global">,
     I32EnumAttrCase<"Returned", 3, "returned">]> {
  let cppNamespace = "::memplan";
}

def Memplan_GpuMemory : I32EnumAttr<"GpuMemory", "what gpu.alloc allocates",
    [I32EnumAttrCase<"Device", 0, "device">,
     I32EnumAttrCase<"HostShared", 1, "host_shared">]> {
  let cppNamespace = "::memplan";
}

def Memplan_GpuAllocAttr : AttrDef<Memplan_Dialect, "GpuAlloc"> {
  let mnemonic = "gpu_alloc";
  let summary = "The memory space of a gpu.alloc, while planning";
  let description = [{
    The type of a `gpu.alloc` does not tell its memory from that of a
    `memref.alloc`. `memplan-raise-gpu-alloc` puts the difference in the memory
    space, so that the two never share an arena; `memplan-restore-gpu-alloc`
    removes it. `space` is the memory space of the original type, if it has one.

    ```mlir
    %0 = memref.alloc() : memref<64xf32, #memplan.gpu_alloc<host_shared>>
    ```
  }];
  let parameters = (ins EnumParameter<Memplan_GpuMemory>:$memory,
                        OptionalParameter<"::mlir::Attribute">:$space);
  let assemblyFormat = "`<` $memory (`,` $space^)? `>`";
}

#endif // MEMPLAN_IR_MEMPLANBASE_TD
