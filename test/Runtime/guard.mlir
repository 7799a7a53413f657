// A right program is silent. What is wrong in a program or a plan is reported with
// the slot, the op and the location.
// RUN: memplan-opt %s --memplan-observe=guard=64 --plan-memory="lower=false" -o %t.mlir
// RUN: memplan-opt %t.mlir --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --allow-empty --check-prefix=RIGHT
// RIGHT-NOT: memplan:

// The offset of one slot is changed, and no verifier runs.
// RUN: sed '/"b1"/s/arena\[128\]/arena[0]/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: memplan: slot b1 of @net is born at bytes [0, 64) of its arena for linalg.abs at {{.*}}, where slot b0 of @net is live, at 0 bytes from there: born for linalg.exp at {{.*}}:[[#]]:5

// A life that ends too early: its slot is poison when it is read.
// RUN: sed '/"b0"/s/live = array<i64: 1, 5>/live = array<i64: 1, 4>/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: memplan: linalg.add at {{.*}} in @net reads 16 elements that were never written, of dead slot b0 of @net

// Element 16 of 16: in the guard. Element -32: in the slot of %b, which is dead.
// RUN: sed 's/constant {memplan.*} 7 : index/constant 16 : index/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --check-prefix=BOUNDS
// BOUNDS: memplan: slot b1 of @store was written out of bounds, 0 bytes behind its end: born for linalg.fill at {{.*}}, noticed after memref.load at
// RUN: sed 's/constant {memplan.*} 7 : index/constant -32 : index/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --check-prefix=DEAD
// DEAD: memplan: 4 bytes of slot b{{[0-9]}} of @store were written after its death, the first at {{[0-9]+}} of the slot

// An element that is read and was never written.
// RUN: sed 's/constant {memplan.*} 3 : index/constant 4 : index/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// UNWRITTEN: memplan: memref.load at {{.*}} in @part reads 1 elements that were never written, of slot b0 of @part
// RUN: sed 's/constant {memplan.*} 3 : index/constant 4 : index/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | not --crash env MEMPLAN_GUARD_FATAL=1 %observe

// Element 16 of 16 of a slot whose size is known only here.
// RUN: sed 's/constant {memplan.*} 9 : index/constant 16 : index/' %t.mlir | memplan-opt --memplan-lower=guard --memplan-to-llvm | %observe 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: memplan: slot b0 of @dynamic was written out of bounds, 0 bytes behind its end: born for linalg.exp at {{.*}}, noticed after linalg.add at

func.func @net(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

func.func @store(%in: memref<16xf32>, %out: memref<16xf32>) {
  %i = arith.constant 7 : index
  %f = arith.constant 1.0 : f32
  %b = memref.alloc() : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memref.store %f, %a[%i] : memref<16xf32>
  %v = memref.load %a[%i] : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
  return
}

func.func @part(%out: memref<16xf32>) {
  %i = arith.constant 3 : index
  %j = arith.constant 3.0 : f32
  %c3 = arith.constant 3 : i32
  %a = memref.alloc() : memref<16xf32>
  %k = arith.index_cast %c3 : i32 to index
  memref.store %j, %a[%k] : memref<16xf32>
  %v = memref.load %a[%i] : memref<16xf32>
  linalg.fill ins(%v : f32) outs(%out : memref<16xf32>)
  return
}

func.func @dynamic(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %i = arith.constant 9 : index
  %f = arith.constant 1.0 : f32
  %n = memref.dim %in, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%in : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  memref.store %f, %a[%i] : memref<?xf32>
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%out : memref<?xf32>)
  return
}

func.func @main() {
  %f = arith.constant 1.0 : f32
  %in = memref.alloc() : memref<16xf32>
  %out = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%in : memref<16xf32>)
  call @net(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  call @store(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  call @part(%out) : (memref<16xf32>) -> ()
  %id = memref.cast %in : memref<16xf32> to memref<?xf32>
  %od = memref.cast %out : memref<16xf32> to memref<?xf32>
  call @dynamic(%id, %od) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}
