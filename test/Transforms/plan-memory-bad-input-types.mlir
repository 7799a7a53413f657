// A buffer is not planned if its element type or layout has no known size in
// bytes.

// RUN: memplan-opt --plan-memory=prepare=false --split-input-file %s 2>&1 | FileCheck %s --implicit-check-not=memref.view

// CHECK-LABEL: func.func @scalable_vector
// CHECK: memref.alloc() : memref<4xvector<[4]xf32>>
func.func @scalable_vector() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xvector<[4]xf32>>
  %v = memref.load %a[%c0] : memref<4xvector<[4]xf32>>
  memref.store %v, %a[%c1] : memref<4xvector<[4]xf32>>
  return
}

// -----

// CHECK-LABEL: func.func @memref_of_memref
// CHECK: memref.alloc() : memref<4xmemref<2xf32>>
func.func @memref_of_memref(%m: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xmemref<2xf32>>
  memref.store %m, %a[%c0] : memref<4xmemref<2xf32>>
  return
}

// -----

// CHECK-LABEL: func.func @symbol_in_layout
// CHECK: memref.alloc()[%{{.*}}] : memref<4xf32, #{{.*}}>
func.func @symbol_in_layout(%n: index) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc()[%n] : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>)
  return
}

// -----

// CHECK-LABEL: func.func @strided_layout
// CHECK: memref.alloc() : memref<4xf32, strided<[2], offset: 3>>
func.func @strided_layout() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32, strided<[2], offset: 3>>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32, strided<[2], offset: 3>>)
  return
}

// -----

// CHECK-LABEL: func.func @dynamic
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
func.func @dynamic(%n: index) {
  %c = arith.constant 1.0 : f32
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %a = memref.alloc(%unknown) : memref<?xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<?xf32>)
  return
}
