// RUN: memplan-opt %s --memplan-assign-spaces="capacity=512 report=text output=%t" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t
// RUN: memplan-opt %s --memplan-assign-spaces=capacity=512 --plan-memory="capacity=1:512 require=verified" --memplan-verify -o /dev/null
// RUN: memplan-opt %s --memplan-assign-spaces="capacity=512 read-cost=0:4 write-cost=0:4 prefetch=1" | FileCheck %s --check-prefix=DEAR
// RUN: not memplan-opt %s --memplan-assign-spaces 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memplan-opt %s --memplan-assign-spaces="fast=0 capacity=1K" 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not memplan-opt %s --memplan-assign-spaces="capacity=1K read-cost=0:x" 2>&1 | FileCheck %s --check-prefix=COST

// RUN: memplan-opt %s --memplan-assign-spaces=capacity=512 -o /dev/null 2>&1 | FileCheck %s --check-prefix=LONG

// UNKNOWN: error: the capacity of space 1 is unknown
// SAME: error: fast and slow are the same memory space
// COST: error: read-cost: 'x' is no number from 0 to 1000000
// RUN: not memplan-opt %s --memplan-assign-spaces="capacity=1K write-cost=9:5" 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: write-cost: space 9 is neither fast nor slow
// RUN: not memplan-opt %s --memplan-assign-spaces="capacity=1K move-cost=-5" 2>&1 | FileCheck %s --check-prefix=MOVE
// MOVE: error: move-cost -5 is less than -1

// %a rests while %b, %c and %d need the space, and is read once more: a copy
// out costs as much as one write, and the last read is in the slow space.
// CHECK-LABEL: func.func @rests
// CHECK: %[[A0:.*]] = memref.alloc() : memref<64xf32>
// CHECK: linalg.fill {{.*}} outs(%[[A1:.*]] : memref<64xf32, 1>)
// CHECK-NEXT: linalg.exp ins(%[[A1]] : memref<64xf32, 1>) outs(%[[B:.*]] : memref<64xf32, 1>)
// CHECK-NEXT: memref.copy %[[A1]], %[[A0]] : memref<64xf32, 1> to memref<64xf32>
// CHECK-NEXT: memref.dealloc %[[A1]] : memref<64xf32, 1>
// CHECK-NEXT: linalg.add ins(%[[B]], %{{.*}} : memref<64xf32, 1>, memref<64xf32>) outs(%[[C:.*]] : memref<64xf32, 1>)
// CHECK-NEXT: linalg.add ins(%[[B]], %[[C]] :
// CHECK-NEXT: linalg.add ins(%[[A0]], %{{.*}} : memref<64xf32>, memref<64xf32, 1>)
// CHECK-NEXT: memref.dealloc %[[A0]] : memref<64xf32>
// REPORT: @rests: space 1 of 512 bytes before space 0
// REPORT-NEXT: buffers: 4 may move, 0 stay; pieces in space 1: 4, placed in 512 bytes
// REPORT: everything slow 2560
// REPORT: farthest last use 512
// REPORT: this assignment 512 {{.*}} 256
// REPORT: lower bound 512 optimal, ratio 1.0000
func.func @rests(%in: memref<64xf32>, %out: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%b, %in : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%b, %c : memref<64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.add ins(%a, %d : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  return
}

// The slow space is dear, so %a comes back. The views are copied.
// DEAR-LABEL: func.func @returns_later
// DEAR: memref.copy %[[P1:.*]], %[[HOME:.*]] : memref<64xf32, 1> to memref<64xf32>
// DEAR: memref.copy %[[HOME]], %[[P2:.*]] : memref<64xf32> to memref<64xf32, 1>
// DEAR: %[[V:.*]] = memref.subview %[[P2]][0] [32] [1] : memref<64xf32, 1> to memref<32xf32, strided<[1]>, 1>
// DEAR: linalg.exp ins(%[[P2]] :
// DEAR: linalg.abs ins(%[[V]] :
func.func @returns_later(%out: memref<64xf32>, %half: memref<32xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %v = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %big = memref.alloc() : memref<128xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%big : memref<128xf32>)
  linalg.exp ins(%big : memref<128xf32>) outs(%big : memref<128xf32>)
  %w = memref.subview %big[0] [64] [1] : memref<128xf32> to memref<64xf32, strided<[1]>>
  linalg.abs ins(%w : memref<64xf32, strided<[1]>>) outs(%out : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.abs ins(%v : memref<32xf32, strided<[1]>>) outs(%half : memref<32xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// The caller of a function that needs the fast space has that much less.
// REPORT: @caller: space 1
// REPORT: pieces in space 1: 0, placed in 512 bytes
// CHECK-LABEL: func.func @caller
// CHECK-NOT: memref<64xf32, 1>
// CHECK: return
func.func @caller(%in: memref<64xf32>, %out: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  func.call @rests(%in, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  linalg.exp ins(%a : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// A loop writes parts of %a, which is in one space all the time. A returned
// buffer, and one that is passed to a call, stay.
// CHECK-LABEL: func.func @stays
// CHECK-DAG: %[[R:.*]] = memref.alloc() : memref<8xf32>
// CHECK-DAG: %[[B:.*]] = memref.alloc() : memref<8xf32>
// CHECK: scf.for
// CHECK: memref.store {{.*}} : memref<8xf32, 1>
// CHECK: call @unknown(%{{.*}}) : (memref<8xf32>) -> ()
// CHECK: return %{{.*}} : memref<8xf32>
func.func private @unknown(memref<8xf32>)
func.func @stays() -> memref<8xf32> {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %r = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %f, %a[%i] : memref<8xf32>
  }
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  func.call @unknown(%b) : (memref<8xf32>) -> ()
  linalg.exp ins(%a : memref<8xf32>) outs(%r : memref<8xf32>)
  return %r : memref<8xf32>
}

// A stack buffer stays, as it would be on a stack of the fast space, where nothing
// plans it. So does a buffer that is freed by another name.
// CHECK-LABEL: func.func @other_frees
// CHECK: memref.alloca() : memref<8xf32>
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: memref.alloc() : memref<8xf32, 1>
func.func @other_frees(%out: memref<8xf32>) {
  %f = arith.constant 1.0 : f32
  %s = memref.alloca() : memref<8xf32>
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<8xf32>)
  linalg.exp ins(%s : memref<8xf32>) outs(%a : memref<8xf32>)
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  %c = memref.cast %a : memref<8xf32> to memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  linalg.abs ins(%b : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The buffers are in the fast space, which is too small: one is spilled.
// CHECK-LABEL: func.func @given
// CHECK: memref.alloc() : memref<96xf32>
// CHECK: memref.alloc() : memref<96xf32, 1>
func.func @given(%out: memref<96xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<96xf32, 1>
  %b = memref.alloc() : memref<96xf32, 1>
  linalg.fill ins(%f : f32) outs(%a : memref<96xf32, 1>)
  linalg.fill ins(%f : f32) outs(%b : memref<96xf32, 1>)
  linalg.add ins(%a, %b : memref<96xf32, 1>, memref<96xf32, 1>) outs(%out : memref<96xf32>)
  return
}

// Like @rests, but an op uses a view of dynamic shape of %a, which is in one space all
// the time.
// CHECK-LABEL: func.func @dynamic_view
// CHECK: %[[A0:.*]] = memref.alloc() : memref<64xf32>
// CHECK: linalg.fill {{.*}} outs(%[[A0]] : memref<64xf32>)
// CHECK-NOT: memref.copy
// CHECK: memref.dealloc %[[A0]]
func.func @dynamic_view(%in: memref<64xf32>, %out: memref<64xf32>, %i: index) -> f32 {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.add ins(%b, %in : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>)
  linalg.add ins(%b, %c : memref<64xf32>, memref<64xf32>) outs(%d : memref<64xf32>)
  linalg.add ins(%b, %d : memref<64xf32>, memref<64xf32>) outs(%out : memref<64xf32>)
  %v = memref.cast %a : memref<64xf32> to memref<?xf32>
  %x = memref.load %v[%i] : memref<?xf32>
  memref.dealloc %a : memref<64xf32>
  return %x : f32
}

// The stack is of the default memory space.
// CHECK-LABEL: func.func @stack
// CHECK: memref.alloca() : memref<64xf32>
// CHECK: memref.alloc() : memref<64xf32, 1>
func.func @stack(%out: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloca() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  linalg.exp ins(%a : memref<64xf32>) outs(%out : memref<64xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%out : memref<64xf32>)
  memref.dealloc %b : memref<64xf32>
  return
}

// A call through a value may reach @taken, which needs half of the space.
// CHECK-LABEL: func.func private @taken
// CHECK: memref.alloc() : memref<64xf32, 1>
// CHECK-LABEL: func.func @indirect
// CHECK: memref.alloc() : memref<96xf32>
func.func private @taken(%out: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<64xf32>)
  linalg.exp ins(%b : memref<64xf32>) outs(%out : memref<64xf32>)
  memref.dealloc %b : memref<64xf32>
  return
}
func.func @indirect(%out: memref<96xf32>, %other: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<96xf32>
  %g = constant @taken : (memref<64xf32>) -> ()
  linalg.fill ins(%f : f32) outs(%a : memref<96xf32>)
  call_indirect %g(%other) : (memref<64xf32>) -> ()
  linalg.exp ins(%a : memref<96xf32>) outs(%out : memref<96xf32>)
  memref.dealloc %a : memref<96xf32>
  return
}

// The costs of a loop may be too large.
// CHECK-LABEL: func.func @long
// CHECK: memref.alloc() : memref<64xf32>
// LONG: warning: the buffers of @long keep their memory spaces: the costs do not fit into 50 bits
func.func @long(%out: memref<64xf32>) {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000000 : index
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      linalg.exp ins(%a : memref<64xf32>) outs(%a : memref<64xf32>)
    }
  }
  linalg.exp ins(%a : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}
