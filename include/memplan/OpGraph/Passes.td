//===- Passes.td - Passes on op graphs of programs ---------*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_OPGRAPH_PASSES_TD
#define MEMPLAN_OPGRAPH_PASSES_TD

include "memplan/Transforms/PassOptions.td"

defvar hintOption =
  Option<"dimHint", "dim-hint", "int64_t", /*default=*/"1",
         "Assumed value of dynamic extents and indices without a hint">;
defvar outputOption =
  Option<"output", "output", "std::string", /*default=*/"\"\"",
         "File for the report; standard error if empty, - for standard "
         "output">;
defvar targetOption =
  Option<"targetFile", "target", "std::string", /*default=*/"\"\"",
         "JSON file that describes the device; if empty, the attributes of the "
         "module">;
defvar functionOption =
  Option<"functionName", "function", "std::string", /*default=*/"\"\"",
         "The function; if empty, the only one that has a body">;

def MemplanCost : Pass<"memplan-cost", "::mlir::ModuleOp"> {
  let summary = "Report the costs of the ops of each function";
  let description = [{
    Reports FLOPs, bytes read and written, scratch memory and arithmetic
    intensity of each function, by kind of op or op by op. Does not change the
    program.

    A multiply-add counts as 2 FLOPs. An addition, multiplication, division,
    comparison, minimum, maximum, or a function such as exp counts as 1 for each
    element, of floats and integers alike. Conversions, selections and
    computations on `index` and `i1` count as 0. A structured op costs its
    iteration space times its body, a loop its trip count times its body, a call
    its callee, a conditional its most expensive branch. An op reads and writes
    the bytes of its operands and results, each once; a gather reads at most the
    bytes of its source.

    If a trip count, a branch or an op is unknown, the line says `not exact`.
    Hints replace dynamic extents of arguments (`memplan.dim_hints`, array<i64>,
    one for each dimension) and index arguments (`memplan.hint`, i64);
    `dim-hint` is the default.

    With the rates of a device (see `target`) an op takes the larger of its
    computing time and its transfer time, and a function the sum over its ops
    (roofline model). The device is a JSON file, or the entries
    `memplan.peak_flops`, `memplan.bandwidth` and `memplan.ops` of a device in
    the module's `dlti.target_system_spec`:

    ```json
    {"peak_flops": {"f32": 1e12, "default": 5e11},
     "bandwidth": {"default": 1e11},
     "ops": {"batch_norm": {"scratch": 4096, "reserve_per_result_byte": 0.25}}}
    ```

    The kind of an op is its attribute `memplan.kind`, otherwise the name of its
    callee, otherwise the name of the op. Other dialects define the costs of
    their ops by `OpCostInterface`.
  }];
  let options = !listconcat([hintOption, targetOption, outputOption], [
    Option<"format", "format", "::memplan::TableFormat",
           /*default=*/"::memplan::TableFormat::Text",
           "Format of the report", tableValues>,
    Option<"perOp", "per-op", "bool", /*default=*/"false",
           "A line for each op instead of each kind">,
  ]);
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanExportGraph : Pass<"memplan-export-graph", "::mlir::ModuleOp"> {
  let summary = "Write the op graph of a function as JSON";
  let description = [{
    Writes the JSON form that `memplan-graph` reads (docs/opgraph.md). Does not
    change the program.

    On tensors the result of an op is a storage. Reshapes, casts and extracted
    slices are views. A result may take the place of its destination if the
    destination dies at the op. A `tensor.empty` that is only written to is not
    part of the graph. On memrefs an allocation is a storage; accesses that may
    be to the same memory, and ops with unknown effects, keep their order. An op
    with regions, and a call, is one op whose scratch is the peak inside.

    Attributes describe training programs. Of arguments: `memplan.role`
    ("primal", "tangent", "fwd_rng", "bwd_rng"), `memplan.static` (a weight,
    which the caller keeps anyway), `memplan.donated` (the callee may reuse its
    memory). Of functions: `memplan.num_fwd_outputs`, the number of results that
    are forward outputs. Of ops: `memplan.recompute` ("must_save",
    "prefer_save", "prefer_recompute", "must_recompute") and `memplan.random`
    ("explicit" if the random state is an operand, "implicit" otherwise).

    With `backward` the graph is the joint graph of two functions. The results
    of `function` behind its forward outputs are the first arguments of
    `backward`, in order. The other arguments of `backward` are tangents unless
    they have a role.
  }];
  let options = [
    hintOption,
    outputOption,
    functionOption,
    Option<"backwardName", "backward", "std::string", /*default=*/"\"\"",
           "The backward function that goes with `function`">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanProfile : Pass<"memplan-profile", "::mlir::ModuleOp"> {
  let summary = "Report the live memory of each function over time";
  let description = [{
    Reports the live bytes after each allocation and each release, and the peak
    with its largest allocations and their origins. Does not change the program.

    On tensors the profile is an estimate from the op graph (see
    `memplan-export-graph`): with `in-place` a result takes the place of a
    destination that dies. On memrefs it uses the lifetimes of `plan-memory`, so
    the peak of the allocations is the lower bound of its plans with
    `in-place=false`. A buffer that is not planned is live until it is freed, or
    to the end. Loops are in their steady state. During a call the peak of the
    callee is live.

    Arguments count, and are live to the end unless they are tangents or donated
    (`memplan.role`, `memplan.donated`). `hold`, `release` and `exclude` change
    that by origin: op, parameter (`memplan.static`), constant, primal, rng,
    input (an argument without a role), tangent, donated; `all` stands for all
    origins except op.

    With `backward` the two functions are a pair: the results of `function`
    behind its `memplan.num_fwd_outputs` are the first arguments of `backward`.
    The report has the peaks of both, the baseline of the backward function
    (forward outputs that it does not take), and the peak of the pair.

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
  let options = [
    hintOption,
    outputOption,
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "The function; if empty, all functions">,
    Option<"backwardName", "backward", "std::string", /*default=*/"\"\"",
           "The backward function that goes with `function`">,
    Option<"format", "format", "::memplan::ProfileFormat",
           /*default=*/"::memplan::ProfileFormat::Text",
           "Format of the report", "::memplan::profileFormatValues()">,
    Option<"printEntries", "entries", "bool", /*default=*/"false",
           "List every entry in the text">,
    Option<"inPlace", "in-place", "bool", /*default=*/"true",
           "Let results take the place of destinations that die">,
    Option<"plannedOnly", "planned-only", "bool", /*default=*/"false",
           "On memrefs, omit buffers that plan-memory does not plan, arguments "
           "and callees">,
    ListOption<"hold", "hold", "std::string",
               "Origins of values that are never released">,
    ListOption<"release", "release", "std::string",
               "Origins of values that are released after their last use">,
    ListOption<"exclude", "exclude", "std::string",
               "Origins of values that do not count">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanPartition : Pass<"memplan-partition", "::mlir::ModuleOp"> {
  let summary = "Split a joint function into forward and backward";
  let description = [{
    Splits a function @f on tensors into @f_fwd and @f_bwd. The first
    `memplan.num_fwd_outputs` results of @f are forward outputs, the others are
    gradients. @f_fwd takes the primals (and forward random states) and returns
    the forward outputs and the saved values. @f_bwd takes the saved values and
    the tangents (and backward random states), and returns the gradients. Every
    argument needs a `memplan.role`; `memplan.static` marks weights, which cost
    nothing to save because the caller keeps them.

    A saved value costs its bytes; the backward function recomputes the other
    values that it needs. A minimum cut chooses the saved values; the report
    prints its capacity and the flow that proves it. With `strategy=default`
    every forward value that the backward function uses is saved. Ops are
    recomputed unless they are contractions or as expensive as these;
    `memplan.recompute` on an op overrides this. Only pure, speculatable ops are recomputed, and random ones
    only with an explicit state (`memplan.random`). A recomputed op runs as late
    as its use permits, and has the name "recomputed" in its location.

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
  let options = [
    outputOption,
    functionOption,
    Option<"strategy", "strategy", "::memplan::graph::PartitionStrategy",
           /*default=*/"::memplan::graph::PartitionStrategy::MinCut",
           "Algorithm that chooses the saved values",
           "::memplan::enumValues<::memplan::graph::PartitionStrategy>()">,
    Option<"keepJoint", "keep-joint", "bool", /*default=*/"false",
           "Keep the joint function">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanReorder : Pass<"memplan-reorder", "::mlir::ModuleOp"> {
  let summary = "Order the ops of each function for less memory";
  let description = [{
    Reorders the ops of functions with one block, on tensors before
    bufferization or on memrefs, for a lower peak. Every op runs once, after its
    operands. Accesses that may be to the same memory keep their order, and no
    op moves across ops that have unknown effects or may not return. On memrefs
    an allocation moves to its first use. The result never has a higher peak
    than the given order. `auto` compares the best orders by the arenas of their
    plans.

    ```mlir
    // %a and %b are large, %c and %d small: two large ones are live at once;
    // after reordering (%a %c %b %d), one and a small one.
    %a = linalg.generic ... -> tensor<1024x1024xf32>
    %b = linalg.generic ... -> tensor<1024x1024xf32>
    %c = linalg.reduce ins(%a : ...) -> tensor<1024xf32>
    %d = linalg.reduce ins(%b : ...) -> tensor<1024xf32>
    ```
  }];
  let options = [
    outputOption,
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "The function; if empty, all functions">,
    Option<"strategy", "strategy", "::memplan::graph::OrderStrategy",
           /*default=*/"::memplan::graph::OrderStrategy::Auto",
           "Algorithm that finds the order",
           "::memplan::enumValues<::memplan::graph::OrderStrategy>()">,
    Option<"steps", "steps", "int64_t", /*default=*/"200000",
           "Iterations of the search for each function">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanRematerialize : Pass<"memplan-rematerialize", "::mlir::ModuleOp"> {
  let summary = "Recompute values so that a function fits a budget";
  let description = [{
    Finds an order of the ops of a function with one block, with repetitions, in
    which at most `budget` bytes are live at once, including arguments and
    constants. Recomputes as few FLOPs as possible. Only pure, speculatable ops
    are repeated, and random ones only with an explicit state
    (`memplan.random`). A recomputed op has the name "recomputed" in its
    location. If the budget cannot be met, the pass fails with the reason and
    does not change the program.

    ```mlir
    // With a budget of four tensors, %x included: %a, %b, %c and %m would be
    // live at once.
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
  let options = [
    outputOption,
    functionOption,
    Option<"budget", "budget", "::memplan::ByteSize", /*default=*/"-1",
           "Largest number of bytes (or 64K, 1M) that are live at once">,
    Option<"inPlace", "in-place", "bool", /*default=*/"true",
           "Let results take the place of destinations that die">,
    Option<"steps", "steps", "int64_t", /*default=*/"20000000",
           "Largest number of op executions that the search simulates">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

def MemplanFit : Pass<"memplan-fit", "::mlir::ModuleOp"> {
  let summary = "Plan a program so that its arenas fit a budget";
  let description = [{
    Bufferizes and plans a program as `memplan-from-tensors` does. If an arena
    exceeds the budget, makes these changes until it fits:

    1. in place: elementwise ops write over operands that die;
    2. reorder: another order of the ops, at no cost;
    3. recompute: values are recomputed instead of kept. Only pure, speculatable
       ops are recomputed, random ones only with an explicit state;
    4. stripes: chains of ops are computed a few rows at a time, as by
       `memplan-stripe`.

    Of the ways to recompute and to compute in stripes that are found, the one
    with the fewest additional FLOPs is taken that fits. If none fits, the one
    with the smallest need is taken, and the changed program is changed further
    as long as that lowers its need.

    Every candidate is bufferized and planned, and its plan decides. Like
    `capacity` of `plan-memory`, the budget applies to each arena together with
    the unplanned buffers of its function and memory space. The results of the
    program do not change, bit for bit. Programs on memrefs are reordered and
    planned, but nothing is recomputed. `budget` may give each memory space its
    own budget, written as the capacities of `plan-memory`.

    The report states the savings and the cost of each change:

    ```
    @f: budget 544 bytes
      planned as it is  1024 bytes
      in place          1024 bytes, 0 saved
      recomputed        768 bytes, 256 saved, 1 op runs again, 64 FLOPs (1.54 % more)
      striped           544 bytes, 224 saved, 2 chains
        1 of 8 rows at once: exp, matmul
        1 of 8 rows at once: fill, matmul, matmul
      fits: arena 544 bytes, not planned 0
    ```

    The functions have the changes in the attribute `memplan.changes`, too, from
    which the reports of `plan-memory` list them. With `plan=false` the program
    is bufferized only, so that `plan-memory` plans it with other options.

    If no candidate fits, the pass fails and the program stays as it was. The
    error states the smallest need that was found and the missing bytes. A note
    at an op states a number of bytes below which no order and no recomputation
    can go without stripes, with the operands and results of that op. With
    `best-effort` the candidate with the smallest need is taken, and a warning
    says that it exceeds the budget.

    With `scope=module` the budget applies to each call tree, and its functions
    are changed one after another, callers first.
  }];
  let options = [
    outputOption,
    Option<"functionName", "function", "std::string", /*default=*/"\"\"",
           "The only function with a budget; if empty, all functions">,
    Option<"budget", "budget", "std::string", /*default=*/"""",
           "Bytes (or 64K, 1M) for each arena and the unplanned buffers beside "
           "it, or a share of the bytes that the program needs in place, "
           "before reordering (60%). For single memory spaces: 1:64K,2:50%">,
    Option<"alignment", "alignment", "::memplan::ByteSize", /*default=*/"64",
           "Minimum alignment of buffers and arenas in bytes (or 1K, 1M), a "
           "power of two">,
    Option<"scope", "scope", "::memplan::PlanScope",
           /*default=*/"::memplan::PlanScope::Function",
           "The functions that share one arena", scopeValues>,
    ListOption<"entryPoints", "entry-points", "std::string",
               "The functions that are called from outside the module; if "
               "empty, all public functions. Implies scope=module">,
    Option<"bestEffort", "best-effort", "bool", /*default=*/"false",
           "If nothing fits, take the candidate with the smallest need">,
    Option<"planned", "plan", "bool", /*default=*/"true",
           "Plan the program; otherwise it is bufferized only, and the changes "
           "are listed only if output names a file">,
    Option<"candidates", "candidates", "int64_t", /*default=*/"24",
           "Largest number of programs that are bufferized and planned for "
           "each function">,
  ];
  let dependentDialects = ["::memplan::MemplanDialect"];
}

#endif // MEMPLAN_OPGRAPH_PASSES_TD
