// A problem records the options of memplan-extract that are not the default,
// and memplan-materialize derives it again with these.

// RUN: split-file %s %t
// RUN: memplan-opt %t/all.mlir --memplan-extract="alignment=16 callee-trust=none dynamic=bounded in-place=false results=lend workers=4 capacity=4096" | FileCheck %t/all.mlir
// RUN: memplan-opt %t/all.mlir --memplan-extract | FileCheck %t/all.mlir --check-prefix=DEFAULT
// RUN: memplan-opt %t/f.mlir --memplan-extract="callee-trust=none in-place=false" --memplan-solve -o %t/none.mlir
// RUN: memplan-opt %t/none.mlir --memplan-materialize --memplan-lower -o %t/none-planned.mlir
// RUN: memplan-opt %t/f.mlir --plan-memory="callee-trust=none in-place=false" | diff - %t/none-planned.mlir

// A problem with options that others were meant for is refused.
// RUN: sed "s/trust_callees = false/trust_callees = true/" %t/none.mlir | not memplan-opt --memplan-materialize 2>&1 | FileCheck %t/f.mlir --check-prefix=MORE
// RUN: memplan-opt %t/f.mlir --memplan-extract --memplan-solve -o %t/boundary.mlir
// RUN: sed "s/attributes {/attributes {options = {trust_callees = false}, /" %t/boundary.mlir | not memplan-opt --memplan-materialize 2>&1 | FileCheck %t/f.mlir --check-prefix=FEWER
// RUN: memplan-opt %t/invalid.mlir --memplan-materialize --split-input-file --verify-diagnostics

//--- all.mlir

// CHECK: memplan.problem @all align(16) capacity(4096)
// CHECK-SAME: attributes {options = {alignment = 16 : i64, at_greatest_sizes = true, in_place = false, iteration_arenas = false, lend_results = true, trust_callees = false, workers = 4 : i64}} {
// DEFAULT: memplan.problem @all align(64) {
func.func @all(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

//--- f.mlir

// FEWER: error: is stale: it states 2 buffers but @f has 1 to plan: the program has changed, or the options of the problem
// MORE: error: has no buffer in the problem of @f: the program has changed, or the options of the problem
func.func private @outside(memref<16xf32>)
func.func @f(%in: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  call @outside(%b) : (memref<16xf32>) -> ()
  return
}

//--- invalid.mlir

// expected-error@+1 {{has the option "in-place", which memplan-extract does not write}}
memplan.problem @unknown attributes {options = {"in-place" = true, workers = 2 : i64}} {
}
func.func @unknown() {
  return
}

// -----

// expected-error@+1 {{has a wrong option workers: expected IntegerAttr for key `value`}}
memplan.problem @other_type attributes {options = {workers = "two"}} {
}
func.func @other_type() {
  return
}

// -----

// expected-error@+1 {{alignment 48 is not a power of two}}
memplan.problem @alignment attributes {options = {alignment = 48 : i64}} {
}
func.func @alignment() {
  return
}

// -----

// expected-note@+1 {{that problem is here}}
memplan.problem @first attributes {options = {workers = 2 : i64}} {
}
func.func @first() {
  return
}
// expected-error@+1 {{has other options than the problem of @first, but one memplan-extract states all problems of a module}}
memplan.problem @second {
}
func.func @second() {
  return
}

// -----

// Fewer workers than the loop has iterations.
// expected-error@+1 {{is stale: it is of parallel loop 0 of @loop, which has no frames: the program has changed, or the options of the problem}}
memplan.problem @loop loop(0) align(64) attributes {options = {iteration_arenas = false, workers = 1 : i64}} {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
func.func @loop(%f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
  }
  return
}
