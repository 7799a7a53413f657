//===- MemplanOps.td - Ops of the memplan dialect ----------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_IR_MEMPLANOPS_TD
#define MEMPLAN_IR_MEMPLANOPS_TD

include "memplan/IR/MemplanBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

def ProblemOp : Memplan_Op<"problem",
    [IsolatedFromAbove, NoTerminator, SingleBlock, SymbolTable]> {
  let summary = "State the placement of buffers in one arena as a problem";
  let description = [{
    Holds the buffers of one arena: those of one function (named by
    `function`) in one memory space. `align` is the alignment of the arena's
    base in bytes, the most a buffer may ask for. `capacity` limits the bytes of
    the arena together with the `unplanned` bytes, which the function allocates
    in this memory space besides.

    With `loop` they are the buffers of one iteration of a parallel loop of the
    function, which has this number in walk order. With `frame` the callers of
    the function hand in its arena. Such an arena is a buffer of another problem
    (see `memplan.buffer`), which is solved after this one.

    `memplan-solve` adds the solution: an `offset` on every buffer and the
    attributes `status`, `strategy` (the one that found the plan), `arena_size`
    and `lower_bound` (bytes).

    Example: @b may reuse the bytes of @a, which is dead at 4.

    ```mlir
    memplan.problem @main align(64) {
      memplan.buffer @a size(4096) align(64) live [[0, 4)]
      memplan.buffer @b size(1024) align(64) live [[4, 9)]
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$function,
    OptionalAttr<I64Attr>:$loop,
    UnitAttr:$frame,
    OptionalAttr<AnyAttr>:$memory_space,
    OptionalAttr<I64Attr>:$align,
    OptionalAttr<I64Attr>:$capacity,
    OptionalAttr<I64Attr>:$unplanned,
    OptionalAttr<StrAttr>:$status,
    OptionalAttr<StrAttr>:$strategy,
    OptionalAttr<I64Attr>:$arena_size,
    OptionalAttr<I64Attr>:$lower_bound);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $function (`loop` `(` custom<Bytes>($loop)^ `)`)? (`frame` $frame^)?
    (`space` `(` $memory_space^ `)`)?
    (`align` `(` custom<Bytes>($align)^ `)`)?
    (`capacity` `(` custom<Bytes>($capacity)^ `)`)?
    (`unplanned` `(` custom<Bytes>($unplanned)^ `)`)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$function,
                                 "::mlir::Attribute":$memorySpace)>];
  let extraClassDeclaration = [{
    /// The arena's alignment in bytes; 64 if the op states none.
    int64_t getArenaAlignment() { return getAlign().value_or(64); }
  }];
}

class Memplan_ProblemEntry<string mnemonic, list<Trait> traits = []>
    : Memplan_Op<mnemonic, !listconcat([HasParent<"ProblemOp">], traits)>;

def BufferOp : Memplan_ProblemEntry<"buffer", [Symbol]> {
  let summary = "Declare a buffer with its size and live ranges";
  let description = [{
    `size` and `align` are bytes; `live` lists the half-open ranges of time
    points at which the contents matter, sorted and disjoint.

    `offset` is in bytes. If the problem has a `status` it is the solution,
    unless the buffer is `pinned`. Otherwise it is a pin, which every plan must
    keep.

    With `frame_of` the buffer is the arena of that function's problem in the
    same memory space, or `times` arenas side by side, one for each iteration of
    the function's parallel loop number `loop`. Its size is 0 until that problem
    is solved.

    ```mlir
    memplan.buffer @a size(4096) align(64) live [[0, 7), [9, 12)]
    memplan.buffer @b size(256) align(64) live [[3, 5)] offset(4096) pinned
    memplan.buffer @frame0 size(0) align(64) live [[5, 6)] frame_of @callee
    memplan.buffer @workers0 size(0) align(64) live [[6, 9)] frame_of @main
        loop(0) times(4)
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    I64Attr:$size,
    DefaultValuedAttr<I64Attr, "1">:$align,
    DenseI64ArrayAttr:$live,
    OptionalAttr<SymbolNameAttr>:$frame_of,
    OptionalAttr<I64Attr>:$loop,
    OptionalAttr<I64Attr>:$times,
    OptionalAttr<I64Attr>:$offset,
    UnitAttr:$pinned);
  let assemblyFormat = [{
    $sym_name `size` `(` custom<Bytes>($size) `)`
    (`align` `(` custom<Bytes>($align)^ `)`)?
    `live` custom<LiveRanges>($live) (`frame_of` $frame_of^)?
    (`loop` `(` custom<Bytes>($loop)^ `)`)?
    (`times` `(` custom<Bytes>($times)^ `)`)?
    (`offset` `(` custom<Bytes>($offset)^ `)`)? (`pinned` $pinned^)? attr-dict
  }];
  let hasVerifier = 1;
}

def ConflictOp : Memplan_ProblemEntry<"conflict"> {
  let summary = "Forbid two buffers to share bytes at any time";
  let description = [{
    For buffers that are needed at once although their live ranges do not
    overlap, such as buffers of parallel regions.

    ```mlir
    memplan.conflict @a, @b
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$first, FlatSymbolRefAttr:$second);
  let assemblyFormat = "$first `,` $second attr-dict";
  let hasVerifier = 1;
}

def OverlapOp : Memplan_ProblemEntry<"overlap"> {
  let summary = "Permit two live buffers to share bytes";
  let description = [{
    The two may share bytes although both are live, provided that
    offset(second) - offset(first) lies in the closed interval `by`, in bytes.
    In-place reuse is `[0, 0]`; a diagonal overlap is a wider interval.

    ```mlir
    memplan.overlap @a, @c by [0, 0]
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$first, FlatSymbolRefAttr:$second,
                       I64Attr:$min_delta, I64Attr:$max_delta);
  let assemblyFormat = [{
    $first `,` $second `by` ` ` `[` custom<Bytes>($min_delta) `,`
    custom<Bytes>($max_delta) `]` attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// The planned program
//===----------------------------------------------------------------------===//

def Memplan_ArenaType : MemRefRankOf<[I8], [1]>;

// The memory of planning belongs to the function: passes that insert
// deallocations (ownership-based-buffer-deallocation) do not free it.
def Memplan_ScopedAlloc : MemAlloc<AutomaticAllocationScopeResource>;

def ArenaOp : Memplan_Op<"arena",
    [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Allocate the arena";
  let description = [{
    The one allocation of a planned function and memory space: a
    one-dimensional i8 memref of static size whose base is aligned to `align`
    bytes. `memplan-lower` turns it into `memref.alloc` with the attribute
    `memplan.arena`, which tells a later run that the function is planned. If
    the program releases the arena, `bufferization.manual_deallocation` tells
    upstream's deallocation passes not to free it; otherwise they free it.

    An arena on the `stack` becomes a `memref.alloca`, a `global` one a private
    uninitialized `memref.global` and a `memref.get_global`; neither is released.

    ```mlir
    %arena = memplan.arena align(64) : memref<8192xi8>
    %small = memplan.arena stack align(64) : memref<128xi8>
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<Memplan_ArenaMemory, "::memplan::ArenaMemory::Heap">:$memory,
    I64Attr:$align);
  let results = (outs Memplan_ArenaType:$arena);
  let assemblyFormat = [{
    ($memory^)? `align` `(` custom<Bytes>($align) `)` attr-dict `:` type($arena)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getSizeInBytes() { return getArena().getType().getDimSize(0); }

    /// True if the program releases the arena.
    bool isReleased();
  }];
}

def ReleaseOp : Memplan_Op<"release"> {
  let summary = "Free the arena";
  let description = [{
    Stands at every exit of the function, before the terminator. Only arenas on
    the heap are released.

    ```mlir
    memplan.release %arena : memref<8192xi8>
    ```
  }];
  // Not a deallocation for upstream: its passes refuse explicit ones.
  let arguments = (ins Arg<Memplan_ArenaType, "", [MemRead, MemWrite]>:$arena);
  let assemblyFormat = "$arena attr-dict `:` type($arena)";
  let hasVerifier = 1;
}

// The result has an allocation effect although the op allocates nothing: each
// execution starts a new life of the bytes, so two views of the same bytes must
// not be merged, and none must be hoisted out of a loop.
def ViewOp : Memplan_Op<"view",
    [DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Place a buffer at a byte offset of the arena";
  let description = [{
    Replaces the allocation of the buffer: a memref with identity layout and
    static shape at `offset` bytes from the arena's base. The offset is a
    multiple of `align`, the alignment that the buffer needs.

    In the body of a parallel loop each worker has its own bytes for a buffer:
    for each value of `workers`, that value times a constant stride in bytes is
    added to the offset. A worker is the number of an iteration, linear in the
    induction variables of the loop; nested parallel loops have one each.

    ```mlir
    %0 = memplan.view %arena[4096] align(64)
        : memref<8192xi8> to memref<16x16xf32>
    // bytes [128 + %w * 1024, 128 + %w * 1024 + 64)
    %1 = memplan.view %arena[128 + %w * 1024] align(64)
        : memref<8192xi8> to memref<16xf32>
    ```
  }];
  let arguments = (ins Arg<Memplan_ArenaType>:$arena, I64Attr:$offset,
                       Variadic<Index>:$workers,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides,
                       I64Attr:$align);
  let results = (outs Res<AnyMemRef, "", [Memplan_ScopedAlloc]>:$result);
  let assemblyFormat = [{
    $arena `[` custom<Bytes>($offset) `` custom<WorkerTerms>($workers, $strides)
    `]` `align` `(` custom<Bytes>($align) `)`
    attr-dict `:` type($arena) `to` type($result)
  }];
  let hasVerifier = 1;
}

def RenewOp : Memplan_Op<"renew",
    [AllTypesMatch<["slot", "result"]>]> {
  let summary = "Begin a new buffer in a loop-carried slot";
  let description = [{
    Buffers that a loop carries may move through several slots, which are values
    that control flow forwards. The result is a new buffer in the slot `slot`.
    The old contents of the slot are lost with the first write to the new
    buffer; `slot` is not an alias of it.

    ```mlir
    scf.for %i = %lb to %ub step %s iter_args(%x = %0, %free = %1)
        -> (memref<16xf32>, memref<16xf32>) {
      %new = memplan.renew %free : memref<16xf32>
      linalg.abs ins(%x : memref<16xf32>) outs(%new : memref<16xf32>)
      scf.yield %new, %x : memref<16xf32>, memref<16xf32>
    }
    ```
  }];
  // As with memplan.view, each execution starts a new life of the bytes.
  let arguments = (ins Arg<AnyMemRef, "", [MemRead, MemWrite]>:$slot);
  let results = (outs Res<AnyMemRef, "", [Memplan_ScopedAlloc]>:$result);
  let assemblyFormat = "$slot attr-dict `:` type($result)";
}

def OutputOp : Memplan_Op<"output"> {
  let summary = "Name a buffer that is a result of the function";
  let description = [{
    Stands at every exit of a function, before the terminator. The contents of
    `buffer` at that point are result number `number` of the function. The
    caller reads them in the arena, which outlives the call.

    `memplan-lower` turns it into an unused `memref.load` of the first element,
    which `memplan-verify` reads and the next clean-up removes.

    ```mlir
    memplan.output %0, 0 : memref<16x16xf32>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$buffer, I64Attr:$number);
  let assemblyFormat = [{
    $buffer `,` custom<Bytes>($number) attr-dict `:` type($buffer)
  }];
}

def WorkspaceOp : Memplan_Op<"workspace"> {
  let summary = "Ask for scratch memory";
  let description = [{
    Scratch that an op needs, of static size, with undefined contents.
    `shared` scratch owns its bytes only from its first to its last use, so that
    ops at different times use the same bytes; `unique` scratch shares its
    bytes with no buffer. Planning turns it into a `memplan.view` of the arena;
    in a function that is not planned, `memplan-lower` turns it into an
    allocation.

    ```mlir
    %0 = memplan.workspace shared align(64) : memref<4096xi8>
    ```
  }];
  let arguments = (ins Memplan_WorkspaceKind:$kind,
                       DefaultValuedAttr<I64Attr, "64">:$align);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $kind (`align` `(` custom<Bytes>($align)^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

#endif // MEMPLAN_IR_MEMPLANOPS_TD
