// What has no greatest size is not planned with dynamic=bounded.
// RUN: memplan-opt %s --plan-memory=dynamic=bounded --remarks-filter=plan.* -o /dev/null 2>&1 | FileCheck %s
// RUN: not memplan-opt %s --plan-memory="dynamic=bounded require=planned" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REQUIRED

// CHECK: has a dynamic shape of which no greatest size is known (memplan.dim_bounds)
// REQUIRED: has a dynamic shape of which no greatest size is known
func.func @unbounded(%x: memref<?xf32> {memplan.dim_bounds = array<i64: 1, -1, 1>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}
