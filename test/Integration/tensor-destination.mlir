// Bufferization computes %t in %buf, before the last read of %other.
// RUN: memplan-opt %s --eliminate-empty-tensors --one-shot-bufferize \
// RUN:   | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify --eliminate-empty-tensors \
// RUN:   --one-shot-bufferize | %execute | FileCheck %s
// CHECK: 2
// CHECK-NEXT: 5

func.func @main() {
  %i = arith.constant 3 : index
  %two = arith.constant 2 : i64
  %five = arith.constant 5 : i64
  %buf = memref.alloc() : memref<16xi64>
  %other = memref.alloc() : memref<16xi64>
  linalg.fill ins(%two : i64) outs(%other : memref<16xi64>)
  %e = tensor.empty() : tensor<16xi64>
  %t = linalg.fill ins(%five : i64) outs(%e : tensor<16xi64>) -> tensor<16xi64>
  %x = memref.load %other[%i] : memref<16xi64>
  vector.print %x : i64
  bufferization.materialize_in_destination %t in restrict writable %buf
      : (tensor<16xi64>, memref<16xi64>) -> ()
  %y = memref.load %buf[%i] : memref<16xi64>
  vector.print %y : i64
  return
}
