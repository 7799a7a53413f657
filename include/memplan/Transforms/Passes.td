//===- Passes.td - Passes of memplan -----------------------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES_TD
#define MEMPLAN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

// OptionParsers.h.
defvar strategyValues = "::memplan::strategyValues()";
defvar effortValues = "::memplan::effortValues()";
defvar reportValues = "::memplan::reportValues()";
defvar tableValues = "::memplan::tableValues()";

defvar refusalValues = "::memplan::refusalValues()";
defvar scopeValues = "::memplan::scopeValues()";
defvar calleeTrustValues = "::memplan::calleeTrustValues()";
defvar placementValues = "::memplan::placementValues()";
defvar resultValues = "::memplan::resultValues()";
defvar requirementValues = "::memplan::requirementValues()";

// What is believed of callees, the same wherever programs are analyzed.
defvar calleeTrustOption =
  Option<"calleeTrust", "callee-trust", "::memplan::CalleeTrust",
         /*default=*/"::memplan::CalleeTrust::Boundary",
         "What is believed of callees that are not known",
         calleeTrustValues>;

// The options of the solver, the same in memplan-solve and plan-memory.
defvar solverOptions = [
  Option<"strategy", "strategy", "::memplan::Strategy",
         /*default=*/"::memplan::Strategy::Auto",
         "How offsets are found", strategyValues>,
  Option<"effort", "effort", "::memplan::Effort",
         /*default=*/"::memplan::Effort::Normal",
         "How much `auto` and `hill-climb` spend beyond greedy orders",
         effortValues>,
  Option<"nodeLimit", "node-limit", "int64_t", /*default=*/"0",
         "Search steps an arena after which the best plan so far is taken; 0 "
         "for what the effort says, and for 5000000 of `exact`">,
  Option<"timeLimitMs", "time-limit-ms", "int64_t", /*default=*/"0",
         "Milliseconds an arena after which the best plan so far is taken; 0 "
         "for no limit. Plans under a time limit are not reproducible">,
  Option<"seed", "seed", "uint64_t", /*default=*/"0",
         "Of the random restarts of the search">,
  Option<"threads", "threads", "unsigned", /*default=*/"1",
         "Threads that search; 0 for all cores. The plan does not depend on it">,
];

// Where arenas are. `argument` changes signatures, which memplan-extract decides
// on; the rest is up to memplan-materialize.
defvar placementOption =
  Option<"arena", "arena", "::memplan::ArenaPlacement",
         /*default=*/"::memplan::ArenaPlacement::Alloc",
         "Where the arenas of functions are that no caller in the module hands "
         "in",
         placementValues>;
defvar spaceArenasOption =
  ListOption<"spaceArenas", "space-arenas", "std::string",
             "The same for single memory spaces, not of `argument`: "
             "1:global,2:alloca">;
defvar allocaLimitOption =
  Option<"allocaLimit", "alloca-limit", "::memplan::ByteSize",
         /*default=*/"16384",
         "Bytes (or 16K) that an arena on the stack may have at most, unless "
         "all its buffers were there">;

// What is planned together, the same in memplan-extract and plan-memory.
defvar problemOptions = [
  Option<"alignment", "alignment", "::memplan::ByteSize", /*default=*/"64",
         "Least alignment of a buffer and of the arena, bytes (or 1K, 1M), a "
         "power of two">,
  Option<"capacity", "capacity", "::memplan::ByteSize", /*default=*/"0",
         "Bytes (or 64K, 1M) that each arena may have, together with what is "
         "not planned in its function and memory space; 0 for no limit">,
  Option<"maxParallelOps", "max-parallel-ops", "int64_t", /*default=*/"0",
         "Ops of a step that run at once; larger steps are split; 0 for no "
         "limit">,
  Option<"maxWorkers", "max-workers", "int64_t", /*default=*/"8",
         "Iterations a parallel loop may have for each to get a frame of its "
         "own for what its body allocates; 0 to leave that alone">,
  Option<"parallelWorkers", "parallel-workers", "int64_t", /*default=*/"0",
         "Workers that parallel loops with more iterations, or unknown bounds, "
         "are made to run on; 0 to leave these loops alone">,
  Option<"scope", "scope", "::memplan::PlanScope",
         /*default=*/"::memplan::PlanScope::Function",
         "What shares one arena", scopeValues>,
  ListOption<"entryPoints", "entry-points", "std::string",
             "With scope=module, the functions called from outside; if empty, "
             "all public ones">,
  calleeTrustOption,
  placementOption,
  Option<"results", "results", "::memplan::ResultPlacement",
         /*default=*/"::memplan::ResultPlacement::Return",
         "Where the memrefs are that functions return", resultValues>,
  Option<"computeInSlices", "compute-in-slices", "bool", /*default=*/"true",
         "Compute what is copied into a slice of a buffer there "
         "(memplan-compute-in-slices)">,
  Option<"sinkFills", "sink-fills", "bool", /*default=*/"true",
         "Fill buffers with one value where it is first needed, and instead of "
         "copying it (memplan-sink-fills)">,
  Option<"inPlace", "in-place", "bool", /*default=*/"true",
         "Let an op write its result over an operand that nothing needs later">,
  Option<"partialOverlap", "partial-overlap", "bool", /*default=*/"false",
         "With in-place, let loops write over a part of what they still read, "
         "in the order in which they run">,
];

def MemplanExtract : Pass<"memplan-extract", "::mlir::ModuleOp"> {
  let summary = "Write the memory plan of each function as a problem";
  let description = [{
    Inserts before each function one `memplan.problem` per memory space that has
    buffers to plan, and one for each parallel loop whose workers have frames;
    names each planned allocation with the attribute `memplan.buffer`. Buffers
    that are not planned get a remark that says why.

    `memplan-extract`, `memplan-solve`, `memplan-materialize` and `memplan-lower`
    are the steps of `plan-memory`, with the same options and the same result.
    What `scope=module`, `parallel-workers`, `max-parallel-ops`,
    `compute-in-slices` and `sink-fills` change of the program itself they change
    here: signatures, deallocations in callees, loops, the numbers of steps, fills
    and copies. The program is otherwise unchanged.
  }];
  let options = problemOptions;
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanSolve : Pass<"memplan-solve", "::mlir::ModuleOp"> {
  let summary = "Solve the problems of the module";
  let description = [{
    Gives every `memplan.buffer` an `offset` and every `memplan.problem` its
    `status`, `strategy`, `arena_size` and `lower_bound`. Offsets that a problem
    without a status carries, and those marked `pinned`, are kept.
  }];
  let options = solverOptions;
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanReadPlan : Pass<"memplan-read-plan", "::mlir::ModuleOp"> {
  let summary = "Take the offsets of problems from a file";
  let description = [{
    The other way to solve what `memplan-extract` has stated: with a plan from
    elsewhere, which is verified here and, with what becomes of it, later on. The
    file is CSV as `memplan-solve` writes it (of one problem), or a JSON report
    (of `memplan-translate --problem-to-json`, with every `offset` filled in, or
    of `memplan-solve --format=json`). Each buffer of a problem must have an
    offset there, by its name; sizes and lifetimes are the program's. Frames of
    callees and of parallel loops have a size once their own problem is solved:
    read their plans first, one by one with `function=f loop=0` and then
    `function=f loop=none` where plans are CSV.

    ```sh
    memplan-opt program.mlir --memplan-extract -o stated.mlir
    memplan-translate --problem-to-csv stated.mlir -o problem.csv
    memplan-solve problem.csv --output=plan.csv        # or any other solver
    memplan-opt stated.mlir --memplan-read-plan=file=plan.csv \
      --memplan-materialize --memplan-verify --memplan-lower
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"-\"",
           "The plan, CSV or JSON; - for standard input">,
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "Of which function; if empty, of all that have problems">,
    Option<"memorySpace", "memory-space", "std::string", /*default=*/"\"\"",
           "Of which memory space, 0 for the default one; if empty, of all">,
    Option<"loop", "loop", "std::string", /*default=*/"\"\"",
           "Of the body of which parallel loop of the function, by its number; "
           "none for the function itself; if empty, of all">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanMaterialize : Pass<"memplan-materialize", "::mlir::ModuleOp"> {
  let summary = "Rewrite planned allocations to views of one arena";
  let description = [{
    Applies solved problems to their functions and erases them: one
    `memplan.arena` per problem at the function's entry, a `memplan.view` where
    each planned allocation stood, and a `memplan.release` at every exit.
    Deallocations of planned buffers disappear.
  }];
  let options = [calleeTrustOption, placementOption, spaceArenasOption,
                 allocaLimitOption];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::arith::ArithDialect"];
}

def MemplanVerify : Pass<"memplan-verify", "::mlir::ModuleOp"> {
  let summary = "Verify planned functions from their IR alone";
  let description = [{
    Shows from the rewritten program itself that no read sees bytes that another
    buffer has taken, and that every buffer lies in its arena and is aligned.
    Nothing of the analyses or solvers that plans come from is used. Changes
    nothing; each violation is an error at the op where it shows, with a note at
    the other op involved. What it does not understand is an error, too.

    How: a forward analysis over the flow of control (regions and graphs of
    blocks alike, loops to a fixpoint). Each execution of a `memplan.view` or
    `memplan.renew` begins a buffer, which control flow may forward to other
    names. It is fresh until it is written to, then intact, and lost once
    another buffer that shares bytes with it is written to. To read or write a
    lost buffer is the violation. For example, with %a at bytes [0, 64) and %b
    at [32, 96) of the arena,

    ```mlir
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)  // note
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>         // error
    ```

    is reported as

    ```
    error: reads buffer at bytes [0, 64) of the arena, which 'linalg.abs'
           through the buffer at [32, 96) has overwritten
    ```

    Names that may be in one of several slots (of buffers that take turns) are
    followed for each way in which these may be assigned, or one by one where
    these are many. Checked besides: no op
    writes one buffer and uses another one at the same bytes, and neither do ops
    that `memplan.step` or `memplan.stream` let run at once; arenas are released
    once on every way out and not used afterwards; a global arena is used by
    nothing else, and its function neither comes to be called again before it
    returns nor runs twice at a time, as far as `func.call`s of `func.func`s say,
    which must be all that names it; iterations that may run at
    once do not share bytes; what asynchronous work uses is not used as another
    buffer before the work is awaited, which it is on every path; callees, whose
    bodies are looked into, neither keep nor free what they are given; buffers
    go nowhere where they cannot be followed (returned, stored, turned into
    pointers or tensors, used by ops whose effects are not known).

    An offset may depend on the worker, linearly in the induction variables of
    parallel loops with constant bounds, as long as iterations that may run at
    once have no byte in common.

    What `memplan-lower` writes is accepted as well, before other passes change
    it: a view stands for a new buffer wherever it is executed.

    Limitations:
    - After passes that merge `memref.view` ops of one place or move them out of
      loops (CSE, LICM) a sound plan may be refused. They leave `memplan.view`
      alone: verify before lowering.
    - The same holds for renewals, whose casts canonicalization folds, and for
      places of workers, once their loop is no parallel one any more.
    - A plan is refused in which something depends on two buffers that may be in
      their slots in more than 8192 ways.
    - A global arena is refused that inlining has made one of two places.
    - Arenas that are not marked are not seen.

    Says how many functions it verified, and warns if there was none.
  }];
  let options = [
    Option<"quiet", "quiet", "bool", /*default=*/"false",
           "Do not say how many plans were verified">,
  ];
}

def MemplanRaiseDeallocations
    : Pass<"memplan-raise-deallocations", "::mlir::ModuleOp"> {
  let summary = "Bring lowered deallocations back into a form that is planned";
  let description = [{
    For programs that were deallocated before they are planned; better plan
    before `buffer-deallocation-pipeline`, which leaves planned memory alone.

    That pipeline lowers a `bufferization.dealloc` of several memrefs to tables
    of their pointers and a helper function that compares them. In that form the
    pointers are kept in memory, and nothing that is freed so can be planned.
    This finds these tables, and pointers that are compared in place, and makes
    them `bufferization.dealloc` again. Planning takes out what is planned;
    `bufferization-lower-deallocations` lowers what is left.

    A `bufferization.clone` of static shape becomes an allocation and a copy, as
    upstream lowers it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanRaiseGpuAlloc
    : Pass<"memplan-raise-gpu-alloc", "::mlir::ModuleOp"> {
  let summary = "Let planning see what gpu.alloc allocates";
  let description = [{
    Turns a `gpu.alloc` without tokens into a `memref.alloc` in a memory space of
    its own, `#memplan.gpu_alloc<device>` or `<host_shared>`, which a
    `memref.memory_space_cast` leaves at once, so that no other op changes; and
    each `gpu.dealloc` without tokens of such an allocation itself into a
    `memref.dealloc`. Planning then gives them an arena of their own.

    `memplan-restore-gpu-alloc` takes it back, after `memplan-lower`: the arena
    becomes one `gpu.alloc`.

    ```sh
    memplan-opt model.mlir --memplan-raise-gpu-alloc --plan-memory \
      --memplan-lower --memplan-restore-gpu-alloc
    ```
  }];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanRestoreGpuAlloc
    : Pass<"memplan-restore-gpu-alloc", "::mlir::ModuleOp"> {
  let summary = "Allocate with gpu.alloc what was raised";
  let description = [{
    The inverse of `memplan-raise-gpu-alloc`: allocations in its memory spaces
    become `gpu.alloc`, deallocations `gpu.dealloc`, and no type names these
    spaces any more. A planned program must have been lowered before
    (`memplan-lower`).

    `gpu.alloc` takes no alignment: an arena begins where the runtime places it
    (CUDA and HIP: at a multiple of 256 bytes). An allocation that asks for more
    than 256 is an error.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def MemplanLower : Pass<"memplan-lower", "::mlir::ModuleOp"> {
  let summary = "Lower planned functions to plain memref ops";
  let description = [{
    Turns `memplan.arena` into a `memref.alloc` (`memref.alloca`, or a
    `memref.global` and a `memref.get_global`) marked `memplan.arena`,
    `memplan.view` into `memref.view`, `memplan.release` into `memref.dealloc`,
    and unplanned `memplan.workspace` into an allocation of its own.
    `memplan.renew` becomes a `memref.cast` of the slot to its own type, marked
    `memplan.renew`: it changes nothing and goes with the next clean-up, but
    `memplan-verify` reads it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanPrepareLLVM : Pass<"memplan-prepare-llvm"> {
  let summary = "Rewrite memref ops that upstream's lowering does not take";
  let description = [{
    A part of `memplan-to-llvm`, before structured ops and control flow are
    lowered.

    A `memref.subview` that takes steps and leaves out dimensions becomes two,
    as `expand-strided-metadata` finds these dimensions by the strides of the
    source, and fails where steps have changed them. A `memref.alloca_scope`
    becomes `llvm.intr.stacksave` and `llvm.intr.stackrestore`, as it may have
    one block only, also where it has loops and branches.

    ```mlir
    %s = memref.subview %a[0, 1, 0] [1, 4, 1] [1, 2, 1]
        : memref<1x8x1xf32> to memref<4x1xf32, strided<[2, 1], offset: 1>>
    // becomes
    %t = memref.subview %a[0, 1, 0] [1, 4, 1] [1, 2, 1]
        : memref<1x8x1xf32> to memref<1x4x1xf32, strided<[8, 2, 1], offset: 1>>
    %s = memref.subview %t[0, 0, 0] [1, 4, 1] [1, 1, 1]
        : memref<1x4x1xf32, strided<[8, 2, 1], offset: 1>>
        to memref<4x1xf32, strided<[2, 1], offset: 1>>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanDecomposePad : Pass<"memplan-decompose-pad"> {
  let summary = "Write tensor.pad as an insertion into a filled tensor";
  let description = [{
    What a `tensor.pad` pads is inserted into a `tensor.empty` filled with the
    padding value, so that bufferization can compute it in its place; left as
    it is, the padding becomes an allocation and a copy of all of its operand.

    ```mlir
    %p = tensor.pad %a low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %zero : f32
    } : tensor<4xf32> to tensor<6xf32>
    // becomes
    %e = tensor.empty() : tensor<6xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>)
        -> tensor<6xf32>
    %p = tensor.insert_slice %a into %f[1] [4] [1]
        : tensor<4xf32> into tensor<6xf32>
    ```

    Left alone are pads of dynamic shape, pads with values that depend on the
    index, and pads whose operand is not the result of an op that can compute it
    there: of a linalg op, which nothing else uses.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanDecomposePack : Pass<"memplan-decompose-pack"> {
  let summary = "Write linalg.pack and linalg.unpack as ops that bufferize";
  let description = [{
    A `linalg.pack` becomes a pad, a reshape and a transposition, a
    `linalg.unpack` a transposition, a reshape and a slice, as upstream lowers
    them; bufferization knows neither. Left alone are those whose tiles are not
    constants.

    ```mlir
    %p = linalg.pack %a inner_dims_pos = [0] inner_tiles = [4] into %d
        : tensor<8x2xf32> -> tensor<2x2x4xf32>
    // becomes
    %x = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 2]
        : tensor<8x2xf32> into tensor<2x4x2xf32>
    %p = linalg.transpose ins(%x : tensor<2x4x2xf32>)
        outs(%d : tensor<2x2x4xf32>) permutation = [0, 2, 1]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanDecomposeConcat : Pass<"memplan-decompose-concat"> {
  let summary = "Write tensor.concat as insertions into one tensor";
  let description = [{
    Each operand of a `tensor.concat` is inserted into its place of one
    `tensor.empty`, so that bufferization can compute the operands in place;
    left as it is, the concatenation becomes an allocation and a copy of every
    operand. So do those of more than 32 operands, which would take bufferization
    long; `plan-memory` finds places for what is copied contiguously.

    ```mlir
    %c = tensor.concat dim(0) %a, %b
        : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
    // becomes
    %e = tensor.empty() : tensor<5xf32>
    %i = tensor.insert_slice %a into %e[0] [2] [1]
        : tensor<2xf32> into tensor<5xf32>
    %c = tensor.insert_slice %b into %i[2] [3] [1]
        : tensor<3xf32> into tensor<5xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanPrepareDestinations : Pass<"memplan-prepare-destinations"> {
  let summary = "Give every op the right tensor to write to";
  let description = [{
    Works on linalg on tensors, before bufferization, in two steps.

    An elementwise op that writes to a `tensor.empty` writes over an operand
    instead: one of the same type that another op computed, that is read at the
    same place as the result is written, and that nothing uses later. Of a long
    chain of them every 65th gets a tensor of its own, as bufferization would take
    long; planned, it may share the bytes of the one before.

    ```mlir
    %1 = linalg.matmul ins(%a, %b : ...) outs(%z : tensor<4x4xf32>) -> ...
    %e = tensor.empty() : tensor<4x4xf32>
    %2 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> ...
    // becomes
    %1 = linalg.matmul ins(%a, %b : ...) outs(%z : tensor<4x4xf32>) -> ...
    %2 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> ...
    ```

    Common subexpression elimination makes one `tensor.empty` and one
    `linalg.fill` of the destinations of all ops of one shape. Only one of them
    can then compute in place: the zeros that many convolutions start from stay
    live to the last of them, and all others copy them. The second step undoes it:
    every op that writes to such a tensor gets one of its own, next to it.

    ```mlir
    %e = tensor.empty() : tensor<4x4xf32>
    %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = linalg.matmul ins(%a, %b : ...) outs(%z : tensor<4x4xf32>) -> ...
    %2 = linalg.matmul ins(%1, %b : ...) outs(%z : tensor<4x4xf32>) -> ...
    // becomes
    %e1 = tensor.empty() : tensor<4x4xf32>
    %z1 = linalg.fill ins(%c0 : f32) outs(%e1 : tensor<4x4xf32>) -> ...
    %1 = linalg.matmul ins(%a, %b : ...) outs(%z1 : tensor<4x4xf32>) -> ...
    %e2 = tensor.empty() : tensor<4x4xf32>
    %z2 = linalg.fill ins(%c0 : f32) outs(%e2 : tensor<4x4xf32>) -> ...
    %2 = linalg.matmul ins(%1, %b : ...) outs(%z2 : tensor<4x4xf32>) -> ...
    ```

    A fill of anything but a `tensor.empty` stays as it is.
  }];
  let options = [
    Option<"writeOver", "write-over", "bool", /*default=*/"true",
           "The first step: write over operands that die">,
  ];
}

def MemplanComputeInSlices
    : Pass<"memplan-compute-in-slices", "::mlir::ModuleOp"> {
  let summary = "Compute what is copied into a slice where the slice is";
  let description = [{
    A convolution with padding reads a larger buffer than was computed:
    bufferization fills that buffer with the padding value, and copies what was
    computed into the middle of it. This pass has it computed there:

    ```mlir
    linalg.generic ... outs(%a : memref<8x8xf32>)
    %b = memref.alloc() : memref<10x10xf32>
    linalg.fill ins(%zero : f32) outs(%b : memref<10x10xf32>)
    %s = memref.subview %b[1, 1] [8, 8] [1, 1]
    memref.copy %a, %s
    // becomes
    %b = memref.alloc() : memref<10x10xf32>
    %s = memref.subview %b[1, 1] [8, 8] [1, 1]
    linalg.fill ins(%zero : f32) outs(%b : memref<10x10xf32>)
    linalg.generic ... outs(%s : memref<8x8xf32, strided<[10, 1], offset: 11>>)
    ```

    The copies are those of all of an allocation into a `memref.subview` with
    constant bounds and unit steps of another allocation in the same block: with
    gaps between its bytes (padding, concatenation along an inner dimension), or
    of a buffer that is filled before the copy. All others `plan-memory` places
    where they are copied to. From an op on that overwrites
    the allocation up to the copy, only linalg ops, copies, loads and stores of the
    same block may use it; behind the copy, before it is overwritten, such ops may
    read it, and read the slice then; and what else is done with the larger buffer
    meanwhile is done in other slices of it. Static shapes only.

    The larger buffer is live earlier, and longer. Nothing is changed where more
    bytes would be live at once than the function needs without, or more than three
    quarters of these behind the copy. Left alone are what is used
    together with tensors, code and memory of many threads, and functions with
    `memplan.step` or `memplan.stream`. The verifier proves of each function that
    every op reads what it read; one that it refuses stays as it was, with a
    warning; `on-refusal=error` of `plan-memory` makes it an error. `plan-memory`
    and `memplan-extract` do this, before they sink fills, unless
    `compute-in-slices=false`.
  }];
  let options = [calleeTrustOption];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def MemplanSinkFills : Pass<"memplan-sink-fills", "::mlir::ModuleOp"> {
  let summary = "Fill buffers where the value is needed";
  let description = [{
    Bufferization makes one buffer of a tensor that is filled with one value
    (`linalg.fill`) and that many ops begin with, and a copy of it for each of
    these but the last. The buffer is then live from the fill to the last of
    them. This pass fills the copies instead, and the buffer where it is first
    needed:

    ```mlir
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    ...                        // accumulates in %b, does not access %a
    linalg.matvec ins(%m, %x : ...) outs(%a : ...)
    // becomes
    linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)
    ...
    linalg.fill ins(%zero : f32) outs(%a : memref<64xf32>)
    linalg.matvec ins(%m, %x : ...) outs(%a : ...)
    ```

    A nest of loops that stores one value to every element, and does nothing
    else, is a fill, too, and copies of its buffer become copies of the nest.

    A fill goes where nobody reads what it writes. There are never more ops, or
    nests, than before, and each reads and writes at most what it did. Of
    allocations in the block of the fill only, as long as all uses can be
    followed; a copy becomes a fill where both sides have elements of one type
    in one memory space. Left alone are what is used together with tensors, as
    bufferization may use it elsewhere; code and memory of many threads; and
    functions with `memplan.step` or `memplan.stream`. The verifier proves of each
    function that every other op reads what it read; one that it refuses stays as
    it was, with a warning; `on-refusal=error` of `plan-memory` makes it an error.
    `plan-memory` and `memplan-extract` do this unless `sink-fills=false`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def MemplanDistributeWorkers
    : Pass<"memplan-distribute-workers", "::mlir::ModuleOp"> {
  let summary = "Run parallel loops on a fixed number of workers";
  let description = [{
    What the body of a parallel loop allocates needs a place for each iteration
    that may run at the same time. Where the iterations are many, or nobody
    knows how many, this makes them few: the loop becomes one over `workers`
    workers, each of which runs an equal share of the iterations, in order.

    ```mlir
    scf.parallel (%i) = (%lb) to (%ub) step (%s) {
      %a = memref.alloc() : memref<16xf32>
      ...
    }
    // with workers=4 becomes, where %total iterations are %share for each,
    scf.parallel (%w) = (%c0) to (%c4) step (%c1) {
      %begin = arith.muli %w, %share : index
      %next = arith.addi %begin, %share : index
      %end = arith.minui %next, %total : index
      scf.for %n = %begin to %end step %c1 {
        %m = arith.muli %n, %s : index
        %i = arith.addi %lb, %m : index
        %a = memref.alloc() : memref<16xf32>
        ...
      }
    }
    ```

    The dimensions of a loop are counted as one. `scf.forall` stays one, and so
    does `affine.parallel`, whose bounds must be constants.

    Left alone are loops with at most `max-workers` (or `workers`) iterations,
    which `plan-memory` takes as they are; loops that allocate nothing that
    could be planned; loops with reductions or results; loops with a `mapping`,
    and what is inside of these; and functions that have an arena. Where loops
    are nested each has its own workers.
  }];
  let options = [
    Option<"workers", "workers", "int64_t", /*default=*/"8",
           "Workers of each loop">,
    Option<"maxWorkers", "max-workers", "int64_t", /*default=*/"8",
           "Iterations of a loop that stays as it is">,
    calleeTrustOption,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

def PlanMemory : Pass<"plan-memory", "::mlir::ModuleOp"> {
  let summary = "Plan the memory of every function into one arena";
  let description = [{
    The whole way: derives when every buffer is live, gives each an offset in
    one arena per function and memory space, rewrites the function, and verifies
    the result: `memplan-extract`, `memplan-solve`, `memplan-materialize` and
    `memplan-lower` in one transaction. It works on a clone, which replaces the
    module when all of it is right. On an error (no plan fits the capacity, sizes
    that overflow) nothing is changed. A plan that the verifier refuses, which is
    a bug of the planner, does not count either: the function and its callers
    stay as they were, with a warning (`on-refusal=error` makes it an error);
    with `scope=module` or `parallel-workers` the whole module does.

    ```mlir
    func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
      %a = memref.alloc() : memref<16xf32>              // live [1, 4)
      linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
      %b = memref.alloc() : memref<16xf32>              // live [3, 6)
      linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
      %c = memref.alloc() : memref<16xf32>              // live [5, 7)
      linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
      memref.copy %c, %out : memref<16xf32> to memref<16xf32>
      return
    }
    ```

    becomes, as %c may take the bytes of %a,

    ```mlir
    func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
      %c0 = arith.constant 0 : index
      %c64 = arith.constant 64 : index
      %arena = memref.alloc() {alignment = 64 : i64,
          bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
      %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
      linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
      %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
      linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
      %c = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
      linalg.exp ins(%b : memref<16xf32>) outs(%c : memref<16xf32>)
      memref.copy %c, %out : memref<16xf32> to memref<16xf32>
      memref.dealloc %arena {bufferization.manual_deallocation} : memref<128xi8>
      return
    }
    ```

    Run it before `buffer-deallocation-pipeline`, which frees what is not
    planned and leaves the arena alone, as it is marked
    `bufferization.manual_deallocation`.

    Planned are `memref.alloc`, `memref.alloca` and `memplan.workspace` of static
    shape and identity layout, anywhere in straight lines, structured control
    flow (`scf.if`, `for`, `while`, `index_switch`, `execute_region`,
    `affine.for`, `affine.if`, `memref.alloca_scope`) and graphs of blocks, with
    or without deallocations. Buffers that control flow joins (results of
    branches, arguments of loops) share one slot where no two of them are live
    at once; those that a loop carries and that are live at once rotate through
    slots.

    Left alone, each with a remark that says why (`--remarks-filter=plan.*`):
    dynamic shapes, layouts, buffers that are returned, stored, passed to
    callees that keep or free them, turned into pointers or tensors, or used by
    ops whose effects are not known, or by asynchronous work that is not awaited
    on every path; allocations inside asynchronous regions, and inside parallel
    ones whose workers are not known; buffers that share a deallocation with one
    that is not planned.

    Callees whose body is in the module are looked into. For others the
    function-boundary rules of upstream's ownership-based deallocation hold:
    they neither keep nor free their arguments, and their results may be these.
    A call through a value may be of any function of its type whose address is
    taken in the module, or of another one, of which that is believed. With
    `callee-trust=none` nothing is believed: buffers that callees without a body
    or callees through a value are given are not planned.

    What asynchronous work uses (`async.execute`, ops of the `gpu` dialect with
    a token) is live until the await that covers it:

    ```mlir
    %t = async.execute {
      linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
      async.yield
    }
    linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
    async.await %t : !async.token   // %a and %b are apart up to here
    ```

    Ops of a block with one number `memplan.step` run at once, if whoever
    executes the program so wants: what is live in a part of a step is live in
    all of it, and nothing is begun, ended or reused inside. `memplan.stream`
    says which ops of a step run in order; alone it makes steps that last to the
    next op without annotation that uses memory. With `max-parallel-ops` steps
    of more ops are split and numbered anew. The report compares the arena with
    that of the ops one after another.

    ```mlir
    linalg.exp {memplan.step = 0} ins(%a : ...) outs(%b : memref<16xf32>)
    linalg.abs {memplan.step = 0} ins(%a : ...) outs(%c : memref<16xf32>)
    linalg.exp {memplan.step = 1} ins(%b : ...) outs(%d : memref<16xf32>)
    linalg.abs {memplan.step = 1} ins(%c : ...) outs(%e : memref<16xf32>)
    // 256 bytes: %b, %c, %d and %e; one after another 192
    ```

    With `scope=module` a private function that is called only directly gets the
    memory of its arena, and of the results it allocates, as arguments from its
    callers: its frame lies in their arena over whatever is dead during the
    call. A result may be one of several allocations (of branches, of a loop, of
    several returns) if no two of them are live at once. An argument that such
    a function frees, always or if an `i1` argument says so, its callers free
    after the call, where the deallocation goes with what is planned. Recursive
    functions allocate an arena for each activation. Public functions keep their
    signatures, unless `entry-points` names those that are called from outside:
    all others become private. Functions that an attribute names, of the module
    or of any op in it, other than as the callee of a `func.call`, keep theirs,
    too.
    `arg_attrs` and `res_attrs` stay with what they are about; those of a result
    that becomes an argument become its own.

    The body of a parallel loop (`scf.parallel`, `scf.forall`,
    `affine.parallel`) is planned like a callee: what it allocates is placed in
    a frame, and the arena has a frame for each iteration where there are at
    most `max-workers`. With `parallel-workers` loops of more iterations, or of
    unknown bounds, first become loops over so many workers, each of which runs
    its share one after another (see `memplan-distribute-workers`). In any other
    parallel loop that allocates twice or more, each iteration allocates one
    arena and frees it at its end; but not with a `capacity`, as nobody knows
    how many of them there are at a time, nor with `arena` other than `alloc`.

    ```mlir
    scf.forall (%i) in (4) {
      %a = memref.alloc() : memref<16xf32>
      linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
      func.call @use(%a, %i) : (memref<16xf32>, index) -> ()
    }
    // becomes
    %arena = memref.alloc() {alignment = 64 : i64,
        bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
    scf.forall (%i) in (4) {
      %frame = arith.muli %i, %c64 : index
      %offset = arith.addi %c0, %frame : index
      %a = memref.view %arena[%offset][] : memref<256xi8> to memref<16xf32>
      ...
    ```

    `arena` says where arenas are, other than those that callers in the module
    hand in:

    - `alloc`: on the heap, allocated at entry and released at exit. An arena of
      buffers that were all on the stack is on the stack.
    - `alloca`: on the stack, if it has at most `alloca-limit` bytes.
    - `argument`: the last argument of the function, an `i8` memref of static
      size with the attribute `memplan.arena`, its alignment in bytes. It must
      not overlap other arguments; what it holds before and after the call does
      not matter. Signatures of public functions change, too. Functions that are
      called in the module get their arenas from their callers, as with
      `scope=module`, so that one arena serves a whole call tree.
      `memplan-check-arena-arguments` checks size and alignment at run time.
    - `global`: a private, uninitialized `memref.global`. Not for functions that
      are recursive, or that the module calls in parallel or asynchronously, or
      names other than in a `func.call` of a `func.func`, nor for what such
      functions call; callees without a body are taken not to call back (with
      `callee-trust=none` functions that have such are left on the heap). Nobody
      may run the function twice at once.

    `space-arenas` says the same of single memory spaces (0 is the default one),
    of all but `argument`, which is for all: `arena=alloc space-arenas=1:global`.

    An arena that cannot be so stays on the heap, and a remark says why; with
    `require=placed` that is an error.

    ```mlir
    // arena=argument
    func.func @f(%in: memref<16xf32>, %out: memref<16xf32>,
                 %arena: memref<128xi8> {memplan.arena = 64 : i64})
    // arena=global
    memref.global "private" @memplan_arena_f : memref<128xi8> = uninitialized
        {alignment = 64 : i64}
    ```

    `results` says where the memrefs are that functions return, public ones
    included:

    - `return`: nothing changes, and a buffer that is returned is not planned.
    - `out-params`: the caller provides the memory, as a further argument for
      each result, which must not overlap other arguments. A buffer that is
      returned as a whole, by one or several paths, is this argument; what is a
      part of a buffer, or may be other memory, is copied to it. In public
      functions its attribute `memplan.align` has the alignment in bytes, where
      the program asks for one.
    - `arena`: the same for functions that others in the module call. Of the
      others, which nobody calls, the results are buffers of the arena
      (`arena=argument` or `arena=global`) that live to the end. The attribute
      `memplan.outputs` of the function has the offset, the type and the number
      (as it was) of each. A global arena with results in it is not private, so
      that others can read them; they are not handed in again, as nothing in an
      arena is.

    A result that always is an argument stays returned.

    ```mlir
    // arena=argument results=arena, where f returned a memref<16xf32>
    func.func @f(%in: memref<16xf32>,
                 %arena: memref<128xi8> {memplan.arena = 64 : i64})
        attributes {memplan.outputs = [
          {offset = 64 : i64, result = 0 : i64, type = memref<16xf32>} ]}
    ```

    A buffer may begin where another one ends, with the op that reads the one
    for the last time and writes the other first, and have its place, if both
    have as many elements of one size and the op is
    - a copy;
    - a linalg op whose loops are all parallel, with one and the same
      permutation of the loops as the maps of both, dimensions of one element
      left out;
    - a nest of scf or affine loops that loads from the one and stores to the
      other with the same indices, each loop's variable among them, the load
      before the store.
    What reads an element that another iteration has overwritten by then does
    not: reductions, transpositions, windows, broadcasts of that operand (one of
    another operand, a bias, does no harm).

    With `partial-overlap=true`, loops with constant bounds, whose accesses are
    affine in their variables, may also write over the part that they have read
    of a buffer which they read for the last time: windows, more or fewer
    channels, elements of other sizes. The buffer that is read then begins above
    the other one, at least as far as follows from the accesses:

    ```mlir
    // 4 bytes: iteration 2 still reads element 1
    affine.for %i = 1 to 15 {
      %x = affine.load %read[%i - 1] : memref<16xf32>
      %y = affine.load %read[%i + 1] : memref<16xf32>
      %z = arith.addf %x, %y : f32
      affine.store %z, %written[%i] : memref<16xf32>
    }
    ```

    The verifier proves each such place from the op, the report lists them with
    the reason, and `in-place=false` does without. Passes that change the order
    of loops, or split or fuse them, come before planning: what
    `memplan-verify` accepts behind them is still right. A loop that reads and
    writes common bytes may not be vectorized, so that a partial overlap can
    cost time.

    A function that has an arena is not planned again.
  }];
  let options = !listconcat(solverOptions, problemOptions, [
    spaceArenasOption,
    allocaLimitOption,
    Option<"lower", "lower", "bool", /*default=*/"true",
           "End in plain memref ops; false keeps the memplan ops">,
    Option<"onRefusal", "on-refusal", "::memplan::RefusalAction",
           /*default=*/"::memplan::RefusalAction::Warn",
           "What becomes of a plan that the verifier refuses", refusalValues>,
    Option<"require", "require", "::memplan::Requirement",
           /*default=*/"::memplan::Requirement::None",
           "What has to be, or planning fails", requirementValues>,
    Option<"report", "report", "::memplan::ReportFormat",
           /*default=*/"::memplan::ReportFormat::None",
           "Print a report of every arena", reportValues>,
    Option<"reportFile", "report-file", "std::string", /*default=*/"\"\"",
           "Where the report goes, if there is one: standard error when empty, "
           "- for standard output">,
  ]);
  let statistics = [
    Statistic<"numPlanned", "planned", "Buffers with a place in an arena">,
    Statistic<"numUnplanned", "unplanned", "Buffers not planned">,
    Statistic<"bytesBefore", "bytes-before",
              "Bytes of the planned buffers, each on its own">,
    Statistic<"bytesAfter", "bytes-after", "Bytes of the arenas">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanCheckArenaArguments
    : Pass<"memplan-check-arena-arguments", "::mlir::ModuleOp"> {
  let summary = "Check at run time the arenas that callers hand in";
  let description = [{
    For programs that are planned with `arena=argument`: a public function
    asserts at its entry that its arena has the bytes and the alignment that its
    plan needs, and is not null. The bytes that a caller says it hands in come
    with the memref, so the argument loses its static size; calls in the module
    cast to that. It is the last pass on memrefs, behind `memplan-verify`,
    `memplan-emit-header` and `memplan-alias-scopes`: the argument is one like any
    other from then on.

    ```mlir
    func.func @f(%arena: memref<128xi8> {memplan.arena = 64 : i64})
    ```

    becomes

    ```mlir
    func.func @f(%arena: memref<?xi8>) {
      %c0 = arith.constant 0 : index
      %bytes = memref.dim %arena, %c0 : memref<?xi8>
      %c128 = arith.constant 128 : index
      %holds = arith.cmpi uge, %bytes, %c128 : index
      cf.assert %holds, "the arena of @f has less than 128 bytes"
      // and so on for its address
      %whole = memref.cast %arena : memref<?xi8> to memref<128xi8>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanEmitHeader : Pass<"memplan-emit-header", "::mlir::ModuleOp"> {
  let summary = "Write a C header with the memory that functions need";
  let description = [{
    For programs that are planned, on functions whose arguments are still
    memrefs: bytes and alignment of the arenas of each public function (and of
    private ones that have one), by where they are (`ARENA` for one that is an
    argument, `HEAP`, `STACK`, `STATIC`), offsets of the results that are in the
    arena (`results=arena`), and bytes of the other arguments. A global arena
    with results in it is declared, if C can name it. Arenas that
    callees allocate are listed with the callees. `json-file` gets the same as
    JSON. Without a file the header goes to standard output. Changes nothing.

    ```mlir
    func.func @model(%in: memref<16xf32>, %out: memref<16xf32>,
                     %arena: memref<128xi8> {memplan.arena = 64 : i64})
    ```

    gives

    ```c
    /* model */
    /* argument 2 */
    #define MODEL_ARENA_BYTES 128
    #define MODEL_ARENA_ALIGNMENT 64
    #define MODEL_ARGUMENT0_BYTES 64
    #define MODEL_ARGUMENT1_BYTES 64
    ```
  }];
  let options = [
    Option<"headerFile", "file", "std::string", /*default=*/"\"\"",
           "Where the header goes; - for standard output">,
    Option<"jsonFile", "json-file", "std::string", /*default=*/"\"\"",
           "Where the same goes as JSON; - for standard output">,
  ];
}

//===----------------------------------------------------------------------===//
// Op graphs
//===----------------------------------------------------------------------===//

// What dynamic sizes are taken for and where reports go, the same in all passes
// on op graphs.
defvar graphOptions = [
  Option<"dimHint", "dim-hint", "int64_t", /*default=*/"1",
         "What an extent or index is taken for that no attribute gives a hint "
         "of">,
  Option<"targetFile", "target", "std::string", /*default=*/"\"\"",
         "JSON file that describes the device; if empty, the module's "
         "attributes do">,
  Option<"output", "output", "std::string", /*default=*/"\"\"",
         "Where the report goes; standard error when empty, - for standard "
         "output">,
];

def MemplanCost : Pass<"memplan-cost", "::mlir::ModuleOp"> {
  let summary = "Report what the ops of each function cost";
  let description = [{
    Floating-point operations, bytes read and written, scratch memory and
    arithmetic intensity of each function, by kind of op or op by op. Changes
    nothing.

    A multiply-add is 2. An addition, multiplication, division, comparison,
    minimum or maximum and a function such as exp is 1 for each element, of
    floats and of integers alike; conversions, selections and computations on
    `index` and `i1` are 0. A structured op costs its iteration space times its
    body, a loop its trip count times its body, a call its callee, a conditional
    the dearest of its branches. Reads and writes are the bytes of the operands
    that the op reads and of what it writes, each once an op. A gather reads no
    more than there is.

    Where a trip count, a branch or an op is not known the line says
    `not exact`. Dynamic extents of arguments have the hints of
    `memplan.dim_hints` (array<i64>, one a dimension), index arguments that of
    `memplan.hint` (i64), all else `dim-hint`.

    With the rates of a device (see `target`) each op takes the larger of its
    computing and its transfer time, and a function the sum of these (roofline).
    The device is a JSON file or the entries `memplan.peak_flops`,
    `memplan.bandwidth` and `memplan.ops` of a device in the module's
    `dlti.target_system_spec`:

    ```json
    {"peak_flops": {"f32": 1e12, "default": 5e11},
     "bandwidth": {"default": 1e11},
     "ops": {"batch_norm": {"scratch": 4096, "reserve_per_result_byte": 0.25}}}
    ```

    The kind of an op is its attribute `memplan.kind`, else the name of its
    callee, else the name of the op. Other dialects add costs of their ops by
    external models of `OpCostInterface`.
  }];
  let options = !listconcat(graphOptions, [
    Option<"format", "format", "::memplan::TableFormat",
           /*default=*/"::memplan::TableFormat::Text",
           "How the report is written", tableValues>,
    Option<"perOp", "per-op", "bool", /*default=*/"false",
           "A line for each op instead of each kind">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanAliasScopes : Pass<"memplan-alias-scopes", "::mlir::func::FuncOp"> {
  let summary = "Tell LLVM which slots of an arena share no byte";
  let description = [{
    After planning all buffers are views of one allocation, and LLVM assumes that
    a store to one may change the others; loops that it vectorized before stay
    scalar. This lowers loads and stores (`memref.load`, `memref.store`,
    `vector.load`, `vector.store`) of planned functions to those of the LLVM
    dialect, with alias scopes that say which bytes they touch. Slots that share
    a byte are never told apart, whenever they are live; slots are told apart
    from arguments, globals and other allocations where the function allocates
    the arena itself.

    It runs after `memplan-lower` and after structured ops have become loops over
    loads and stores, before `finalize-memref-to-llvm`, as in `memplan-to-llvm`.
    Accesses whose memory is not known, and other ops, stay as they are.

    ```mlir
    %a = memref.view %arena[%c0][] : memref<8192xi8> to memref<1024xf32>
    %b = memref.view %arena[%c4096][] : memref<8192xi8> to memref<1024xf32>
    %x = memref.load %a[%i] : memref<1024xf32>
    memref.store %x, %b[%i] : memref<1024xf32>
    // becomes, with the casts that later conversions fold left out
    %x = llvm.load %p {alias_scopes = [#bytes_0_to_4096],
                       noalias_scopes = [#outside, #bytes_4096_to_8192]}
    llvm.store %x, %q {alias_scopes = [#bytes_4096_to_8192],
                       noalias_scopes = [#outside, #bytes_0_to_4096]}
    ```

    Each outermost loop has scopes of its own, at most 64 for each arena. The
    functions become `no_inline`, which holds until they are functions of the
    LLVM dialect: the inliner of `func` would give two copies the same scopes.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

defvar functionOption =
  Option<"functionName", "function", "std::string", /*default=*/"\"\"",
         "The function; if empty, the only one that has a body">;

def MemplanExportGraph : Pass<"memplan-export-graph", "::mlir::ModuleOp"> {
  let summary = "Write the op graph of a function as JSON";
  let description = [{
    The form that `memplan-graph` reads (docs/opgraph.md). Changes nothing.

    On tensors the result of an op is a storage; reshapes, casts and extracted
    slices are views; a result may take the place of its destination if that
    dies at the op; a `tensor.empty` that is only written to is nothing. On
    memrefs an allocation is a storage, and reads and writes of what may be the
    same memory keep their order, as do ops whose effects are not known. An op
    with regions, and a call, is one op with the peak inside as its scratch.

    Arguments may say what they are: `memplan.role` ("primal", "tangent",
    "fwd_rng", "bwd_rng"), `memplan.static` (a weight, free to keep),
    `memplan.donated` (its memory is given away); functions how many of their
    results are forward outputs (`memplan.num_fwd_outputs`); ops whether they
    should be recomputed (`memplan.recompute`: "must_save", "prefer_save",
    "prefer_recompute", "must_recompute") and what they draw random numbers
    from (`memplan.random`: "explicit" for a state that is an operand,
    "implicit").

    With `backward` the graph is the joint one of two functions. The results of
    `function` behind its forward outputs are the first arguments of `backward`,
    in order; the other arguments, where they have no role, are tangents.
  }];
  let options = !listconcat(graphOptions, [
    functionOption,
    Option<"backwardName", "backward", "std::string", /*default=*/"\"\"",
           "The backward function that goes with `function`">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanProfile : Pass<"memplan-profile", "::mlir::ModuleOp"> {
  let summary = "Report the live memory of each function over time";
  let description = [{
    An entry after each allocation and each release, with what is live, and the
    peak with its largest allocations and where these come from. Changes
    nothing.

    On tensors it is an estimate from the op graph (see memplan-export-graph):
    with `in-place` a result takes the place of a destination that dies. On
    memrefs it is what plans come from: the lifetimes of plan-memory, so that
    the most bytes that allocations have live at once are the bound of its
    plans with `in-place=false`; what is not planned is live until it is freed, else to the end. Loops
    are at their steady state, and a call has the peak of its callee for its
    time.

    Arguments are counted, and held unless they are tangents or donated
    (`memplan.role`, `memplan.donated`); `hold`, `release` and `exclude` change
    that by origin: op, parameter (`memplan.static`), constant, primal, rng,
    input (an argument without a role), tangent, donated; `all` are all but op.

    With `backward` the function and that one are a pair: what `function`
    returns behind its `memplan.num_fwd_outputs` are the first arguments of
    `backward`. The peaks of both, the baseline of the backward function (forward
    outputs that it does not take) and the peak of the pair are reported.

    ```mlir
    // memplan-opt --memplan-profile="exclude=input"
    func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %e = tensor.empty() : tensor<4x4xf32>
      %0 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>  // 64 bytes
      %1 = linalg.abs ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>  // 128, then 64
      return %1 : tensor<4x4xf32>
    }
    ```
  }];
  let options = !listconcat(graphOptions, [
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "The function; if empty, all functions">,
    Option<"backwardName", "backward", "std::string", /*default=*/"\"\"",
           "The backward function that goes with `function`">,
    Option<"format", "format", "::memplan::ProfileFormat",
           /*default=*/"::memplan::ProfileFormat::Text",
           "How the report is written", "::memplan::profileFormatValues()">,
    Option<"top", "top", "unsigned", /*default=*/"10",
           "Allocations at the peak that the text lists">,
    Option<"printEntries", "entries", "bool", /*default=*/"false",
           "List every entry in the text">,
    Option<"inPlace", "in-place", "bool", /*default=*/"true",
           "Results take the place of destinations that die">,
    Option<"plannedOnly", "planned-only", "bool", /*default=*/"false",
           "On memrefs, leave out what plan-memory leaves alone, arguments and "
           "callees">,
    ListOption<"hold", "hold", "std::string",
               "Origins that are never released">,
    ListOption<"release", "release", "std::string",
               "Origins that are released after their last use">,
    ListOption<"exclude", "exclude", "std::string",
               "Origins that are not counted">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanPartition : Pass<"memplan-partition", "::mlir::ModuleOp"> {
  let summary = "Split a joint function into forward and backward";
  let description = [{
    A function @f on tensors whose first `memplan.num_fwd_outputs` results are
    forward outputs, and whose other results are gradients, becomes @f_fwd and
    @f_bwd. @f_fwd takes the primals (and forward random states) and returns the
    forward outputs and what is saved; @f_bwd takes what is saved and the
    tangents (and backward random states), and returns the gradients. Every
    argument says what it is by `memplan.role`; `memplan.static` marks weights,
    which are free to keep.

    What is saved costs its bytes; whatever the backward function needs besides
    is computed there again. A minimum cut decides; the report prints its
    capacity and the flow that proves it. With `strategy=default` every forward
    value that the backward function uses is saved. Ops are recomputed up to the
    cost class `recompute`; `memplan.recompute` on an op decides otherwise for
    it. Recomputed are pure, speculatable ops only, random ones only with an
    explicit state (`memplan.random`); recomputed ops run as late as their use
    wants, and carry the name "recomputed" in their location.

    ```mlir
    func.func @f(%x: tensor<4xf32> {memplan.role = "primal"},
                 %dy: tensor<4xf32> {memplan.role = "tangent"})
        -> (tensor<4xf32>, tensor<4xf32>) attributes {memplan.num_fwd_outputs = 1 : i64} {
      %a = math.exp %x : tensor<4xf32>
      %y = math.exp %a : tensor<4xf32>
      %g = arith.mulf %dy, %y : tensor<4xf32>
      %dx = arith.mulf %g, %a : tensor<4xf32>
      return %y, %dx : tensor<4xf32>, tensor<4xf32>
    }
    ```
  }];
  let options = !listconcat(graphOptions, [
    functionOption,
    Option<"strategy", "strategy", "::memplan::graph::PartitionStrategy",
           /*default=*/"::memplan::graph::PartitionStrategy::MinCut",
           "How it is decided what is saved",
           "::memplan::enumValues<::memplan::graph::PartitionStrategy>()">,
    Option<"model", "model", "::memplan::graph::CutModel",
           /*default=*/"::memplan::graph::CutModel::Bytes",
           "What saving a value costs",
           "::memplan::enumValues<::memplan::graph::CutModel>()">,
    Option<"recompute", "recompute", "::memplan::graph::CostClass",
           /*default=*/"::memplan::graph::CostClass::Medium",
           "The dearest ops that are recomputed",
           "::memplan::enumValues<::memplan::graph::CostClass>()">,
    Option<"primalsAreHeld", "primals-are-held", "bool", /*default=*/"false",
           "The caller keeps every primal, so that each is free to save">,
    Option<"maxDistance", "max-distance", "int64_t", /*default=*/"-1",
           "With model=torch-compat, how far from the backward function ops are "
           "recomputed; -1 for no limit">,
    Option<"keepPeak", "keep-peak", "bool", /*default=*/"false",
           "Where the pair would peak higher than with strategy=default, save "
           "what is computed again there">,
    Option<"orderSteps", "order-steps", "int64_t", /*default=*/"200000",
           "Search steps for the order of the backward function">,
    Option<"keepJoint", "keep-joint", "bool", /*default=*/"false",
           "Keep the joint function">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanReorder : Pass<"memplan-reorder", "::mlir::ModuleOp"> {
  let summary = "Order the ops of each function for less memory";
  let description = [{
    Moves the ops of functions of one block, on tensors before bufferization or
    on memrefs, into an order with a lower peak. Every op runs once, values are
    computed before they are used, reads and writes of what may be the same
    memory keep their order, and nothing moves across ops whose effects are not
    known or that may not return. On memrefs an allocation moves to its first
    use. The order given is never left for one with a higher peak; `auto` judges
    the best orders by the arenas that they get.

    ```mlir
    // %a and %b are large, %c and %d small: 2 large at once, and after
    // reordering (%a %c %b %d) 1 and a small one.
    %a = linalg.generic ... -> tensor<1024x1024xf32>
    %b = linalg.generic ... -> tensor<1024x1024xf32>
    %c = linalg.reduce ins(%a : ...) -> tensor<1024xf32>
    %d = linalg.reduce ins(%b : ...) -> tensor<1024xf32>
    ```
  }];
  let options = !listconcat(graphOptions, [
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "The function; if empty, all functions">,
    Option<"strategy", "strategy", "::memplan::graph::OrderStrategy",
           /*default=*/"::memplan::graph::OrderStrategy::Auto",
           "How the order is found",
           "::memplan::enumValues<::memplan::graph::OrderStrategy>()">,
    Option<"steps", "steps", "int64_t", /*default=*/"200000",
           "Search steps a function">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Of the random moves of annealing">,
    Option<"judgeByArena", "judge-by-arena", "bool", /*default=*/"true",
           "With strategy=auto, compare the arenas of the best orders">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanRematerialize : Pass<"memplan-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Compute values again so that a function fits a budget";
  let description = [{
    Finds an order of the ops of a function of one block, with repetitions, of
    which at most `budget` bytes are live at once, arguments and constants
    included, and that computes as little as possible twice. Repeated are pure,
    speculatable ops only, random ones only with an explicit state
    (`memplan.random`). What is computed again carries the name "recomputed" in
    its location. Where the budget cannot be met the pass fails, says why, and
    changes nothing.

    ```mlir
    // With a budget of four tensors, %x included: %a, %b, %c and %m would be
    // alive at once.
    %a = math.exp %x : tensor<16xf32>
    %b = math.sin %a : tensor<16xf32>
    %c = math.cos %a : tensor<16xf32>
    %m = arith.addf %b, %c : tensor<16xf32>
    %d = arith.addf %m, %a : tensor<16xf32>
    // becomes
    %a = math.exp %x : tensor<16xf32>
    %b = math.sin %a : tensor<16xf32>
    %c = math.cos %a : tensor<16xf32>
    %m = arith.addf %b, %c : tensor<16xf32>
    %a_0 = math.exp %x : tensor<16xf32>  // recomputed
    %d = arith.addf %m, %a_0 : tensor<16xf32>
    ```
  }];
  let options = !listconcat(graphOptions, [
    functionOption,
    Option<"budget", "budget", "int64_t", /*default=*/"-1",
           "Bytes that may be live at once">,
    Option<"inPlace", "in-place", "bool", /*default=*/"true",
           "Results take the place of destinations that die">,
    Option<"steps", "steps", "int64_t", /*default=*/"20000000",
           "Op executions that the search may simulate">,
    Option<"seed", "seed", "uint64_t", /*default=*/"0",
           "Of the random moves of the search">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanFit : Pass<"memplan-fit", "::mlir::ModuleOp"> {
  let summary = "Plan a program so that its arenas keep a budget";
  let description = [{
    Bufferizes and plans a program as `memplan-from-tensors` does, and where an
    arena exceeds the budget tries more, the cheapest first, until it fits:

    1. in place: what elementwise ops compute goes over operands that die;
    2. reorder: another order of the ops, which costs nothing;
    3. recompute: values are computed again instead of kept, of all found ways
       the one with the fewest additional FLOPs. Pure and speculatable ops only,
       random ones only with an explicit state.

    The judge is the plan: every candidate is bufferized and solved. As
    `capacity` of `plan-memory`, the budget is for each arena together with what
    is not planned in its function and memory space. Results are the same bit
    for bit: no op changes what it computes. Programs on memrefs, where nothing
    can be computed again, are reordered and planned.

    The report says what each step has saved and what it costs:

    ```
    @forward: budget 418600 bytes
      planned as it is  484136 bytes
      in place          484136 bytes, 0 saved
      recomputed        418600 bytes, 65536 saved, 50 ops run again, 797696 FLOPs (5.37 % more)
      fits: arena 418560 bytes, not planned 40
    ```

    If nothing fits the pass fails, and the program stays as it was: the error
    has the least need that was found and how much is missing; a note at an op
    has what no order and no recomputation can go below, with what that op reads
    and makes. With `best-effort` the least need that was found is taken, and a
    warning says that it exceeds the budget.

    With `scope=module` the budget is that of each tree of calls; its functions
    are tried one after another, callers first.
  }];
  let options = !listconcat(graphOptions, solverOptions, [
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "The only function with a budget; if empty, all functions">,
    Option<"budget", "budget", "std::string", /*default=*/"""",
           "Bytes (or 64K, 1M) of each arena and what is not planned beside it, "
           "or a share of what the program needs in place, before any other step (60%)">,
    ListOption<"spaceBudgets", "space-budgets", "std::string",
               "The same for single memory spaces: 1:64K,2:50%">,
    Option<"alignment", "alignment", "::memplan::ByteSize", /*default=*/"64",
           "Least alignment of a buffer and of the arena, bytes (or 1K, 1M), a "
           "power of two">,
    Option<"scope", "scope", "::memplan::PlanScope",
           /*default=*/"::memplan::PlanScope::Function",
           "What shares one arena", scopeValues>,
    ListOption<"entryPoints", "entry-points", "std::string",
               "With scope=module, the functions called from outside; if empty, "
               "all public ones">,
    Option<"bestEffort", "best-effort", "bool", /*default=*/"false",
           "Take the least need that is found where nothing fits">,
    Option<"candidates", "candidates", "int64_t", /*default=*/"24",
           "Programs that are bufferized and planned for each function">,
    Option<"steps", "steps", "int64_t", /*default=*/"10000000",
           "Op executions that the search of a function may simulate">,
    Option<"report", "report", "::memplan::ReportFormat",
           /*default=*/"::memplan::ReportFormat::None",
           "Print plan-memory's report of every arena as well", reportValues>,
    Option<"reportFile", "report-file", "std::string", /*default=*/"""",
           "Where that report goes: standard error when empty, - for standard "
           "output">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanCompareBufferized
    : Pass<"memplan-compare-bufferized", "::mlir::ModuleOp"> {
  let summary = "Report where the estimate on tensors differs from bufferization";
  let description = [{
    Bufferizes a copy of the program by `memplan-from-tensors`, and reports for
    each function the peak that `memplan-profile` estimates on tensors and that
    of the buffers, arguments left out, and op by op why they differ: a copy
    that bufferization has inserted, a result written in place where the
    estimate has memory of its own, a buffer of its own where the estimate has
    none, an op that is gone, a result that is returned. Changes nothing.
  }];
  let options = graphOptions;
  let dependentDialects = ["::memplan::MemplanDialect"];
}

#endif // MEMPLAN_TRANSFORMS_PASSES_TD
