// RUN: memplan-opt %s --memplan-reorder="output=%t.txt" | FileCheck %s
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REPORT
// RUN: memplan-opt %s --memplan-reorder="output=%t.txt" | memplan-opt --memplan-reorder="output=%t.txt" | FileCheck %s
// RUN: not memplan-opt %s --memplan-reorder=steps=-1 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not memplan-opt %s --memplan-reorder=function=absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: there is no function @absent to reorder
// STEPS: error: steps -1 is less than 0

// Two large tensors are live at once, but only one if each is reduced before
// the next is made.
// CHECK-LABEL: func.func @tensors
// CHECK: %[[A:.*]] = math.exp
// CHECK: linalg.reduce {{.*}} ins(%[[A]]
// CHECK: %[[B:.*]] = math.sin
// CHECK: linalg.reduce {{.*}} ins(%[[B]]
// REPORT: @tensors: peak 33280 bytes, was 49664; strategy
func.func @tensors(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %a = math.exp %x : tensor<64x64xf32>
  %b = math.sin %x : tensor<64x64xf32>
  %c = linalg.reduce { arith.addf } ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
  %d = linalg.reduce { arith.addf } ins(%b : tensor<64x64xf32>) outs(%z : tensor<64xf32>) dimensions = [1]
  return %c, %d : tensor<64xf32>, tensor<64xf32>
}

// The same on memrefs: allocations move to the first use, views to their uses,
// deallocations to the last use of the buffer.
// CHECK-LABEL: func.func @memrefs
// CHECK: %[[A:.*]] = memref.alloc() : memref<4096xf32>
// CHECK: linalg.exp {{.*}} outs(%[[A]]
// CHECK: %[[V:.*]] = memref.expand_shape %[[A]]
// CHECK: linalg.reduce {{.*}} ins(%[[V]]
// CHECK: memref.dealloc %[[A]]
// CHECK: %[[B:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: linalg.abs {{.*}} outs(%[[B]]
// CHECK: linalg.reduce {{.*}} ins(%[[B]]
// CHECK: memref.dealloc %[[B]]
func.func @memrefs(%x: memref<4096xf32>, %y: memref<64x64xf32>) -> (memref<64xf32>, memref<64xf32>) {
  %a = memref.alloc() : memref<4096xf32>
  %b = memref.alloc() : memref<64x64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [64, 64] : memref<4096xf32> into memref<64x64xf32>
  linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
  linalg.abs ins(%y : memref<64x64xf32>) outs(%b : memref<64x64xf32>)
  linalg.reduce { arith.addf } ins(%v : memref<64x64xf32>) outs(%c : memref<64xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%b : memref<64x64xf32>) outs(%d : memref<64xf32>) dimensions = [1]
  memref.dealloc %a : memref<4096xf32>
  memref.dealloc %b : memref<64x64xf32>
  return %c, %d : memref<64xf32>, memref<64xf32>
}

// Nothing moves across an op that may not return, and accesses to possibly the
// same memory keep their order.
// CHECK-LABEL: func.func @kept
// CHECK: math.exp
// CHECK: linalg.exp
// CHECK: cf.assert
// CHECK: linalg.exp
// CHECK: linalg.exp
func.func @kept(%x: tensor<64xf32>, %c: i1, %p: memref<4xf32>, %q: memref<4xf32>) -> tensor<64xf32> {
  %e = math.exp %x : tensor<64xf32>
  linalg.exp ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)
  cf.assert %c, "holds"
  linalg.exp ins(%q : memref<4xf32>) outs(%p : memref<4xf32>)
  linalg.exp ins(%p : memref<4xf32>) outs(%q : memref<4xf32>)
  return %e : tensor<64xf32>
}

// %x and %y are %a and %b, which their names do not show: accesses through
// memrefs that are loaded from memory do not move.
// CHECK-LABEL: func.func @loaded
// CHECK: linalg.fill {{.*}} outs(%[[A:.*]] :
// CHECK: linalg.exp
// CHECK: linalg.add ins(%[[A]],
// CHECK: linalg.exp
// CHECK: linalg.sub
func.func @loaded(%f1: f32, %f2: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %mm = memref.alloc() : memref<2xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f1 : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f2 : f32) outs(%b : memref<16xf32>)
  memref.store %a, %mm[%c0] : memref<2xmemref<16xf32>>
  memref.store %b, %mm[%c1] : memref<2xmemref<16xf32>>
  %x = memref.load %mm[%c0] : memref<2xmemref<16xf32>>
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
  %y = memref.load %mm[%c1] : memref<2xmemref<16xf32>>
  linalg.exp ins(%c : memref<16xf32>) outs(%y : memref<16xf32>)
  %d = memref.alloc() : memref<16xf32>
  linalg.sub ins(%b, %a : memref<16xf32>, memref<16xf32>) outs(%d : memref<16xf32>)
  %r = memref.load %d[%c0] : memref<16xf32>
  %s = memref.load %c[%c0] : memref<16xf32>
  %t = arith.addf %r, %s : f32
  return %t : f32
}
