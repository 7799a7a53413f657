// Programs with undefined behaviour, and plans of other origin: no crash, and
// no partial result.

// RUN: memplan-opt --plan-memory=prepare=false --memplan-verify --split-input-file %s | FileCheck %s

// Used and freed again after it was freed: it has one slot.
// CHECK-LABEL: func.func @use_after_free
// CHECK: %[[A:.*]] = memref.alloc()
// CHECK-SAME: memref<16xi8>
// CHECK: linalg.fill
// CHECK: linalg.fill
// CHECK-NEXT: memref.dealloc %[[A]] {bufferization.manual_deallocation} : memref<16xi8>
func.func @use_after_free() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  return
}

// -----

// Read before it is written: it is live at the read, and from the fill on, but
// not between.
// CHECK-LABEL: func.func @uninitialised
// CHECK: memref.alloc() {{.*}} : memref<16xi8>
func.func @uninitialised() {
  %c = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %x = memref.load %a[%c0] : memref<4xf32>
  memref.store %x, %b[%c0] : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  return
}

// -----

// The buffer that it frees is not known to the planner.
// CHECK-LABEL: func.func @frees_argument
// CHECK-NEXT: memref.dealloc %arg0
func.func @frees_argument(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

// Freed through a view that starts in its middle: the deallocation is removed.
// CHECK-LABEL: func.func @frees_view
// CHECK: %[[A:.*]] = memref.alloc() {{.*}} : memref<32xi8>
// CHECK-NOT: memref.dealloc
// CHECK: memref.dealloc %[[A]]
// CHECK-NEXT: return
func.func @frees_view() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<8xf32>)
  %v = memref.subview %a[4][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %v : memref<4xf32, strided<[1], offset: 4>>
  return
}

// -----

// A deallocation in an endless loop.
// CHECK-LABEL: func.func @freed_in_loop
// CHECK: memref.view
func.func @freed_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
    memref.dealloc %a : memref<4xf32>
  }
  return
}
