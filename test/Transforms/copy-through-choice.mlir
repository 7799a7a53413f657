// RUN: memplan-opt %s --plan-memory="require=verified prepare=false" | FileCheck %s

// Lowering keeps the copy of a buffer to itself through a choice, and the check of
// the lowered form expects it.
// CHECK-LABEL: func.func @copy_to_itself(
// CHECK:         %[[A:.*]] = memref.view
// CHECK:         %[[B:.*]] = arith.select %{{.*}}, %[[A]], %[[A]]
// CHECK:         memref.copy %[[B]], %[[A]]
func.func @copy_to_itself(%c: i1, %k: i64, %x: memref<24xi64>) {
  %a = memref.alloc() : memref<24xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<24xi64>)
  %b = arith.select %c, %a, %a : memref<24xi64>
  memref.copy %b, %a : memref<24xi64> to memref<24xi64>
  memref.copy %a, %x : memref<24xi64> to memref<24xi64>
  return
}
