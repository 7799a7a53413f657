//===- Passes.td - Passes of memplan -----------------------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PASSES_TD
#define MEMPLAN_TRANSFORMS_PASSES_TD

include "memplan/Transforms/PassOptions.td"

// The options of the solver in memplan-solve.
defvar solverOptions = [
  strategyOption,
  Option<"effort", "effort", "::memplan::Effort",
         /*default=*/"::memplan::Effort::Normal",
         "Effort of the search of `auto`, `hill-climb` and `exact`",
         effortValues>,
  Option<"nodeLimit", "node-limit", "int64_t", /*default=*/"0",
         "Search nodes or replays for each arena, after which the best plan so "
         "far is taken; 0 for the limit of the effort">,
  Option<"timeLimitMs", "time-limit-ms", "int64_t", /*default=*/"0",
         "Milliseconds for each arena, after which the best plan so far is "
         "taken; 0 for no limit. Plans with a time limit are not reproducible">,
  Option<"threads", "threads", "unsigned", /*default=*/"1",
         "Number of search threads; 0 for all cores. The plan does not depend "
         "on it">,
  Option<"minimize", "minimize", "bool", /*default=*/"false",
         "With a capacity, go on from the first plan that fits to the smallest "
         "arena">,
];

// The place of arenas. memplan-extract needs to know `argument`, which changes
// signatures; memplan-materialize places all others.
defvar placementOption =
  Option<"arena", "arena", "::memplan::ArenaPlaces",
         /*default=*/"::memplan::ArenaPlaces()",
         "Place of the arenas that no caller in the module provides: `alloc` "
         "(on the heap: allocated at entry and released at exit; on the stack "
         "if all its buffers were), `alloca` (on the stack, up to 16K, or "
         "`alloca:64K`), `argument` (the caller provides it, and may keep it "
         "across calls) or `global` (an uninitialized variable of the module). "
         "`alloc,1:global,2:alloca` gives other places for memory spaces 1 and "
         "2">;

// The options of problems in memplan-extract and plan-memory.
defvar problemOptions = [
  Option<"alignment", "alignment", "::memplan::ByteSize", /*default=*/"64",
         "Minimum alignment of buffers and arenas in bytes (or 1K, 1M), a "
         "power of two">,
  Option<"capacity", "capacity", "::memplan::Capacities",
         /*default=*/"::memplan::Capacities()",
         "Largest size of an arena in bytes (or 64K, 1M), together with the "
         "unplanned buffers of its function and memory space; without it there "
         "is no limit. For single memory spaces: 1:64K,2:8192">,
  Option<"workers", "workers", "unsigned", /*default=*/"8",
         "Largest number of iterations of a parallel loop whose iterations "
         "each get a frame; 0 for no frames">,
  Option<"scope", "scope", "::memplan::PlanScope",
         /*default=*/"::memplan::PlanScope::Function",
         "The functions that share one arena", scopeValues>,
  ListOption<"entryPoints", "entry-points", "std::string",
             "The functions that are called from outside the module; if empty, "
             "all public functions. Implies scope=module">,
  calleeTrustOption,
  placementOption,
  Option<"results", "results", "::memplan::ResultPlacement",
         /*default=*/"::memplan::ResultPlacement::Return",
         "Place of the memrefs that functions return", resultValues>,
  Option<"dynamic", "dynamic", "::memplan::DynamicSizes",
         /*default=*/"::memplan::DynamicSizes::Runtime",
         "Place of the buffers of dynamic shape", dynamicValues>,
  ListOption<"sizes", "sizes", "std::string",
             "Sizes to plan for, in place of memplan.dim_hints: B=8,T=512 by "
             "the names of extents (memplan.dim_names, or arg1_d0). A name "
             "that comes again begins the next hint: B=1,T=16,B=8,T=512">,
  Option<"prepare", "prepare", "bool", /*default=*/"true",
         "Change fills and copies so that less memory is needed; plan-memory "
         "also raises lowered deallocations (memplan-raise-deallocations)">,
  Option<"inPlace", "in-place", "bool", /*default=*/"true",
         "Let an op write its result over an operand that is not used later">,
];

def MemplanExtract : Pass<"memplan-extract", "::mlir::ModuleOp"> {
  let summary = "State the memory planning problems of each function";
  let description = [{
    Inserts before each function one `memplan.problem` for each memory space
    that has buffers to plan, and one for each parallel loop whose workers have
    frames. Names each planned allocation with the attribute `memplan.buffer`. A
    remark gives the reason for each buffer that is not planned.

    `memplan-extract`, `memplan-solve`, `memplan-materialize` and
    `memplan-lower` do together what `plan-memory` does, with the same options.
    Some options change the program before planning, and this pass makes these
    changes: `scope=module` and `results` change signatures and deallocations in
    callees, and `prepare` fills and copies. Allocations whose sizes are
    constants become static, and the entries of functions check the bounds of
    extents (`memplan-dim-bounds`). The program is otherwise unchanged.
  }];
  let options = problemOptions;
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanSolve : Pass<"memplan-solve", "::mlir::ModuleOp"> {
  let summary = "Solve the problems of the module";
  let description = [{
    Sets the `offset` of every `memplan.buffer`, and `status`, `strategy`,
    `arena_size` and `lower_bound` of every `memplan.problem`. Keeps the offsets
    of a problem without a `status`, and offsets that are marked `pinned`.
  }];
  let options = solverOptions;
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanReadPlan : Pass<"memplan-read-plan", "::mlir::ModuleOp"> {
  let summary = "Read the offsets of problems from a file";
  let description = [{
    Replaces `memplan-solve`: reads the plan of another solver for the problems
    that `memplan-extract` has stated. The plan is verified here, and
    `memplan-verify` can verify the planned program later. The file is the CSV
    of one problem, as `memplan-solve` writes it, or a JSON report: that of
    `memplan-translate --problem-to-json` with every `offset` filled in, or that
    of `memplan-solve --format=json`. It must have an offset for the name of
    each buffer; sizes and lifetimes are taken from the program. A frame of a
    callee or of a parallel loop gets its size when its own problem has a plan.
    So read the plans of frames first; with CSV, one by one: `function=f
    loop=0`, then `function=f loop=none`. CSV cannot express that an op may
    write in place; `memplan-extract=in-place=false` states problems without.

    ```sh
    memplan-opt examples/chain.mlir --memplan-extract -o stated.mlir
    memplan-translate --problem-to-json stated.mlir -o problem.json
    # or any other solver
    memplan-solve problem.json --format=json --output=plan.json
    memplan-opt stated.mlir --memplan-read-plan=file=plan.json \
      --memplan-materialize --memplan-verify --memplan-lower
    ```
  }];
  let options = [
    Option<"file", "file", "std::string", /*default=*/"\"-\"",
           "The plan, CSV or JSON; - for standard input">,
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "Only problems of this function; if empty, of all functions">,
    Option<"memorySpace", "memory-space", "std::string", /*default=*/"\"\"",
           "Only problems of this memory space, 0 for the default one; if "
           "empty, of all spaces">,
    Option<"loop", "loop", "std::string", /*default=*/"\"\"",
           "Only problems of the parallel loop with this number in its "
           "function; none for the function itself; if empty, of both">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanMaterialize : Pass<"memplan-materialize", "::mlir::ModuleOp"> {
  let summary = "Rewrite planned allocations to views of one arena";
  let description = [{
    Applies solved problems to their functions and erases the problems. Inserts
    one `memplan.arena` for each problem at the entry of the function and, if the
    arena is on the heap, a `memplan.release` at every exit; replaces each planned
    allocation by a `memplan.view`; removes the deallocations of planned buffers.

    The problems are derived again with the options that they record, and
    compared with what they state. A difference is an error: the program, or the
    problem, has changed. Offsets and pins may be edited, alignments that the
    program does not ask for, too.
  }];
  let options = [placementOption];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::arith::ArithDialect"];
}

def MemplanVerify : Pass<"memplan-verify", "::mlir::ModuleOp"> {
  let summary = "Verify planned functions from their IR alone";
  let description = [{
    Proves from the planned program alone that no read sees bytes that another
    buffer has overwritten, and that every buffer lies in its arena and is
    aligned. Uses no analysis and no solver of the planner. Does not change the
    program. Each violation is an error at the op at which it shows, with a note
    at the other op involved. An op that the verifier does not understand is an
    error, too.

    The proof is a forward data-flow analysis over regions and block graphs,
    with a fixpoint for loops. Each execution of a `memplan.view` or
    `memplan.renew` begins a buffer, which control flow may forward to other
    names. The buffer is fresh until it is written to, then intact, and lost
    when another buffer that shares bytes with it is written to. A read or write
    of a lost buffer is a violation. For example, with %a at bytes [0, 64) and
    %b at [32, 96) of the arena,

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

    A name of a phi cycle may be in one of several slots. The analysis follows
    each possible assignment of names to slots, or each name alone if there are
    many assignments. It also proves that

    - no op writes one buffer and uses another one at the same bytes, nor do two
      ops that `memplan.step` or `memplan.stream` let run at once;
    - an arena is released once on every path and not used afterwards;
    - a global arena is used by nothing else, and its function is neither called
      again before it returns nor run twice at once. For this the symbol of the
      function may be used only by `func.call`s of `func.func`s;
    - iterations that may run at once do not share bytes;
    - buffers in workgroup memory (`memplan-plan-workgroup`) that share bytes are
      separated by barriers that all threads execute together;
    - asynchronous work is awaited on every path, and its buffers are not used
      as other buffers before that;
    - callees neither keep nor free their arguments (the analysis looks into
      their bodies);
    - every buffer can be followed: none is returned, stored, turned into a
      pointer or tensor, or used by an op with unknown effects.

    An offset may depend on the worker. It must be linear in the induction
    variables of parallel loops with constant bounds.

    Where the place of a buffer depends on sizes that are known only when the
    program runs, it is in a `memplan.slot`. Two slots share no byte if one is
    above the other. A buffer must not be larger than its slot: both sizes must
    be the same product of the same values, up to a constant factor.

    The output of `memplan-lower` is accepted as well, until other passes change
    it: each execution of a view begins a buffer.

    Limitations:
    - What `memplan-lower` computes for slots is not proven: of a lowered arena
      that has slots, the order is taken from its attribute `memplan.slots`.
    - A correct plan may be refused after passes that merge `memref.view` ops or
      move them out of loops (CSE, LICM). These passes do not change
      `memplan.view`: verify before lowering.
    - The same holds for renewals, whose casts canonicalization folds, and for
      frames of workers after their loop has become a sequential one.
    - A plan is refused if a fact depends on three buffers that may each be in
      several slots.
    - A global arena is refused after inlining has copied its function.
    - Arenas without the attribute `memplan.arena` are not verified.

    A remark states the number of verified functions; a warning says if there
    was none.
  }];
  let options = [
    Option<"quiet", "quiet", "bool", /*default=*/"false",
           "Omit the remark about the number of verified functions">,
  ];
}

def MemplanRaiseDeallocations
    : Pass<"memplan-raise-deallocations", "::mlir::ModuleOp"> {
  let summary = "Raise lowered deallocations to bufferization.dealloc";
  let description = [{
    `plan-memory` does this by itself (unless `prepare=false`); run the pass
    before `memplan-extract`. For programs to which `buffer-deallocation-pipeline`
    has been applied before planning. It is better to plan before that pipeline,
    which does not touch planned memory.

    The pipeline lowers a `bufferization.dealloc` of several memrefs to tables
    of their pointers and a helper function that compares the pointers. In this
    form the pointers are stored in memory, so these buffers could not be
    planned. The pass turns the tables, and comparisons of pointers in place,
    into `bufferization.dealloc` again. Planning removes the planned buffers
    from these ops; `bufferization-lower-deallocations` lowers the rest.

    A `bufferization.clone` of static shape becomes an allocation and a copy, as
    upstream lowers it.

    The verifier proves that each function frees the same memrefs under the same
    conditions as before. A function without such a proof stays as it was, with a
    warning.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanRaiseGpuAlloc
    : Pass<"memplan-raise-gpu-alloc", "::mlir::ModuleOp"> {
  let summary = "Turn gpu.alloc into allocations that can be planned";
  let description = [{
    Turns a `gpu.alloc` without tokens into a `memref.alloc` in a memory space
    of its own, `#memplan.gpu_alloc<device>` or `<host_shared>`. A
    `memref.memory_space_cast` follows it, so that no other op changes. Turns
    each `gpu.dealloc` without tokens that frees such an allocation by its own
    name into a `memref.dealloc`. Planning then makes an arena for each of these
    memory spaces.

    `memplan-restore-gpu-alloc` is the inverse. It runs after `memplan-lower`,
    or after `plan-memory`, which lowers, and turns the arena into one
    `gpu.alloc`. For example, with the file kernel.mlir

    <!-- file: kernel.mlir -->
    ```mlir
    func.func @kernel(%out: memref<16xf32>) {
      %a = gpu.alloc () : memref<16xf32>
      linalg.exp ins(%out : memref<16xf32>) outs(%a : memref<16xf32>)
      linalg.abs ins(%a : memref<16xf32>) outs(%out : memref<16xf32>)
      gpu.dealloc %a : memref<16xf32>
      return
    }
    ```

    the command is

    ```sh
    memplan-opt kernel.mlir --memplan-raise-gpu-alloc --plan-memory \
      --memplan-restore-gpu-alloc
    ```
  }];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanRestoreGpuAlloc
    : Pass<"memplan-restore-gpu-alloc", "::mlir::ModuleOp"> {
  let summary = "Turn raised allocations into gpu.alloc again";
  let description = [{
    The inverse of `memplan-raise-gpu-alloc`: allocations in its memory spaces
    become `gpu.alloc`, deallocations `gpu.dealloc`, and all types lose these
    spaces. A planned program must be lowered first (`memplan-lower`).

    `gpu.alloc` has no alignment: the runtime aligns the arena (CUDA and HIP to
    256 bytes). An allocation with a larger alignment is an error.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect"];
}

def MemplanPlanWorkgroup
    : Pass<"memplan-plan-workgroup", "::mlir::ModuleOp"> {
  let summary = "Plan the workgroup memory of kernels into one arena";
  let description = [{
    In a kernel (`gpu.func`, `gpu.launch`, or a function of device code that no
    other function calls), buffers in workgroup memory become views of one
    static allocation of bytes, and share these bytes where the barriers of the
    kernel allow it. Buffers are the workgroup attributions, and `memref.alloc`
    and `memref.alloca` in `#gpu.address_space<workgroup>`, in the equivalent
    spaces of SPIR-V and NVVM, and in memory space 3.

    The threads of a workgroup run at the same time, so time advances only at
    *uniform* barriers, those that all threads execute together. Two buffers
    share bytes only if, on every path from an access of one to an access of the
    other, there is a uniform barrier, and if neither is accessed while the other
    one has contents that are still read.

    ```mlir
    gpu.func @k(%out: memref<128xf32>)
        workgroup(%a: memref<128xf32, 3>, %b: memref<128xf32, 3>) kernel {
      %t = gpu.thread_id x
      %x = "some.value"() : () -> f32
      memref.store %x, %a[%t] : memref<128xf32, 3>
      %y = memref.load %a[%t] : memref<128xf32, 3>
      gpu.barrier                       // %a is not needed any more
      memref.store %y, %b[%t] : memref<128xf32, 3>
      ...
    ```

    becomes

    ```mlir
    gpu.func @k(%out: memref<128xf32>)
        workgroup(%arena: memref<512xi8, 3> {llvm.align = 16 : i64}) kernel {
      %c0 = arith.constant 0 : index
      %a = memref.view %arena[%c0][] {memplan.workgroup}
          : memref<512xi8, 3> to memref<128xf32, 3>
      %c0_0 = arith.constant 0 : index
      %b = memref.view %arena[%c0_0][] {memplan.workgroup}
          : memref<512xi8, 3> to memref<128xf32, 3>
      ...
    ```

    Uniform are constants, kernel arguments, block ids, sizes of blocks and
    grids, and what pure ops compute from them. A barrier under a condition, or
    in a loop, that depends on anything else does not count, and all ops under
    such a condition may run at once. An asynchronous copy
    (`nvgpu.device_async_copy`) goes on until a wait for its group, and its
    buffer is in use until a barrier after that.

    `capacity` limits the arena and the unplanned buffers of each kernel and
    memory space, with the syntax of `plan-memory`. With
    `insert-barriers=needed`, a kernel that exceeds it gets barriers where buffers
    must be separated in order to fit, outside of loops where possible and at
    uniform points only; a remark says how much each saves.

    The attribution of a `gpu.launch` cannot state an alignment. Run the pass
    again after `gpu-kernel-outlining`: it gives 128 bytes to planned arenas
    without one.

    Remarks name the buffers that are not planned: those of dynamic shape or with
    a layout, and those that are passed to calls or to ops with unknown effects.
    A kernel in which no two buffers can share bytes does not change. The
    verifier (`memplan-verify`) finds the phases again from the result alone. A
    plan that it refuses, which is a bug of the planner, is dropped with a
    warning.
  }];
  let options = [
    Option<"capacity", "capacity", "::memplan::Capacities",
           /*default=*/"::memplan::Capacities()",
           "Largest size of an arena in bytes (or 64K), together with the "
           "unplanned buffers of its kernel and memory space; without it there "
           "is no limit. For single memory spaces: 3:48K">,
    Option<"insertBarriers", "insert-barriers", "::memplan::BarrierInsertion",
           /*default=*/"::memplan::BarrierInsertion::None",
           "Barriers that may be inserted",
           "::memplan::barrierInsertionValues()">,
    Option<"report", "report", "::memplan::ReportFormat",
           /*default=*/"::memplan::ReportFormat::None",
           "Format of a report on standard error", reportValues>,
  ];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanLower : Pass<"memplan-lower", "::mlir::ModuleOp"> {
  let summary = "Lower planned functions to plain memref ops";
  let description = [{
    Turns `memplan.arena` into a `memref.alloc` (`memref.alloca`, or a
    `memref.global` and a `memref.get_global`) marked `memplan.arena`,
    `memplan.view` into `memref.view`, `memplan.release` into `memref.dealloc`,
    and unplanned `memplan.workspace` into an allocation of its own.
    `memplan.slot` becomes additions and maxima of index values: the offset is
    computed once, where the slot is. The order of the slots stays as attributes
    of the arena and of its views (`memplan.slots`, `memplan.slot`), for
    `memplan-verify` and `memplan-alias-scopes`.
    `memplan.renew` becomes a `memref.cast` of the slot to its own type, marked
    `memplan.renew`, for `memplan-verify`. It has no effect, and
    canonicalization folds it.

    With `guard` the program checks its plan while it runs (docs/observe.md).
    Its slots must be marked (`memplan-observe`). Calls of libMemPlanRuntime fill
    a slot with poison when its life begins and ends, check the bytes behind it,
    and check that no two slots have the same bytes. Elements of planned buffers
    that are read by loads and by linalg ops are compared with poison.
  }];
  let options = [
    Option<"guard", "guard", "bool", /*default=*/"false",
           "Insert calls that check slots while the program runs">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanObserve : Pass<"memplan-observe", "::mlir::ModuleOp"> {
  let summary = "Ask planning for marks by which slots can be observed";
  let description = [{
    Sets the attribute `memplan.observe` of the module. Planning then writes the
    program points on the ops, and the lives of the slots on their views, for
    `memplan-instrument` and `memplan-lower=guard`. Run it before `plan-memory`
    or `memplan-extract`.

    With `guard=64` planning also leaves 64 bytes behind each slot of constant
    size, in which `memplan-lower=guard` notices writes out of bounds. The plan
    is then larger than without guards. Slots whose size is known only when the
    program runs get no such bytes.
  }];
  let options = [
    Option<"guard", "guard", "int64_t", /*default=*/"0",
           "Bytes behind each slot that no other slot has at the same time">,
  ];
}

def MemplanInstrument : Pass<"memplan-instrument", "::mlir::ModuleOp"> {
  let summary = "Insert calls that record the memory of the running program";
  let description = [{
    Inserts calls of libMemPlanRuntime at each `memref.alloc`, `memref.alloca`,
    `memref.dealloc`, and arena, and at the births and deaths of slots. The
    program computes the same results and writes what it has recorded at exit
    (docs/observe.md).

    Births and deaths need the marks of a planned program that is not lowered:

    ```sh
    memplan-opt examples/chain.mlir --memplan-observe --plan-memory=lower=false \
      --memplan-instrument --memplan-to-llvm -o observed.mlir
    ```

    A slot is born before the op that uses it first, and dies after its last use,
    on each path. With `uses`, ops that access a planned buffer are observed,
    too, except for loads and stores of single elements: a use while no slot is
    live there is recorded.

    Not observed are `memref.realloc`, `bufferization.clone`,
    `bufferization.dealloc` (lower it first), memory that ops of other dialects
    allocate, and code of devices.
  }];
  let options = [
    Option<"uses", "uses", "bool", /*default=*/"true",
           "Observe the ops that use slots">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanPoolConstants : Pass<"memplan-pool-constants", "::mlir::ModuleOp"> {
  let summary = "Join the constants of a program in one for each memory space";
  let description = [{
    The `memref.global` constants that the program reads become views of one
    private constant of bytes for each memory space, `@memplan_constants`. Equal
    contents are there once, whatever their types, and a constant whose bytes
    are a contiguous part of a larger one is that part. Each constant keeps the
    alignment of its global, at least that of its elements and `alignment`.

    ```mlir
    memref.global "private" constant @a : memref<4xi32> = dense<[1, 2, 3, 4]>
    memref.global "private" constant @b : memref<2xi32> = dense<[3, 4]>
    %0 = memref.get_global @b : memref<2xi32>
    // becomes
    memref.global "private" constant @memplan_constants : memref<16xi8>
        = dense<...> {alignment = 4 : i64}
    %1 = memref.get_global @memplan_constants : memref<16xi8>
    %c8 = arith.constant 8 : index
    %0 = memref.view %1[%c8][] : memref<16xi8> to memref<2xi32>
    ```

    If a constant is a `dense_resource`, so is the pool. Bytes are in the order
    of the host. Run it before `plan-memory`, so that the reports count the
    pool, or after it. Constants that other modules may read, without a value,
    with a layout, or of elements that are not bytes or a power of two of them
    (an i1 takes a byte) stay as they are, with a remark. So do constants of one
    value (`dense<0.0>`) that have more than 64 KiB, and constants whose
    alignment is more than a page and than their size. An op that writes to a
    constant, directly or through views, is an error, here and in
    `memplan-verify`.
  }];
  let options = [
    Option<"alignment", "alignment", "::memplan::ByteSize", /*default=*/"1",
           "The least alignment of a constant in bytes, a power of two">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::LLVM::LLVMDialect"];
}

def PlanMemory : Pass<"plan-memory", "::mlir::ModuleOp"> {
  let summary = "Plan the memory of every function into one arena";
  let description = [{
    Derives the lifetime of every buffer, assigns each an offset in one arena
    for each function and memory space, rewrites the functions, and verifies the
    result. This is `memplan-extract`, `memplan-solve`, `memplan-materialize`
    and `memplan-lower` on a clone of the module, which then replaces the
    module. On an error (no plan fits the capacity, sizes overflow) the module
    does not change. If the verifier refuses a plan, which is a bug of the
    planner, the function and its callers stay as they were, with a warning
    (`require=verified` makes it an error); with `scope=module` or `results` the
    whole module does.

    `capacity=64K` limits the arena of every memory space. A list has a limit
    for each space: `capacity=1:64K,2:8192`. An entry without a space is for all
    spaces without an entry of their own: `capacity=1:64K,1M`. A space is
    spelled as reports spell it: `0` for the default space, `1` for the number
    1, `L1` for the string `"L1"`, and for any other attribute its text, such as
    `#gpu.address_space<private>` (in quotes if it has spaces). The first plan
    that fits is taken; `memplan-solve=minimize=true` goes on to the smallest
    arena. An error names
    the space, the missing bytes and the buffers that are live at the peak. A
    remark names a space of the list in which nothing is allocated.

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

    Run it before `buffer-deallocation-pipeline`. That pipeline frees buffers
    that are not planned; it does not touch the arena, which is marked
    `bufferization.manual_deallocation`.

    Planned are `memref.alloc`, `memref.alloca` and `memplan.workspace` of
    static shape and identity layout in straight-line code, structured control
    flow (`scf.if`, `for`, `while`, `index_switch`, `execute_region`,
    `affine.for`, `affine.if`, `memref.alloca_scope`) and block graphs, with or
    without deallocations. Buffers that control flow joins (results of branches,
    arguments of loops) share one slot if no two of them are live at once.
    Buffers that a loop carries and that are live at once form a phi cycle: they
    move through several slots.

    Other buffers keep their allocation, and a remark says why
    (`--remarks-filter=plan.*`):

    - buffers of dynamic shape, unless their sizes are constants, or with a layout;
    - buffers that are returned, stored, turned into pointers or tensors, or
      passed to callees that keep or free them;
    - buffers that are used by ops with unknown effects, or by asynchronous work
      that is not awaited on every path;
    - allocations inside asynchronous regions, or inside parallel regions with
      an unknown number of workers;
    - buffers that share a deallocation with one that is not planned.

    The analysis looks into callees whose body is in the module. For others it
    assumes the function-boundary rules of upstream's ownership-based
    deallocation: they neither keep nor free their arguments, and their results
    may be their arguments. A call through a value may call any function of its
    type whose address the module takes, or an unknown function, for which the
    same assumptions hold. `callee-trust=none` drops the assumptions: buffers
    that are passed to a callee without a body, or through a value, are not
    planned.

    Buffers that asynchronous work uses (`async.execute`, ops of the `gpu`
    dialect with a token) are live until the await that covers it:

    ```mlir
    %t = async.execute {
      linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
      async.yield
    }
    linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
    async.await %t : !async.token   // %a and %b share no bytes up to here
    ```

    Ops of a block with the same number `memplan.step` may run at once: a buffer
    that is live in a part of a step is live in the whole step, and no bytes are
    reused inside it. Ops of a step with the same `memplan.stream` run in order.
    Without `memplan.step`, streams form steps that last to the next op without
    annotation that uses memory. The report compares the arena with that of
    sequential execution.

    ```mlir
    linalg.exp {memplan.step = 0} ins(%a : ...) outs(%b : memref<16xf32>)
    linalg.abs {memplan.step = 0} ins(%a : ...) outs(%c : memref<16xf32>)
    linalg.exp {memplan.step = 1} ins(%b : ...) outs(%d : memref<16xf32>)
    linalg.abs {memplan.step = 1} ins(%c : ...) outs(%e : memref<16xf32>)
    // 256 bytes: %b, %c, %d and %e; one after another 192
    ```

    With `scope=module` a private function that is called only directly gets the
    memory of its arena, and of the results that it allocates, as arguments from
    its callers. Its frame lies in the callers' arena and may have the bytes of
    buffers that are dead during the call. A result may be one of several
    allocations (of branches, of a loop, of several returns) if no two of them
    are live at once. If such a function frees an argument, always or depending
    on an `i1` argument, its callers free it instead, after the call; planning
    removes the deallocation if the buffer is planned. Recursive functions
    allocate an arena for each activation.

    Public functions keep their signatures, unless `entry-points` names the
    functions that are called from outside the module: all others become
    private. A function also keeps its signature if an attribute of the module,
    or of any op in it, names it other than as the callee of a `func.call`. If a
    result becomes an argument, its `res_attrs` become `arg_attrs`.

    The body of a parallel loop (`scf.parallel`, `scf.forall`,
    `affine.parallel`) is planned like a callee: a frame holds its buffers. The
    arena has a frame for each iteration if there are at most `workers`
    iterations. In any other parallel loop that allocates at least twice, each
    iteration allocates one arena and frees it at its end; not with a
    `capacity`, because the number of arenas at one time is unknown, nor with
    another `arena` than `alloc`.

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

    `arena` is the place of the arenas that no caller in the module provides:

    - `alloc`: on the heap, allocated at entry and released at exit. An arena
      whose buffers were all on the stack is on the stack.
    - `alloca`: on the stack, if it has at most 16K, or at most 64K with
      `alloca:64K`.
    - `argument`: the last argument of the function, an `i8` memref of static
      size. Its attribute `memplan.arena` is its alignment in bytes. It must not
      overlap other arguments; its contents before and after the call do not
      matter. Signatures of public functions change, too. Functions that the
      module calls get their arenas from their callers, as with `scope=module`,
      so that one arena serves a whole call tree.
      `memplan-check-arena-arguments` checks size and alignment at run time.
    - `global`: a private, uninitialized `memref.global`. Not possible for
      functions that are recursive, that the module calls in parallel or
      asynchronously, or whose symbol is used other than by a `func.call` of a
      `func.func`, nor for functions that these call. Callees without a body are
      assumed not to call back (with `callee-trust=none` an arena of a function
      with such a callee stays on the heap). Callers outside the module must not
      run the function twice at once.

    Single memory spaces may have a place of their own (0 is the default
    space): `arena=alloc,1:global`. `argument` applies to all spaces and cannot
    be set for one.

    An arena that cannot be placed as asked stays on the heap, and a remark says
    why; with `require=placed` that is an error.

    ```mlir
    // arena=argument
    func.func @f(%in: memref<16xf32>, %out: memref<16xf32>,
                 %arena: memref<128xi8> {memplan.arena = 64 : i64})
    // arena=global
    memref.global "private" @memplan_arena_f : memref<128xi8> = uninitialized
        {alignment = 64 : i64}
    ```

    `results` is the place of the memrefs that functions return, public
    functions included:

    - `return`: nothing changes, and a returned buffer is not planned.
    - `out-params`: the caller provides the memory, as an additional argument
      for each result. It must not overlap other arguments. If the function
      returns a whole buffer, on one or several paths, it writes the buffer
      directly to this argument; a part of a buffer, or a result that may be
      other memory, is copied to it. In public functions the attribute
      `memplan.align` of the argument is the alignment in bytes that the program
      asks for, if any.
    - `arena`: the same for functions that the module calls. The results of the
      other functions are buffers of the arena (`arena=argument` or
      `arena=global`) that are live to the end. The attribute `memplan.outputs`
      of the function has the offset, the type and the original number of each
      result. A global arena with results is public, so that callers can read
      them. Callers must not pass a buffer of an arena as an argument.

    - `lend`: results stay returned. Until a result is written, other buffers
      may lie in its memory. The bytes of the arena and of the results together
      are then often close to the most that are live at once. The function
      allocates such a result as `memplan.arena returned`, and the caller frees
      it as before. A result lends its memory if it has a constant size, is
      allocated in the entry block, is returned once by each return, and is
      joined with no other buffer. Not with `arena=argument`, nor in functions
      with sizes that are known only when the program runs.

    With `out-params` and `arena`, a result that always is an argument stays
    returned.

    ```mlir
    // arena=argument results=arena, where f returned a memref<16xf32>
    func.func @f(%in: memref<16xf32>,
                 %arena: memref<128xi8> {memplan.arena = 64 : i64})
        attributes {memplan.outputs = [
          {offset = 64 : i64, result = 0 : i64, type = memref<16xf32>} ]}
    ```

    The op that reads one buffer last and writes another buffer first may write
    the second over the first (`in-place`). Both buffers must have the same
    number of elements of the same size, and the op must be one of these:

    - a copy;
    - a linalg op whose loops are all parallel, with the same permutation of the
      loops as the indexing map of both operands (dimensions of one element do
      not count);
    - a nest of scf or affine loops that loads from the first buffer and then
      stores to the second with the same indices, which include every loop
      variable.

    An op does not qualify if it may read an element that an earlier iteration
    has overwritten: a reduction, a transposition, a window, or a broadcast of
    that operand (a broadcast of another operand, such as a bias, is fine).

    The verifier proves each such overlap from the op, and the report lists them
    with the reason; `in-place=false` permits none. Run passes that reorder,
    split or fuse loops before planning; if `memplan-verify` accepts the program
    after such a pass, it is still right.

    `dynamic` is the place of buffers of dynamic shape:

    - `runtime`: an offset that is computed when the function begins, from the
      ends of the buffers below it. The arena is as large as the sizes of the
      call need.
    - `bounded`: a constant offset, as if the buffer had the greatest size that the
      bounds of extents permit. The arena has a constant size and can be a global
      variable, on the stack, or part of the arena of a caller. A buffer without a
      greatest size is not planned.

    The function checks the bounds of extents (`memplan.dim_bounds`) where it
    begins (`memplan-dim-bounds`).

    ```mlir
    // dynamic=runtime
    %s0 = memplan.slot size(%bytes) align(64)
    %s1 = memplan.slot above(%s0) size(%bytes) align(64)
    %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
    %a = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?x64xf32>
    // dynamic=bounded, at most 128 rows
    %arena = memplan.arena align(64) : memref<65536xi8>
    %a = memplan.view %arena[32768](%n) align(64) : memref<65536xi8> to memref<?x64xf32>
    ```

    A function that has an arena is not planned again.
  }];
  let options = !listconcat([strategyOption], problemOptions, [
    Option<"lower", "lower", "bool", /*default=*/"true",
           "Lower the memplan ops to memref ops">,
    Option<"require", "require", "::memplan::Requirements",
           /*default=*/"::memplan::Requirements()",
           "Conditions without which planning fails, as a list: `planned` (every "
           "buffer is planned), `placed` (every arena is placed as `arena` "
           "says), `verified` (the verifier accepts every plan; otherwise the "
           "program stays as it was, with a warning), or `none`">,
    Option<"report", "report", "::memplan::ReportFormat",
           /*default=*/"::memplan::ReportFormat::None",
           "Print a report of every arena", reportValues>,
    Option<"reportFile", "report-file", "std::string", /*default=*/"\"\"",
           "File for the report; standard error if empty, - for standard "
           "output">,
  ]);
  let statistics = [
    Statistic<"numPlanned", "planned", "Planned buffers">,
    Statistic<"numUnplanned", "unplanned", "Buffers not planned">,
    Statistic<"bytesBefore", "bytes-before",
              "Bytes of the planned buffers without reuse">,
    Statistic<"bytesAfter", "bytes-after", "Bytes of the arenas">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanDimBounds : Pass<"memplan-dim-bounds", "::mlir::ModuleOp"> {
  let summary = "Declare bounds of extents, and check them at run time";
  let description = [{
    The attribute `memplan.dim_bounds` of an argument claims what its callers
    keep to: for each dimension the least extent, the greatest one (-1 for
    none), and a number of which all are multiples. Nothing is proven from a
    claim. This pass makes each function that allocates buffers of dynamic shape
    assert the claims at its entry, one assertion for each dimension, and
    planning uses what the entry asserts. `plan-memory` and `memplan-extract`
    run it without `bounds`.

    `bounds` declares further bounds of the dimensions with a name
    (`memplan.dim_names`, or `arg1_d0` for dimension 0 of argument 1):
    `bounds=S=1:4096:8,B=:64`. Each number may be missing.

    ```mlir
    func.func @f(%x: memref<?xf32> {memplan.dim_names = ["S"],
                                    memplan.dim_bounds = array<i64: 1, 64, 1>})
    ```

    becomes

    ```mlir
    func.func @f(%x: memref<?xf32> {...}) {
      %c0 = arith.constant 0 : index
      %n = memref.dim %x, %c0 : memref<?xf32>
      %c1 = arith.constant 1 : index
      %0 = arith.cmpi sge, %n, %c1 : index
      %c64 = arith.constant 64 : index
      %1 = arith.cmpi sle, %n, %c64 : index
      %2 = arith.andi %0, %1 : i1
      cf.assert %2, "@f: dimension 0 of argument 0 (S) must be at least 1 and at most 64"
    ```
  }];
  let options = [
    ListOption<"bounds", "bounds", "std::string",
               "Bounds of named dimensions: NAME=LEAST:GREATEST:MULTIPLE">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

def MemplanCheckArenaArguments
    : Pass<"memplan-check-arena-arguments", "::mlir::ModuleOp"> {
  let summary = "Check the size and alignment of arena arguments at run time";
  let description = [{
    For programs that are planned with `arena=argument`. Each public function
    asserts at its entry that its arena is not null and has the size and
    alignment that its plan needs. The argument loses its static size, so that
    the memref carries the size that the caller states; calls in the module cast
    to that type. Run this as the last pass on memrefs, after `memplan-verify`,
    `memplan-emit-header` and `memplan-alias-scopes`: afterwards the argument is
    no longer marked as an arena.

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
    For planned programs whose functions still have memref arguments. The header
    has, for each public function and each private one with an arena: the size
    and alignment of its arenas in bytes, by place (`ARENA` for an argument,
    `HEAP`, `STACK`, `STATIC`); the offsets of the results in the arena
    (`results=arena`); and the sizes of the other arguments. It declares a
    global arena with results if its name is an identifier of C. An arena that a
    callee allocates is listed with the callee. If the program has constants,
    `RAM_BYTES` is the memory that a public function needs with all that it
    calls (arenas, allocations that stay, variables; not its other arguments),
    and `ROM_BYTES` the constants that these read; `PROGRAM` stands for all
    functions. A pool of constants counts as a whole. `json-file` gets the same as
    JSON. Without a file the header goes to standard output. Does not change the
    program.

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
           "File for the header; - for standard output">,
    Option<"jsonFile", "json-file", "std::string", /*default=*/"\"\"",
           "File for the same as JSON; - for standard output">,
  ];
}

def MemplanAssignSpaces : Pass<"memplan-assign-spaces", "::mlir::ModuleOp"> {
  let summary = "Decide which buffers are in a fast memory space, and when";
  let description = [{
    Moves buffers between a small, fast memory space and a large, slow one, so
    that reads, writes and copies cost as little as possible. The accesses to a
    buffer are a row; each access is in one of the two spaces. A *piece* is a
    part of the row during which the fast space holds the buffer. Pieces must
    fit into `capacity` bytes, placed as `plan-memory` places buffers.

    ```mlir
    linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
    linalg.exp ins(%a : ...) outs(%b : ...)       // %a, %b: all that fits
    linalg.abs ins(%b : ...) outs(%c : ...)
    linalg.add ins(%a, %c : ...) outs(%d : ...)
    // with fast=1 capacity=512 becomes, if %a is the one that leaves,
    linalg.fill ins(%f : f32) outs(%a1 : memref<64xf32, 1>)
    linalg.exp ins(%a1 : ...) outs(%b1 : ...)
    memref.copy %a1, %a : memref<64xf32, 1> to memref<64xf32>
    linalg.abs ins(%b1 : ...) outs(%c1 : ...)
    linalg.add ins(%a, %c1 : ...) outs(%d1 : ...)
    ```

    A copy out is not needed if the slow space still has the contents, or if
    nothing reads them any more; nor is a copy in before an op that overwrites
    all of the buffer. Each piece becomes an allocation of its own; views are
    copied. The result is an ordinary program: `plan-memory=capacity=1:512`
    plans both spaces.

    The cost of an access is its bytes times `read-cost` or `write-cost` of the
    space, the cost of a copy its bytes times `move-cost`; loops of known bounds
    count. By default the slow space and copies cost 1 for a byte and the fast
    space nothing: the cost is the number of bytes that the slow space reads and
    writes. A `target` may set costs and the capacity:

    ```json
    {"spaces": {"1": {"capacity": 65536, "alignment": 64,
                      "read_cost": 1, "write_cost": 1},
                "0": {"read_cost": 8, "write_cost": 8}},
     "moves": {"0 to 1": 8, "1 to 0": 8}}
    ```

    The search starts from the cheapest row of each buffer by itself. Where the
    fast space is too full, the piece leaves whose absence costs least for each
    byte and point (Belady's rule with sizes and costs); exchanges of pieces
    follow. The report has a lower bound of the cost, from Lagrange multipliers,
    and compares with two simple assignments: everything in the slow space, and
    a buffer stays in the fast space until there is no room, when the one with
    the farthest last use leaves for good. The result is never worse than these.
    Problems of at most 200 accesses are also searched by branch and bound.

    Pieces begin and end at ops of the block that has the allocation. A buffer
    that a loop below this block writes, or that an op uses by a view of dynamic
    shape, is in one space all the time. A buffer keeps its space, with a remark,
    if its shape is dynamic, if `plan-memory` would not plan it, if an op uses it
    that may not take another space (a call, control flow that forwards it), if a
    parallel loop allocates it, or if it is on the stack or freed by another name.
    While a function of the module runs, its callers have that much less of the
    fast space. Other memory spaces do not change, nor do functions with an arena
    or steps, recursive functions, and device code.

    With `prefetch=N`, copies into the fast space move up by at most N ops, as
    far as the capacity allows. They are ordinary copies: the target may overlap
    them with the ops that they pass. The verifier proves for each function that
    every op reads the same values as before.
  }];
  let options = [
    Option<"fast", "fast", "std::string", /*default=*/"\"1\"",
           "The fast memory space, as reports print it">,
    Option<"slow", "slow", "std::string", /*default=*/"\"0\"",
           "The slow memory space; 0 is the default space">,
    Option<"capacity", "capacity", "::memplan::ByteSize", /*default=*/"0",
           "Bytes of the fast space (or 64K, 1M); 0 for those of the target">,
    Option<"readCost", "read-cost", "std::string", /*default=*/"\"\"",
           "Cost of reading a byte, by space: 0:8,1:1">,
    Option<"writeCost", "write-cost", "std::string", /*default=*/"\"\"",
           "Cost of writing a byte, by space">,
    Option<"moveCost", "move-cost", "int64_t", /*default=*/"-1",
           "Cost of copying a byte between the spaces; -1 for that of the "
           "target, or 1">,
    Option<"prefetch", "prefetch", "int64_t", /*default=*/"0",
           "Number of ops by which copies into the fast space may move up">,
    Option<"report", "report", "::memplan::TableFormat",
           /*default=*/"::memplan::TableFormat::None",
           "Format of the report", tableValues>,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File for the report; standard error if empty, - for standard "
           "output">,
  ];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def MemplanStripe : Pass<"memplan-stripe", "::mlir::ModuleOp"> {
  let summary = "Compute chains of ops a few rows at a time, for less memory";
  let description = [{
    Works on linalg on tensors, before bufferization. An op and the ops that
    compute its operands become a loop: each iteration computes a stripe, which
    is a few rows (or columns, channels) of the result of the last op, and of the
    other results what these rows need. Those other results are never whole. The
    slices inside the loop are planned as other buffers are.

    ```mlir
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] ...
    %s = linalg.conv_2d_nhwc_hwcf_q ins(%p, %w, ...) -> tensor<1x32x32x8xi32>
    %r = linalg.generic ... ins(%s : ...)            -> tensor<1x32x32x8xi8>
    // becomes
    %r = scf.for %i = %c0 to %c32 step %c4 iter_args(%t = %empty) {
      %p = tensor.pad of rows %i - 1 to %i + 5 of %x
      %s = linalg.conv_2d_nhwc_hwcf_q ... -> tensor<1x4x32x8xi32>
      %r = linalg.generic ...             -> tensor<1x4x32x8xi8>
      tensor.insert_slice %r into %t[0, %i, 0, 0] [1, 4, 32, 8] [1, 1, 1, 1]
    }
    ```

    A chain consists of structured ops, pads and reshapes of static shape in the
    block of a function. All users of a result in a chain need the same rows of
    it; other results stay whole. Ops are cut along a parallel dimension, or along the outermost dimension that they reduce: the
    sum is then added up in its place, in the same order. The rows in a stripe
    divide all rows. The upstream tile-and-fuse does the rewriting, except for
    chains that keep rows.

    By default nothing is computed twice. Where a row of a result needs
    overlapping rows of an operand (a convolution that is cut along its window),
    a chain keeps the rows that the next stripe needs, too. The loop carries
    them, and starts some stripes before the first row: these are shorter, or
    empty. If `max-extra-flops` allows to compute the overlap again for each
    stripe, that is another choice, which may need fewer bytes. Pads and copies
    are repeated without being counted.

    The chains are chosen by a model of the live bytes. The striped program is
    then bufferized and planned on a clone. It replaces the original if a
    function needs less and none needs more; otherwise the program does not
    change. The results are the same, bit for bit.
  }];
  let options = [
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File for a list of the chains; none if empty, - for standard "
           "output">,
    Option<"maxExtraFlops", "max-extra-flops", "double", /*default=*/"0",
           "The most FLOPs that may be computed again, in percent of those of "
           "the function">,
    Option<"onlySums", "only-sums", "bool", /*default=*/"false",
           "Only sums in a wide type together with the op that rounds them, in "
           "few stripes">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanAliasScopes : Pass<"memplan-alias-scopes", "::mlir::func::FuncOp"> {
  let summary = "Tell LLVM which slots of an arena share no byte";
  let description = [{
    After planning all buffers are views of one allocation. LLVM then assumes
    that a store to one may change the others, and no longer vectorizes some
    loops. This pass lowers loads and stores (`memref.load`, `memref.store`,
    `vector.load`, `vector.store`) of planned functions to those of the LLVM
    dialect, with alias scopes that state the bytes which they access. Accesses
    to two slots are marked as independent only if the slots share no byte,
    whenever they are live. Slots of an arena do not alias memory outside of the
    arena: arguments, globals, other allocations.

    Run this after `memplan-lower` and after the lowering of structured ops to
    loops over loads and stores, and before `finalize-memref-to-llvm`, as
    `memplan-to-llvm` does. Accesses to unknown memory, and other ops, are not
    changed.

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

    Where the place of a slot depends on sizes, the slot has a scope of its own.
    It does not alias the slots that are above or below it. Where only its size
    does, it ends where the greatest one ends that minima allow.

    Each outermost loop has scopes of its own, at most 64 for each arena. The
    functions become `no_inline` until they are lowered to the LLVM dialect,
    because the inliner of `func` would give two copies the same scopes.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // MEMPLAN_TRANSFORMS_PASSES_TD
