// LLVM of the system counts only for builds like its own.
// UNSUPPORTED: sanitized
// RUN: memplan-opt %s --plan-memory=prepare=false --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s
// RUN: memplan-opt %s --plan-memory=prepare=false -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty

// CHECK: Pass statistics report
// CHECK: PlanMemory
// CHECK-NEXT: (S) {{ *}}3 planned
// CHECK-NEXT: (S) {{ *}}1 unplanned
// CHECK-NEXT: (S) {{ *}}192 before
// CHECK-NEXT: (S) {{ *}}128 after
// NONE-NOT: (S)

func.func @f(%x: f32, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.copy ins(%a : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
func.func @g(%x: f32, %out: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.transpose ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) permutation = [0]
  %r = memref.alloc() : memref<16xf32>
  linalg.reduce { arith.addf } ins(%b : memref<16xf32>) outs(%r : memref<16xf32>) dimensions = []
  return %r : memref<16xf32>
}
