// Where the calls are: births before the first use, deaths behind the last one on
// each path. Each text is one constant.
// RUN: memplan-opt %s --memplan-instrument | FileCheck %s --check-prefix=UNPLANNED
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" '--memplan-instrument=uses=false' | FileCheck %s
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" --memplan-instrument | FileCheck %s --check-prefix=USES
// RUN: memplan-opt %s --plan-memory="lower=false" --memplan-instrument 2>&1 | FileCheck %s --check-prefix=UNMARKED
// RUN: not memplan-opt %s --plan-memory="lower=false" --memplan-lower=guard 2>&1 | FileCheck %s --check-prefix=NO-GUARD
// RUN: not memplan-opt %s --memplan-observe=guard=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// Without the marks, planning writes nothing else.
// RUN: memplan-opt %s --plan-memory -o %t.plain
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" --memplan-lower | diff %t.plain -

// UNMARKED: remark: its slots are not observed: memplan-observe has not run before planning
// NO-GUARD: error: its slots are not marked: memplan-observe has not run before planning
// NEGATIVE: error: guard is -1, but must be from 0 to 1048576

// UNPLANNED-COUNT-1: "f\00\000\00\00memref.alloc\00{{.*}}instrument.mlir:[[#@LINE+22]]
// UNPLANNED-LABEL: func.func @f(
// UNPLANNED: memref.alloc()
// UNPLANNED: call @memplanObserveAlloc(
// UNPLANNED: call @memplanObserveFree(
// UNPLANNED-NEXT: memref.dealloc

// CHECK-LABEL: func.func @f(
// CHECK: memplan.arena
// CHECK: call @memplanObserveAlloc(
// CHECK: call @memplanObserveBirth(
// CHECK-NEXT: linalg.exp
// CHECK: scf.if
// CHECK-NEXT: memref.copy
// CHECK: call @memplanObserveDeath(
// CHECK: } else {
// CHECK: call @memplanObserveDeath(
// USES-LABEL: func.func @f(
// USES: call @memplanObserveBirth(
// USES: call @memplanObserveUse(
// USES-NEXT: linalg.exp
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.if %c {
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  } else {
    linalg.abs ins(%in : memref<16xf32>) outs(%out : memref<16xf32>)
  }
  memref.dealloc %a : memref<16xf32>
  // CHECK: call @memplanObserveFree(
  // CHECK-NEXT: memplan.release
  return
}
