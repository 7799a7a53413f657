// An allocation whose sizes are constants, or folded from constants, is planned
// like one of static shape. Its other uses see the type that it had.
// RUN: memplan-opt %s --plan-memory="lower=false" | memplan-opt --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s --memplan-extract --memplan-solve --memplan-materialize --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify=quiet=true -o /dev/null
// RUN: memplan-opt %s --plan-memory=report=text -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT

// REPORT: arena of @operands
// REPORT: arena      128 bytes
// CHECK-LABEL: func.func @operands(
// CHECK: memplan.arena {{.*}} : memref<128xi8>
// CHECK: memplan.view {{.*}} to memref<4x8xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.cast
// CHECK: return
func.func @operands(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c4, %c8) : memref<?x?xf32>
  %s = memref.cast %a : memref<?x?xf32> to memref<4x8xf32>
  linalg.exp ins(%x : memref<4x8xf32>) outs(%s : memref<4x8xf32>)
  %b = memref.alloc(%c4) : memref<?x8xf32>
  %t = memref.cast %b : memref<?x8xf32> to memref<4x8xf32>
  linalg.abs ins(%s : memref<4x8xf32>) outs(%t : memref<4x8xf32>)
  linalg.abs ins(%t : memref<4x8xf32>) outs(%y : memref<4x8xf32>)
  return
}

// Sizes that fold: arithmetic, casts, a dimension of a static memref, an affine
// map. The use has the dynamic type.
// CHECK-LABEL: func.func @folded(
// CHECK: memplan.arena {{.*}} : memref<288xi8>
// CHECK: %[[VIEW:.*]] = memplan.view {{.*}} to memref<8x9xf32>
// CHECK: memref.cast %[[VIEW]] : memref<8x9xf32> to memref<?x?xf32>
func.func @folded(%x: memref<8x9xf32>, %y: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i64
  %one = arith.index_cast %two : i64 to index
  %rows = memref.dim %x, %c0 : memref<8x9xf32>
  %half = arith.divui %rows, %one : index
  %twice = arith.muli %half, %one : index
  %columns = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%rows]
  %a = memref.alloc(%twice, %columns) : memref<?x?xf32>
  %b = memref.cast %x : memref<8x9xf32> to memref<?x?xf32>
  linalg.exp ins(%b : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.abs ins(%a : memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

// On the stack, with its alignment and attributes.
// CHECK-LABEL: func.func @stack(
// CHECK: memplan.arena
// CHECK: memplan.view {{.*}} align(128) {note} {{.*}} to memref<16xf32>
func.func @stack(%x: memref<16xf32>, %y: memref<?xf32>) {
  %c16 = arith.constant 16 : index
  %a = memref.alloca(%c16) {alignment = 128 : i64, note} : memref<?xf32>
  %b = memref.cast %x : memref<16xf32> to memref<?xf32>
  linalg.exp ins(%b : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// Freed through its dynamic type, and carried round a loop.
// CHECK-LABEL: func.func @freed(
// CHECK-NOT: memref.dealloc
// CHECK: return
func.func @freed(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc(%c16) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<?xf32>) {
    %b = memref.alloc(%c16) : memref<?xf32>
    linalg.abs ins(%p : memref<?xf32>) outs(%b : memref<?xf32>)
    memref.dealloc %p : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  linalg.abs ins(%r : memref<?xf32>) outs(%y : memref<?xf32>)
  memref.dealloc %r : memref<?xf32>
  return
}

// A buffer of a negative size is not planned.
// CHECK-LABEL: func.func @negative(
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
func.func @negative(%x: memref<?xf32>, %y: memref<?xf32>) {
  %less = arith.constant -1 : index
  %a = memref.alloc(%less) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%y : memref<?xf32>)
  return
}
