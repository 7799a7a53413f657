// The effects of a nest of loops on the buffer that it reads: the buffer is
// planned as a slice of another one, and the nest writes other bytes of it.

// RUN: memplan-opt %s --plan-memory="require=verified lower=false" | FileCheck %s
// RUN: memplan-opt %s --plan-memory="require=verified" --memplan-verify=quiet=true

// CHECK-LABEL: func.func @apart(
// CHECK: memplan.arena {{.*}}64
func.func @apart(%in: memref<8xi64>, %w: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %b = memref.alloc() : memref<8xi64>
  memref.copy %in, %b : memref<8xi64> to memref<8xi64>
  %lo = memref.subview %b[0] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1]>>
  %hi = memref.subview %b[4] [4] [1] : memref<8xi64> to memref<4xi64, strided<[1], offset: 4>>
  %a = memref.alloc() : memref<4xi64>
  memref.copy %lo, %a : memref<4xi64, strided<[1]>> to memref<4xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi64>
    %y = arith.addi %x, %x : i64
    memref.store %y, %hi[%i] : memref<4xi64, strided<[1], offset: 4>>
  }
  memref.copy %a, %w : memref<4xi64> to memref<4xi64>
  memref.copy %hi, %w : memref<4xi64, strided<[1], offset: 4>> to memref<4xi64>
  return
}

// The outer loop is not part of the nest: in each iteration %a is computed
// again before %b overwrites it.
// CHECK-LABEL: func.func @around(
// CHECK: memplan.arena {{.*}}64
func.func @around(%log: memref<8xi64>, %v: i64) {
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  affine.for %k = 0 to 3 {
    %t = memref.alloc() : memref<8xi64>
    affine.for %i = 0 to 8 {
      %x = memref.load %log[%i] : memref<8xi64>
      %y = arith.muli %x, %v : i64
      memref.store %y, %t[%i] : memref<8xi64>
    }
    affine.for %i = 0 to 8 {
      %x = memref.load %t[%i] : memref<8xi64>
      %y = arith.addi %x, %v : i64
      memref.store %y, %a[%i] : memref<8xi64>
    }
    affine.for %i = 0 to 8 {
      %x = memref.load %a[%i] : memref<8xi64>
      %y = arith.addi %x, %v : i64
      memref.store %y, %b[%i] : memref<8xi64>
    }
    memref.copy %b, %log : memref<8xi64> to memref<8xi64>
  }
  return
}
