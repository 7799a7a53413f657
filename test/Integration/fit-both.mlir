// Recomputed, and then computed in stripes: the program has the same results,
// bit for bit, at each budget, and fits it.
// REQUIRES: opgraph
// RUN: memplan-opt %s --memplan-bufferize | %execute > %t.before
// RUN: memplan-opt %s --memplan-fit="budget=768 function=f output=-" -o %t.mlir | FileCheck %s --check-prefix=ONE
// RUN: cat %t.mlir | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-fit="budget=544 function=f output=-" -o %t.mlir | FileCheck %s --check-prefix=TWO
// RUN: cat %t.mlir | %execute | cmp - %t.before
// RUN: memplan-opt %s --memplan-fit="budget=544 function=f plan=false" --plan-memory=require=verified | %execute | cmp - %t.before
// ONE-NOT: striped
// ONE: recomputed 768 bytes
// ONE-NOT: striped
// TWO: recomputed 768 bytes
// TWO: striped 544 bytes

// %a is needed again at the end.
func.func private @f(%x: tensor<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %a = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %b = linalg.matmul ins(%a, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.matmul ins(%x, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%b, %c : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %d = linalg.matmul ins(%m, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  bufferization.materialize_in_destination %d in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  return
}

func.func @main() {
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : index
    %p = arith.muli %i, %c3 : index
    %s = arith.addi %p, %j : index
    %r = arith.remui %s, %c7 : index
    %n = arith.index_cast %r : index to i32
    %v = arith.sitofp %n : i32 to f32
    %k = arith.constant 0.3 : f32
    %w = arith.mulf %v, %k : f32
    linalg.yield %w : f32
  } -> tensor<8x8xf32>
  %out = memref.alloc() : memref<8x8xf32>
  func.call @f(%x, %out) : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = vector.transfer_read %out[%c0, %c0], %zero : memref<8x8xf32>, vector<8x8xf32>
  %bits = vector.bitcast %rows : vector<8x8xf32> to vector<8x8xi32>
  vector.print %bits : vector<8x8xi32>
  memref.dealloc %out : memref<8x8xf32>
  return
}
