// RUN: memplan-opt %s --plan-memory=require=verified | FileCheck %s

// Nobody reads the buffer: its fill goes. A view without users in another block
// needs nothing of what the buffer held.
// CHECK-LABEL: func.func @unused_view
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @unused_view(%c: i1, %d: i1) {
  %i = arith.constant 1 : index
  %k = arith.constant 29 : i32
  %v = memref.alloc() : memref<4x4xi32>
  scf.if %c {
    memref.store %k, %v[%i, %i] : memref<4x4xi32>
  }
  linalg.fill ins(%k : i32) outs(%v : memref<4x4xi32>)
  cf.cond_br %d, ^view, ^end
^view:
  %s = memref.subview %v[2, 0] [1, 4] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[1], offset: 8>>
  cf.br ^end
^end:
  return
}
