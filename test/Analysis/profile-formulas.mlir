// Sizes that are not known are formulas over the extents of arguments, and numbers
// under hints; the peak is both.
// RUN: memplan-opt %s --memplan-profile -o /dev/null 2>&1 | FileCheck %s
// RUN: memplan-opt %s --memplan-profile="function=tensors format=json output=-" -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: memplan-opt %s --memplan-profile="function=memrefs dim-hint=10" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER

// 100 x 16 floats: the argument and two results, and one of 8 more rows.
// CHECK-LABEL: graph: tensors
// CHECK-NEXT: peak: 19 712 bytes
// CHECK-NEXT: = 64*(arg0_d0+8) + 2*64*arg0_d0, under the hints given
// CHECK: bytes {{ *}}formula {{ *}}storage
// CHECK: 6 912 {{ *}}64*(arg0_d0+8)
// CHECK: 6 400 {{ *}}64*arg0_d0
// JSON: "peak_bytes": 19712,
// JSON-SAME: "peak_formula": "64*(arg0_d0+8) + 2*64*arg0_d0"
// JSON: "origin": "input", "bytes": 6400, "formula": "64*arg0_d0"
func.func @tensors(%x: tensor<?x16xf32> {memplan.dim_hints = array<i64: 100, 0>}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %y = linalg.exp ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = tensor.pad %y low[8, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x16xf32> to tensor<?x16xf32>
  return %p : tensor<?x16xf32>
}

// @out has the default hint of 1; what is live in the two allocations is 2 x 6400.
// CHECK-LABEL: graph: memrefs
// CHECK-NEXT: peak: 19 392 bytes
// CHECK-NEXT: = 3*64*arg0_d0 + 64*arg1_d0 + 128, under the hints given
// OTHER: peak: 19 968 bytes
func.func @memrefs(%x: memref<?x16xf32> {memplan.dim_hints = array<i64: 100, 0>}, %out: memref<?x16xf32>, %other: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %y = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>)
  %z = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%y : memref<?x16xf32>) outs(%z : memref<?x16xf32>)
  memref.copy %z, %out : memref<?x16xf32> to memref<?x16xf32>
  return
}
