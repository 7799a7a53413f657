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

    With `banks` no buffer crosses a multiple of that number of bytes.

    With `cuts` no buffer crosses one of these offsets. The bytes below each cut
    are the memory of one result of the function, which is pinned at their
    begin; the bytes above the last cut are the arena.

    `memplan-solve` adds the solution: an `offset` on every buffer and the
    attributes `status`, `strategy` (the one that found the plan), `arena_size`
    and `lower_bound` (bytes), and if there are soft conflicts `penalty`, the
    sum of the weights that the plan pays, and `penalty_bound`, what every plan
    within the capacity pays at least.

    If sizes are formulas, `symbols` names their symbols. `bounds` has for each
    symbol the least value, the greatest one (-1 for none) and a number of which
    all are multiples. `hints` has values of the symbols for which the arena
    should be small; without them a small and a large value of each symbol
    count. Numbers of bytes are those at the first hint.

    `options` has the options of `memplan-extract` on which the problem depends
    and that are not the default: `alignment` (bytes, 64), `at_greatest_sizes`
    (false; true for `dynamic=bounded`), `in_place` (true), `iteration_arenas`
    (arenas of iterations of parallel loops: true; false with a capacity or
    another place than `arena=alloc`), `lend_results` (false),
    `trust_callees` (true; false for `callee-trust=none`) and `workers` (8).
    `memplan-materialize` derives the problem again with these options. If it
    finds something else than the op states, the program has changed, which is
    an error. An alignment that the program does not ask for may be edited.

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
    OptionalAttr<I64Attr>:$banks,
    OptionalAttr<DenseI64ArrayAttr>:$cuts,
    OptionalAttr<StrAttr>:$status,
    OptionalAttr<StrAttr>:$strategy,
    OptionalAttr<I64Attr>:$arena_size,
    OptionalAttr<I64Attr>:$lower_bound,
    OptionalAttr<I64Attr>:$penalty,
    OptionalAttr<I64Attr>:$penalty_bound,
    OptionalAttr<StrArrayAttr>:$symbols,
    OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr,
                                    "array of array<i64>">>:$bounds,
    OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr,
                                    "array of array<i64>">>:$hints,
    OptionalAttr<DictionaryAttr>:$options);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $function (`loop` `(` custom<Bytes>($loop)^ `)`)? (`frame` $frame^)?
    (`space` `(` $memory_space^ `)`)?
    (`align` `(` custom<Bytes>($align)^ `)`)?
    (`capacity` `(` custom<Bytes>($capacity)^ `)`)?
    (`unplanned` `(` custom<Bytes>($unplanned)^ `)`)?
    (`banks` `(` custom<Bytes>($banks)^ `)`)?
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

    With a `formula` (memplan/Core/Formula.h) the size depends on the symbols of
    the problem, and `size` is its value at the first hint. In the solution the
    buffer then lies `above` others at all sizes, and begins at `from` bytes or
    higher; or it has the `place` of another buffer of the same size. Buffers
    without these three have the same offset at all sizes.

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
    memplan.buffer @c size(8192) formula("16 * n") align(64) live [[2, 4)]
        offset(4352) from(128) above [@b]
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    I64Attr:$size,
    OptionalAttr<StrAttr>:$formula,
    DefaultValuedAttr<I64Attr, "1">:$align,
    DenseI64ArrayAttr:$live,
    OptionalAttr<SymbolNameAttr>:$frame_of,
    OptionalAttr<I64Attr>:$loop,
    OptionalAttr<I64Attr>:$times,
    OptionalAttr<I64Attr>:$offset,
    UnitAttr:$pinned,
    OptionalAttr<I64Attr>:$from,
    OptionalAttr<FlatSymbolRefArrayAttr>:$above,
    OptionalAttr<FlatSymbolRefAttr>:$place);
  let assemblyFormat = [{
    $sym_name `size` `(` custom<Bytes>($size) `)` (`formula` `(` $formula^ `)`)?
    (`align` `(` custom<Bytes>($align)^ `)`)?
    `live` custom<LiveRanges>($live) (`frame_of` $frame_of^)?
    (`loop` `(` custom<Bytes>($loop)^ `)`)?
    (`times` `(` custom<Bytes>($times)^ `)`)?
    (`offset` `(` custom<Bytes>($offset)^ `)`)? (`pinned` $pinned^)?
    (`from` `(` custom<Bytes>($from)^ `)`)? (`above` $above^)?
    (`place` `(` $place^ `)`)? attr-dict
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

def SoftConflictOp : Memplan_ProblemEntry<"soft_conflict"> {
  let summary = "State what it costs if two buffers share bytes or a bank";
  let description = [{
    The two may share bytes, but then the plan pays `weight`: two hardware pipes
    that use the same bytes wait for each other. With `of_bank` it pays if the
    two are in the same bank. `memplan-solve` looks for a plan that fits, then
    for the least sum of the weights paid, then for the smallest arena. A
    producer adds these ops between `memplan-extract` and `memplan-solve`.

    ```mlir
    memplan.soft_conflict @a, @b weight(3)
    memplan.soft_conflict @a, @c weight(1) of_bank
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$first, FlatSymbolRefAttr:$second,
                       I64Attr:$weight, UnitAttr:$of_bank);
  let assemblyFormat = [{
    $first `,` $second `weight` `(` custom<Bytes>($weight) `)`
    (`of_bank` $of_bank^)? attr-dict
  }];
  let hasVerifier = 1;
}

def AllOrNoneOp : Memplan_ProblemEntry<"all_or_none"> {
  let summary = "Let two buffers share their first byte or none";
  let description = [{
    For memory that is reused as a whole: the two begin at the same byte or
    share no byte, whatever their live ranges are.

    ```mlir
    memplan.all_or_none @a, @b
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
    one-dimensional i8 memref whose base is aligned to `align` bytes. Its size
    is static unless it holds slots: then it is the greatest end of the slots
    that `of` lists, and at least `least` bytes. `memplan-lower` turns it into `memref.alloc` with the attribute
    `memplan.arena`, which tells a later run that the function is planned. If
    the program releases the arena, `bufferization.manual_deallocation` tells
    upstream's deallocation passes not to free it; otherwise they free it.

    An arena on the `stack` becomes a `memref.alloca`, a `global` one a private
    uninitialized `memref.global` and a `memref.get_global`; neither is released.

    A `returned` arena is the memory of one result, in which other buffers lie
    before the result is written. Each return returns one view of it, and the
    caller frees it with this result. `memplan-lower` adds the attribute
    `memplan.returned`.

    ```mlir
    %arena = memplan.arena align(64) : memref<8192xi8>
    %small = memplan.arena stack align(64) : memref<128xi8>
    %any = memplan.arena least(8192) of(%s0, %s1) align(64) : memref<?xi8>
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<Memplan_ArenaMemory, "::memplan::ArenaMemory::Heap">:$memory,
    DefaultValuedAttr<I64Attr, "0">:$least,
    Variadic<Index>:$slots,
    I64Attr:$align);
  let results = (outs Memplan_ArenaType:$arena);
  let assemblyFormat = [{
    ($memory^)? (`least` `(` custom<Bytes>($least)^ `)`)?
    (`of` `(` $slots^ `)`)? `align` `(` custom<Bytes>($align) `)`
    attr-dict `:` type($arena)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
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

def SlotOp : Memplan_Op<"slot", [Pure,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "Place bytes above others, whatever their sizes are";
  let description = [{
    The bytes of an arena that buffers have whose place is not a constant,
    because their size, or that of a buffer below them, is known only when the
    program runs. A buffer at a constant place needs no slot.

    The result is the offset of the slot in bytes: the least multiple of `align`
    that is at least `least` and at or behind the end of each slot in `above`.
    The slot ends `size` bytes behind its offset. So two slots share no byte if
    one of them is above the other, directly or through others, and a slot
    shares no byte with a buffer at a constant place that ends at or before
    `least`. No number need be known for this. A size below 0 counts as 0, and
    one of 2^48 or more as 2^48 - 1, so that no offset wraps and an arena that
    cannot exist cannot be allocated.

    ```mlir
    %n = memref.dim %x, %c0 : memref<?x64xf32>
    %bytes = arith.muli %n, %c256 : index
    %s0 = memplan.slot size(%bytes) align(64)
    %s1 = memplan.slot least(4096) above(%s0) size(%c1024) align(64)
    %arena = memplan.arena least(4096) of(%s1) align(64) : memref<?xi8>
    %a = memplan.view %arena[%s0](%n) align(64)
        : memref<?xi8> to memref<?x64xf32>
    ```
  }];
  let arguments = (ins DefaultValuedAttr<I64Attr, "0">:$least,
                       Variadic<Index>:$above, Index:$size, I64Attr:$align);
  let results = (outs Index:$offset);
  let assemblyFormat = [{
    (`least` `(` custom<Bytes>($least)^ `)`)? (`above` `(` $above^ `)`)?
    `size` `(` $size `)` `align` `(` custom<Bytes>($align) `)` attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes: the most that a size counts. All bits are ones, so that it does
    /// not become 0 where a lowering makes an index narrower than 48 bits.
    static constexpr int64_t kMostBytes = (int64_t(1) << 48) - 1;
  }];
}

// The result has an allocation effect although the op allocates nothing: each
// execution starts a new life of the bytes, so two views of the same bytes must
// not be merged, and none must be hoisted out of a loop.
def ViewOp : Memplan_Op<"view", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "Place a buffer at a byte offset of the arena";
  let description = [{
    Replaces the allocation of the buffer: a memref with identity layout at
    `offset` bytes from the arena's base, or from the start of `slot`. The
    offset is a multiple of `align`, the alignment that the buffer needs.
    `sizes` are the dynamic extents of the result, as on an allocation. Without a
    slot they must be bounded: the verifier proves how many bytes there are at most.

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
    %2 = memplan.view %any[%slot](%n) align(64)
        : memref<?xi8> to memref<?x16xf32>
    ```
  }];
  let arguments = (ins Arg<Memplan_ArenaType>:$arena,
                       Optional<Index>:$slot, I64Attr:$offset,
                       Variadic<Index>:$workers,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides,
                       Variadic<Index>:$sizes, I64Attr:$align);
  let results = (outs Res<AnyMemRef, "", [Memplan_ScopedAlloc]>:$result);
  let assemblyFormat = [{
    $arena `[` custom<Place>($slot, $offset, $workers, $strides) `]`
    (`` `(` $sizes^ `)`)? `align` `(` custom<Bytes>($align) `)`
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
