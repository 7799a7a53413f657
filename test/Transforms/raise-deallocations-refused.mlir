// The verifier reads blocks in the order of the text. Where a block uses a value of a
// later one it finds no proof, and the function stays as it was.
// RUN: memplan-opt %s --memplan-raise-deallocations -verify-diagnostics | FileCheck %s
// RUN: not memplan-opt %s --plan-memory=require=verified 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: the deallocations of @later are not raised: the change failed verification: has another operand

// CHECK-LABEL: func.func @later(
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc
// expected-warning @below {{the deallocations of @later are not raised: the change failed verification: has another operand}}
func.func @later(%a: memref<8xi64>, %r: memref<8xi64>, %c: i1, %i: index) -> i64 {
  cf.br ^first
^second:
  // expected-note @below {{has another operand}}
  return %v : i64
^first:
  %v = memref.load %a[%i] : memref<8xi64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %q = memref.extract_aligned_pointer_as_index %r : memref<8xi64> -> index
  %differs = arith.cmpi ne, %p, %q : index
  %free = arith.andi %differs, %c : i1
  scf.if %free {
    memref.dealloc %a : memref<8xi64>
  }
  cf.br ^second
}

// The others are raised.
// CHECK-LABEL: func.func @other(
// CHECK: bufferization.dealloc
func.func @other(%a: memref<8xi64>, %r: memref<8xi64>, %c: i1) {
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xi64> -> index
  %q = memref.extract_aligned_pointer_as_index %r : memref<8xi64> -> index
  %differs = arith.cmpi ne, %p, %q : index
  %free = arith.andi %differs, %c : i1
  scf.if %free {
    memref.dealloc %a : memref<8xi64>
  }
  return
}
