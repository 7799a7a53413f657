// RUN: split-file %s %t
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=100% output=-" -o %t/all.mlir | FileCheck %s --check-prefix=ALL
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=768 output=%t/fits.txt" | FileCheck %s --check-prefix=FITS
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t/fits.txt
// RUN: not memplan-opt %t/network.mlir --memplan-fit="budget=767" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: memplan-opt %t/network.mlir --memplan-fit="budget=767 best-effort output=%t/best.txt" 2>&1 | FileCheck %s --check-prefix=BEST
// RUN: memplan-opt %t/memrefs.mlir --memplan-fit="budget=1K output=%t/memrefs.txt" | FileCheck %s --check-prefix=MEMREFS
// RUN: FileCheck %s --check-prefix=MOVED --input-file=%t/memrefs.txt
// RUN: not memplan-opt %t/network.mlir --memplan-fit 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not memplan-opt %t/network.mlir --memplan-fit=budget=many 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not memplan-opt %t/network.mlir --memplan-fit=space-budgets=64K 2>&1 | FileCheck %s --check-prefix=SPACE

// The program is planned, and the report says so.
// ALL: @f: budget
// ALL-NEXT: planned as it is
// ALL-NEXT: in place
// ALL-NEXT: fits: arena

// %a (256 bytes) is needed at the end again; %b and %m have 256 bytes each, and
// so has %c. Computing %a again leaves three at once.
// FITS-LABEL: func.func @f
// FITS: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<768xi8>
// FITS: linalg.exp
// FITS: linalg.exp {memplan.recomputed = 1 : i64}
// REPORT: @f: budget 768 bytes
// REPORT: recomputed {{ *}}768 bytes, 256 saved, 1 op runs again, 64 FLOPs
// REPORT-NEXT: fits: arena 768 bytes, not planned 0

// LESS: error: @f does not fit into 767 bytes: the least that was found is 768 bytes, an arena of 768; 1 too many
// LESS: note: 'linalg.matmul' needs 768 bytes at once in any order, whatever is computed again: no budget below 768 can be kept, and 768 is kept
// LESS: note: 256 bytes of them are the result of
// LESS-NOT: func.func

// BEST: warning: @f does not fit into 767 bytes: the least that was found is 768 bytes
// BEST: memref<768xi8>

// MEMREFS-LABEL: func.func @g
// MEMREFS: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<{{.*}}xi8>
// MOVED: @g: budget 1024 bytes
// MOVED-NEXT: planned as it is {{ *}}1056 bytes
// MOVED-NEXT: reordered {{ *}}544 bytes, 512 saved
// MOVED-NEXT: fits

// NONE: error: there is no budget
// MANY: error: budget 'many' is neither a number of bytes, such as 4096, 64K or 1M, nor a share, such as 60%
// SPACE: error: '64K' names no memory space and its budget, such as 1:64K

//--- network.mlir
func.func @f(%x: tensor<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%b, %c : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.matmul ins(%m, %a : tensor<8x8xf32>, tensor<8x8xf32>)
                     outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  bufferization.materialize_in_destination %d in restrict writable %out
      : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

//--- memrefs.mlir
// Two large buffers at once; in another order one and a small one.
func.func @g(%x: memref<16x8xf32>, %out: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16x8xf32>
  %b = memref.alloc() : memref<16x8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.exp ins(%x : memref<16x8xf32>) outs(%a : memref<16x8xf32>)
  linalg.abs ins(%x : memref<16x8xf32>) outs(%b : memref<16x8xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  linalg.fill ins(%zero : f32) outs(%out : memref<8xf32>)
  linalg.reduce ins(%a : memref<16x8xf32>) outs(%c : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.reduce ins(%b : memref<16x8xf32>) outs(%out : memref<8xf32>) dimensions = [0]
    (%in: f32, %acc: f32) {
      %s = arith.addf %in, %acc : f32
      linalg.yield %s : f32
    }
  linalg.add ins(%c, %out : memref<8xf32>, memref<8xf32>) outs(%out : memref<8xf32>)
  memref.dealloc %a : memref<16x8xf32>
  memref.dealloc %b : memref<16x8xf32>
  memref.dealloc %c : memref<8xf32>
  return
}
