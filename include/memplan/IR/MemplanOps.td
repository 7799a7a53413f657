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
    base in bytes, the most a buffer may ask for; `capacity`, in bytes, is what
    the arena may have together with the `unplanned` bytes that the function has
    in this memory space besides.

    With `loop` they are those of one iteration of a parallel loop of the
    function, the loop of that number in walk order. With `frame` the callers of
    the function hand in its arena. Such an arena is a buffer of another problem
    (see `memplan.buffer`), which is solved after this one.

    `memplan-solve` adds the solution: an `offset` on every buffer and the
    attributes `status`, `strategy` (whose plan it is), `arena_size` and
    `lower_bound` (bytes).

    Example, where @b may reuse the bytes of @a, which is dead at 4:

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
    /// The arena's alignment in bytes, 64 where the op does not say.
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

    `offset` in bytes is the solution in a problem that has a `status`; in one
    that has not, and wherever `pinned` is given, it is a pin: every plan must
    keep it.

    With `frame_of` the buffer is the arena of that function's problem of the
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

def BufferViewOp : Memplan_ProblemEntry<"buffer_view", [Symbol]> {
  let summary = "Declare a part of a buffer that has live ranges of its own";
  let description = [{
    A view of `size` bytes at `offset` bytes into the buffer `source`. The
    buffer is live whenever one of its views is; the view's place is the
    buffer's offset plus its own.

    ```mlir
    memplan.buffer @a size(4096) align(64) live [[0, 2)]
    memplan.buffer_view @v of @a offset(128) size(512) live [[2, 5)]
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    FlatSymbolRefAttr:$source,
    I64Attr:$offset,
    I64Attr:$size,
    DenseI64ArrayAttr:$live);
  let assemblyFormat = [{
    $sym_name `of` $source `offset` `(` custom<Bytes>($offset) `)`
    `size` `(` custom<Bytes>($size) `)` `live` custom<LiveRanges>($live)
    attr-dict
  }];
  let hasVerifier = 1;
}

def ConflictOp : Memplan_ProblemEntry<"conflict"> {
  let summary = "Forbid two buffers to share bytes at any time";
  let description = [{
    For pairs whose live ranges do not show that they are needed at once, such
    as buffers of parallel regions.

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

// What planning allocates belongs to the function: passes that insert
// deallocations (ownership-based-buffer-deallocation) free nothing of it.
def Memplan_ScopedAlloc : MemAlloc<AutomaticAllocationScopeResource>;

def ArenaOp : Memplan_Op<"arena",
    [DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Allocate the arena";
  let description = [{
    The one allocation of a planned function and memory space: a
    one-dimensional i8 memref of static size whose base is aligned to `align`
    bytes. `memplan-lower` turns it into `memref.alloc` with the attribute
    `memplan.arena`, by which a later run knows that the function is planned. If
    the program releases it, `bufferization.manual_deallocation` tells upstream's
    deallocation passes that it is freed already; what nothing releases is theirs
    to free.

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
    Stands at every exit of the function, before the terminator. Arenas on the
    stack and global ones have none.

    ```mlir
    memplan.release %arena : memref<8192xi8>
    ```
  }];
  // No deallocation as upstream means it: its passes refuse explicit ones.
  let arguments = (ins Arg<Memplan_ArenaType, "", [MemRead, MemWrite]>:$arena);
  let assemblyFormat = "$arena attr-dict `:` type($arena)";
  let hasVerifier = 1;
}

// The result carries an allocation effect although nothing is allocated: each
// execution starts a new life of the bytes, so two views of one place must not
// be merged, nor one be hoisted out of a loop.
def ViewOp : Memplan_Op<"view",
    [DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Place a buffer at a byte offset of the arena";
  let description = [{
    Stands where the allocation stood and is the buffer: a memref with identity
    layout and static shape at `offset` bytes from the arena's base. The offset
    is a multiple of `align`, the alignment the buffer asked for.

    In the body of a parallel loop a buffer has a place for each worker: to the
    offset come `workers`, each times a constant stride in bytes. A worker is
    the number of an iteration, linear in the induction variables of the loop;
    nested parallel loops have one each.

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
  let summary = "Begin a buffer's life in a slot that others have had";
  let description = [{
    Buffers that a loop carries take turns in slots, which travel through
    arguments and results. The result is a new buffer in the slot that `slot`
    is in. What the slot held is lost with the first write to the new buffer;
    `slot` is not a name of it.

    ```mlir
    scf.for %i = %lb to %ub step %s iter_args(%x = %0, %free = %1)
        -> (memref<16xf32>, memref<16xf32>) {
      %new = memplan.renew %free : memref<16xf32>
      linalg.abs ins(%x : memref<16xf32>) outs(%new : memref<16xf32>)
      scf.yield %new, %x : memref<16xf32>, memref<16xf32>
    }
    ```
  }];
  // Each execution begins a new life of the bytes, as with memplan.view.
  let arguments = (ins Arg<AnyMemRef, "", [MemRead, MemWrite]>:$slot);
  let results = (outs Res<AnyMemRef, "", [Memplan_ScopedAlloc]>:$result);
  let assemblyFormat = "$slot attr-dict `:` type($result)";
}

def OutputOp : Memplan_Op<"output"> {
  let summary = "Name a buffer that is a result of the function";
  let description = [{
    Stands at every exit of a function, before the terminator. What `buffer`
    holds there is result number `number` of the function, and the caller reads
    it in the arena, which outlives the call.

    `memplan-lower` turns it into a `memref.load` of the first element, which
    nothing uses; it goes with the next clean-up, but `memplan-verify` reads it.

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
    `shared` scratch owns its bytes from its first to its last use only, so that
    ops at different times use the same bytes; `unique` scratch shares its
    bytes with nothing. Planning turns it into a `memplan.view` of the arena;
    where a function is not planned, `memplan-lower` makes it an allocation of
    its own.

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
