// RUN: memplan-opt %s --plan-memory="strategy=best-fit lower=false" | FileCheck %s
// RUN: memplan-opt %s --plan-memory=strategy=best-fit -o %t.first.mlir
// RUN: memplan-opt %t.first.mlir --plan-memory=strategy=best-fit -o %t.second.mlir
// RUN: memplan-opt %t.first.mlir | diff - %t.second.mlir
// RUN: memplan-opt %s --plan-memory="strategy=best-fit scope=module entry-points=main lower=false" | FileCheck %s --check-prefix=MODULE

// In this form the callee may free its argument, as the tables of pointers of
// its lowered deallocation are opaque. Its plan removes the deallocation, so
// its callers are planned in the same run: the caller before the callee in the
// text, and the callers of callers.

// CHECK-LABEL: func.func @main
// CHECK:         memplan.arena
// CHECK-NOT:     memref.alloc
// MODULE-LABEL: func.func @main
// MODULE:         memplan.arena
// MODULE-NOT:     memref.alloc
func.func @main() -> i64 {
  %a = memref.alloc() : memref<8xi64>
  %c = arith.constant true
  %r = call @between(%a, %c) : (memref<8xi64>, i1) -> i64
  memref.dealloc %a : memref<8xi64>
  return %r : i64
}

// CHECK-LABEL: func.func private @between
// CHECK:         memplan.arena
func.func private @between(%a: memref<8xi64>, %c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %b = memref.alloc() : memref<8xi64>
  %seven = arith.constant 7 : i64
  memref.store %seven, %b[%c0] : memref<8xi64>
  %r = call @callee(%a, %c) : (memref<8xi64>, i1) -> i64
  %s = call @callee(%b, %c) : (memref<8xi64>, i1) -> i64
  %t = arith.addi %r, %s : i64
  memref.dealloc %b : memref<8xi64>
  return %t : i64
}

// CHECK-LABEL: func.func private @callee
// CHECK:         memplan.arena
// CHECK-NOT:     bufferization.dealloc
func.func private @callee(%a: memref<8xi64>, %c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %five = arith.constant 5 : i64
  %b = memref.alloc() : memref<8xi64>
  memref.store %five, %b[%c0] : memref<8xi64>
  %x:2 = scf.if %c -> (memref<8xi64>, i1) {
    %f = memref.alloc() : memref<8xi64>
    memref.store %five, %f[%c0] : memref<8xi64>
    scf.yield %f, %true : memref<8xi64>, i1
  } else {
    scf.yield %a, %false : memref<8xi64>, i1
  }
  %v = memref.load %x#0[%c0] : memref<8xi64>
  %w = memref.load %b[%c0] : memref<8xi64>
  %r = arith.addi %v, %w : i64
  bufferization.dealloc (%b, %x#0 : memref<8xi64>, memref<8xi64>)
      if (%true, %x#1)
  return %r : i64
}
