// A pipeline may plan after it has converted arith. Constants are read in this
// form, and new ones are not made in another form, which no pass would lower.
//
// RUN: memplan-opt %s --convert-arith-to-llvm \
// RUN:   --plan-memory --memplan-lower \
// RUN:   | FileCheck %s
//
// RUN: memplan-opt %s --convert-scf-to-cf --convert-arith-to-llvm \
// RUN:   --plan-memory --memplan-lower \
// RUN:   --bufferization-lower-deallocations --convert-cf-to-llvm \
// RUN:   --memplan-alias-scopes --finalize-memref-to-llvm --convert-func-to-llvm \
// RUN:   --reconcile-unrealized-casts \
// RUN:   | FileCheck %s --check-prefix=LLVM --implicit-check-not=unrealized
// LLVM: llvm.func @in_place

// CHECK-NOT:   arith.

// The bounds are constants.
//
// CHECK-LABEL: func @in_place
// CHECK-DAG:     %[[ZERO:.*]] = llvm.mlir.constant(0 : i64) : i64
// CHECK-DAG:     %[[SHIFT:.*]] = builtin.unrealized_conversion_cast %[[ZERO]] : i64 to index
// CHECK-DAG:     memref.alloc() {{.*}}memplan.arena{{.*}} : memref<384xi8>
// CHECK:         memref.view {{.*}}[%[[SHIFT]]]
// CHECK-NOT:     arith.
// CHECK:         return
func.func @in_place(%x: memref<32xf32>, %y: memref<32xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf64>
  memref.copy %x, %a : memref<32xf32> to memref<32xf32>
  scf.for %i = %c0 to %c32 step %c1 {
    %v = memref.load %a[%i] : memref<32xf32>
    %w = arith.extf %v : f32 to f64
    memref.store %w, %b[%i] : memref<32xf64>
  }
  memref.copy %b, %y : memref<32xf64> to memref<32xf64>
  memref.dealloc %a : memref<32xf32>
  memref.dealloc %b : memref<32xf64>
  return
}

// The remaining part of a conditional deallocation after others were removed.
//
// CHECK-LABEL: func @condition
// CHECK-NOT:     arith.
// CHECK:         return
func.func @condition(%x: memref<64xf32>, %owned: i1) -> i1 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<64xf32>
  memref.copy %x, %a : memref<64xf32> to memref<64xf32>
  memref.copy %a, %x : memref<64xf32> to memref<64xf32>
  %v = memref.load %x[%c0] : memref<64xf32>
  memref.store %v, %x[%c0] : memref<64xf32>
  %true = arith.constant true
  %r = bufferization.dealloc (%a : memref<64xf32>) if (%true) retain (%x : memref<64xf32>)
  return %r : i1
}
