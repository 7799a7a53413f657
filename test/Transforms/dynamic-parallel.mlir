// Buffers of dynamic shape in a parallel loop stay as they are, with a remark.
// Those of constant shape have frames beside the buffers around the loop.
// RUN: memplan-opt %s --plan-memory=lower=false --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify=quiet=true -o /dev/null
// RUN: memplan-opt %s --plan-memory --remarks-filter=plan.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func.func @frames_beside(
// CHECK:         memplan.slot
// CHECK:         scf.parallel
// CHECK:           memplan.view {{.*}} * 64] align(64) : memref<?xi8> to memref<8xf32>
// CHECK:           memref.alloc(%{{.*}}) : memref<?xf32>
// REMARK: has a dynamic shape, inside an op that may run while others do
func.func @frames_beside(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<8xf32>)
    %v = memref.load %b[%i] : memref<8xf32>
    %c = memref.alloc(%n) : memref<?xf32>
    memref.store %v, %c[%c0] : memref<?xf32>
    %w = memref.load %c[%c0] : memref<?xf32>
    memref.store %w, %x[%i] : memref<?xf32>
    memref.dealloc %b : memref<8xf32>
    memref.dealloc %c : memref<?xf32>
  }
  linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return
}
