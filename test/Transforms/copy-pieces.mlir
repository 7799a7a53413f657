// RUN: memplan-opt %s --memplan-to-llvm | FileCheck %s

// No element is copied by a call.
// CHECK-NOT: @memrefCopy

// Rows of constant size are copied as a whole, from loops over the others.
// CHECK-LABEL: llvm.func @rows
// CHECK: llvm.cond_br
// CHECK: llvm.intr.memcpy
// CHECK-NOT: llvm.load
func.func @rows(%from: memref<1x?x5x64xi8, strided<[8000, 320, 64, 1], offset: ?>>,
                %to: memref<1x?x5x64xi8, strided<[1344, 448, 64, 1], offset: ?>>) {
  memref.copy %from, %to : memref<1x?x5x64xi8, strided<[8000, 320, 64, 1], offset: ?>>
      to memref<1x?x5x64xi8, strided<[1344, 448, 64, 1], offset: ?>>
  return
}

// No two elements are neighbours on both sides.
// CHECK-LABEL: llvm.func @columns
// CHECK: llvm.cond_br
// CHECK: llvm.cond_br
// CHECK: llvm.load
// CHECK: llvm.store
func.func @columns(%from: memref<4x6xf32, strided<[1, 4]>>, %to: memref<4x6xf32>) {
  memref.copy %from, %to : memref<4x6xf32, strided<[1, 4]>> to memref<4x6xf32>
  return
}

// One piece of memory is copied as a whole.
// CHECK-LABEL: llvm.func @whole
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.intr.memcpy
func.func @whole(%from: memref<?x6xf32>, %to: memref<?x6xf32>) {
  memref.copy %from, %to : memref<?x6xf32> to memref<?x6xf32>
  return
}

// CHECK-LABEL: llvm.func @nothing
// CHECK-NOT: llvm.cond_br
// CHECK: llvm.return
func.func @nothing(%from: memref<0x6xf32, strided<[12, 2]>>, %to: memref<0x6xf32>) {
  memref.copy %from, %to : memref<0x6xf32, strided<[12, 2]>> to memref<0x6xf32>
  return
}
