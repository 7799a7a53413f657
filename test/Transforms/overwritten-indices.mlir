// An op that overwrites a buffer of indices, of no constant size, needs nothing
// of the bytes that another buffer of the loop took.
// RUN: memplan-opt %s -plan-memory="require=verified lower=false" | FileCheck %s
// RUN: memplan-opt %s -plan-memory="require=verified" -memplan-verify \
// RUN:   -o /dev/null

// CHECK-LABEL: func @size_of_indices
// CHECK: memplan.view {{.*}} to memref<?xindex>
// CHECK: memplan.view {{.*}} to memref<8xindex>
func.func private @use(memref<8xindex>)
func.func private @use_all(memref<?xindex>)
func.func @size_of_indices(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %positive = arith.maxsi %n, %c0 : index
  %size = arith.addi %positive, %c8 : index
  %a = memref.alloc(%size) : memref<?xindex>
  scf.for %i = %c0 to %k step %c1 {
    %b = memref.alloc() : memref<8xindex>
    linalg.fill ins(%c1 : index) outs(%b : memref<8xindex>)
    func.call @use(%b) : (memref<8xindex>) -> ()
    linalg.fill ins(%c1 : index) outs(%a : memref<?xindex>)
    func.call @use_all(%a) : (memref<?xindex>) -> ()
  }
  return
}
