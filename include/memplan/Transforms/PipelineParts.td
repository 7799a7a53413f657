//===- PipelineParts.td - Parts of memplan's pipelines -----*- tablegen -*-===//
//
// Part of the memplan project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that memplan-bufferize, memplan-to-llvm and plan-memory run. By
// themselves they are registered in memplan-test-opt only.
//
//===----------------------------------------------------------------------===//

#ifndef MEMPLAN_TRANSFORMS_PIPELINEPARTS_TD
#define MEMPLAN_TRANSFORMS_PIPELINEPARTS_TD

include "mlir/Pass/PassBase.td"

def MemplanDecomposeConcat : Pass<"memplan-decompose-concat"> {
  let summary = "Write tensor.concat as insertions into one tensor";
  let description = [{
    Inserts each operand of a `tensor.concat` at its place of one
    `tensor.empty`, so that bufferization can compute the operands in place.
    Otherwise the concatenation becomes an allocation and a copy of each
    operand. Concatenations of more than 32 operands are not changed, because
    bufferization would take long; `plan-memory` can still remove their copies
    if these are contiguous.

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

def MemplanDecomposePack : Pass<"memplan-decompose-pack"> {
  let summary = "Write linalg.pack and linalg.unpack as ops that bufferize";
  let description = [{
    Bufferization does not support `linalg.pack` and `linalg.unpack`. Upstream's
    rewrites turn a pack into a pad, a reshape and a transposition, and an unpack
    into a transposition, a reshape and a slice. Ops whose tile sizes are not
    constants stay as they are.

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

def MemplanDecomposePad : Pass<"memplan-decompose-pad"> {
  let summary = "Write tensor.pad as an insertion into a filled tensor";
  let description = [{
    Inserts the operand of a `tensor.pad` into a `tensor.empty` that is filled
    with the padding value, so that bufferization can compute the operand in its
    place. Otherwise the pad becomes an allocation and a copy of the operand.

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

    Unchanged are pads of dynamic shape, pads whose value depends on the index,
    and pads whose operand is not the result of a linalg op or has other uses.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanPrepareDestinations : Pass<"memplan-prepare-destinations"> {
  let summary = "Choose the destination tensors of linalg ops";
  let description = [{
    Works on linalg on tensors, before bufferization, in two stages.

    First, if an elementwise op writes to a `tensor.empty`, it writes over an
    operand instead. The operand must have the same type, be computed by another
    op, be read at the element that is written, and not be used later. In a long
    chain of such ops every 65th gets a tensor of its own, because bufferization
    would take long; planning may still give it the bytes of the previous one.

    ```mlir
    %1 = linalg.matmul ins(%a, %b : ...) outs(%z : tensor<4x4xf32>) -> ...
    %e = tensor.empty() : tensor<4x4xf32>
    %2 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> ...
    // becomes
    %1 = linalg.matmul ins(%a, %b : ...) outs(%z : tensor<4x4xf32>) -> ...
    %2 = linalg.exp ins(%1 : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) -> ...
    ```

    Second, every op that writes to a shared `tensor.empty` or `linalg.fill`
    gets one of its own, right before it. Common subexpression elimination
    merges the destinations of all ops of one shape. Then only one of these ops
    can compute in place: the zeros from which many convolutions start stay live
    to the last of them, and all others copy them.

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

    So does a `linalg.generic` that broadcasts a constant or an argument into a
    `tensor.empty`: convolutions of equal bias would share it, and copy it. A
    fill of another tensor than a `tensor.empty` stays as it is.

    A `bufferization.materialize_in_destination` that writes to a memref of which
    the function also makes a tensor loses its `restrict`: nothing may be
    computed in this memref while the tensor is read.
  }];
  let options = [
    Option<"writeOver", "write-over", "bool", /*default=*/"true",
           "Let elementwise ops write over operands that die">,
  ];
}

def MemplanProtectArguments
    : Pass<"memplan-protect-arguments", "::mlir::ModuleOp"> {
  let summary = "Keep bufferization from leaving half of a value in an argument";
  let description = [{
    Works on tensors, right before `one-shot-bufferize`, and asks its analysis
    what it will write in place.

    After a call of a public function, the memory of each argument has its old
    value, or the value of a result that is returned in it. If the analysis would
    write anything else there, the argument becomes `bufferization.writable =
    false`. An argument with the attribute `memplan.new_value = K : i64`, which
    the pass removes, may have no other result than number K.

    ```mlir
    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> ...
      %1 = linalg.add ins(%0, %b : ...) outs(%b : tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>      // in the memory of %b, which may be written
    }                                // %a keeps its value: %0 gets memory of its own
    ```

    A tensor that is made of a memref (`bufferization.to_tensor`) and read after
    `bufferization.materialize_in_destination` has written to the memref, or by
    this op itself at another place, is copied first.

    ```mlir
    %a = bufferization.to_tensor %x restrict writable : ...
    %b = bufferization.to_tensor %y restrict writable : ...   // is not copied
    bufferization.materialize_in_destination %b in writable %x : ...
    bufferization.materialize_in_destination %a in writable %y : ...
    // %a becomes
    %t = bufferization.to_tensor %x restrict writable : ...
    %a = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect"];
}

def MemplanPrepareLLVM : Pass<"memplan-prepare-llvm"> {
  let summary = "Rewrite memref ops that upstream's lowering does not take";
  let description = [{
    `memplan-to-llvm` runs this pass before it lowers structured ops and control
    flow.

    A `memref.subview` with steps other than 1 that drops dimensions becomes two
    subviews. `expand-strided-metadata` finds dropped dimensions by comparing
    strides, and fails if steps have changed the strides.

    A `memref.alloca_scope` becomes `llvm.intr.stacksave` and
    `llvm.intr.stackrestore`. The op may have one block only, so control flow
    inside of it could not be lowered to blocks.

    A `memref.copy` of what is not one piece of memory becomes loops over pieces of
    constant size, or over elements. Upstream calls `memrefCopy`, which goes from
    element to element.

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
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def MemplanFinishLLVM : Pass<"memplan-finish-llvm", "::mlir::ModuleOp"> {
  let summary = "Convert what is left to LLVM, or name it";
  let description = [{
    The end of `memplan-to-llvm`. Converts `index`, `ub`, `arith` and `cf` to the
    LLVM dialect, with the width of `index` that the data layout of the module
    states, and removes the casts between converted and other types. These
    upstream passes take the width as an option and ignore the data layout.

    An op of another dialect that is left is an error, which says how many there
    are of each name. Ops of dialects that LLVM IR is made of beside `llvm` may
    stay (`nvvm`, `rocdl`, `xevm`, `omp`, `acc`, `gpu.binary` and others with a
    translation), as may what is in a module of device code.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def MemplanFoldTransposes : Pass<"memplan-fold-transposes"> {
  let summary = "Let contractions read what a transposition would copy";
  let description = [{
    A `linalg.transpose` whose result is only an input of contractions goes into
    their indexing maps, so that bufferization does not copy its operand.
    Importers write a linear layer as the transposition of a weight and a matmul:
    without this pass each call of the program copies each weight.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>)
        permutation = [1, 0]
    %y = linalg.matmul ins(%x, %t : tensor<2x4xf32>, tensor<4x8xf32>)
        outs(%c : tensor<2x8xf32>) -> tensor<2x8xf32>
    // becomes
    %y = linalg.matmul
        indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>,
                         affine_map<(d0, d1, d2) -> (d1, d2)>,
                         affine_map<(d0, d1, d2) -> (d0, d1)>]
        ins(%x, %w : tensor<2x4xf32>, tensor<8x4xf32>)
        outs(%c : tensor<2x8xf32>) -> tensor<2x8xf32>
    ```

    `linalg.matmul`, `linalg.batch_matmul`, `linalg.contract` and
    `linalg.generic` keep their names, other contractions become
    `linalg.generic`. The order in which a contraction adds products does not
    change. A `tensor.collapse_shape` between the two moves before the
    transposition where each collapsed group is contiguous in the operand.

    Unchanged are transpositions that another op reads as well.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MemplanSinkFills : Pass<"memplan-sink-fills", "::mlir::ModuleOp"> {
  let summary = "Move fills of buffers to the first use of their value";
  let description = [{
    If many ops start from one filled tensor (`linalg.fill`), bufferization
    makes one filled buffer and a copy of it for each op but the last. The
    buffer is then live from the fill to the last of these ops. This pass
    replaces the copies by fills, and moves the fill of the buffer to the first
    op that needs it:

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
    else, is a fill, too; copies of its buffer become copies of the nest. A fill
    that no op reads is removed. The number of ops (or nests) does not grow, and
    each accesses at most the bytes that the old one did.

    The allocation and the fill must be in one block, and all uses of the
    allocation must be known. A copy becomes a fill only if both sides have the
    same element type and memory space. Unchanged are buffers that are used
    together with tensors, because bufferization may use them elsewhere; code
    and memory of many threads; and functions with `memplan.step` or
    `memplan.stream`. The verifier proves for each changed function that every
    other op reads the same values. If it refuses one, the function stays as it
    was, with a warning; with `require=verified` of `plan-memory` that is an
    error. `plan-memory` and `memplan-extract` run this unless `prepare=false`.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def MemplanComputeInSlices
    : Pass<"memplan-compute-in-slices", "::mlir::ModuleOp"> {
  let summary = "Compute a buffer in the slice that it is copied into";
  let description = [{
    A convolution with padding reads a larger buffer than was computed.
    Bufferization fills the larger buffer with the padding value, and copies the
    smaller one into the middle of it. This pass computes the smaller buffer
    there:

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

    A copy is removed under these conditions:

    - It copies all of an allocation into a `memref.subview` with constant
      bounds and unit strides of another allocation. Both are of static shape
      and in the block of the copy.
    - The slice has gaps (padding, concatenation along an inner dimension), or
      the larger buffer is filled before the copy. In other cases the copy
      stays.
    - Between an op that overwrites the smaller buffer and the copy, only linalg
      ops, copies, loads and stores of the same block use it, and other uses of
      the larger buffer are in other slices. After the copy, up to the next
      overwrite, such ops may read the smaller buffer; they read the slice then.
    - The larger buffer becomes live earlier. The function must not need more
      bytes at once than before; after the copy, not more than three quarters of
      that.

    Unchanged are buffers that are used together with tensors, code and memory
    of many threads, and functions with `memplan.step` or `memplan.stream`. The
    verifier proves for each changed function that every op reads the same
    values. If it refuses one, the function stays as it was, with a warning;
    with `require=verified` of `plan-memory` that is an error. `plan-memory` and
    `memplan-extract` run this before `memplan-sink-fills`, unless
    `prepare=false`.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

#endif // MEMPLAN_TRANSFORMS_PIPELINEPARTS_TD
