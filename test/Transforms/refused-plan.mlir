// The result of a plan that the verifier does not accept. foreign.fickle
// executes one of its regions by its interface, but both after it is planned.
// RUN: split-file %s %t
// RUN: memplan-test-opt %t/two.mlir --plan-memory=require=none 2>%t/warnings | FileCheck %s --check-prefix=KEPT
// RUN: FileCheck %s --check-prefix=WARNING < %t/warnings
// RUN: memplan-test-opt %t/two.mlir --plan-memory="require=none report=json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not memplan-test-opt %t/two.mlir --plan-memory=require=verified -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t/none.mlir
// If one arena serves a call tree, the module is unchanged.
// RUN: memplan-test-opt %t/two.mlir --plan-memory="scope=module require=none" 2>%t/warnings > %t/dropped.mlir
// RUN: FileCheck %s --check-prefix=MODULE < %t/warnings
// RUN: memplan-test-opt %t/two.mlir | diff - %t/dropped.mlir

// The function is unchanged, and so is its caller, whose plan depends on it.
// The other function is planned.
// KEPT-LABEL: func.func @fickle
// KEPT-NEXT: foreign.buffer
// KEPT: foreign.buffer
// KEPT-NOT: memref.view
// KEPT-LABEL: func.func @caller
// KEPT: foreign.buffer
// KEPT-NOT: memref.view
// KEPT-LABEL: func.func @sound
// KEPT: memref.view

// WARNING: two.mlir:1:1: warning: @fickle is left unplanned: its plan failed verification:
// WARNING-NOT: warning:

// REPORT-DAG: "status": "rejected"
// REPORT-DAG: "status": "optimal"

// ERROR: two.mlir:1:1: error: @fickle is left unplanned: its plan failed verification:

// MODULE: warning: the module is left unplanned: the plan of @fickle failed verification:

//--- two.mlir
func.func @fickle(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  foreign.fickle %c {
    %b = foreign.buffer : memref<16xf32>
    foreign.apply %in to %b : memref<16xf32>, memref<16xf32>
    foreign.apply %b to %out : memref<16xf32>, memref<16xf32>
    foreign.give
  } then {
    foreign.apply %a to %out : memref<16xf32>, memref<16xf32>
    foreign.give
  }
  return
}
func.func @caller(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %a = foreign.buffer : memref<16xf32>
  call @fickle(%in, %a, %c) : (memref<16xf32>, memref<16xf32>, i1) -> ()
  foreign.apply %a to %out : memref<16xf32>, memref<16xf32>
  return
}
func.func @sound(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = foreign.buffer : memref<16xf32>
  foreign.apply %in to %a : memref<16xf32>, memref<16xf32>
  foreign.apply %a to %out : memref<16xf32>, memref<16xf32>
  return
}
