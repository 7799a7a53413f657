// RUN: memplan-opt %s --memplan-extract --split-input-file -verify-diagnostics
// RUN: not memplan-opt %s --memplan-extract=alignment=48 2>&1 | FileCheck %s --check-prefix=NOT-POWER
// RUN: not memplan-opt %s --memplan-extract=alignment=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not memplan-opt %s --memplan-extract=alignment=2147483648 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not memplan-opt %s --memplan-extract=capacity=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NOT-POWER: error: alignment 48 is not a power of two
// ZERO: error: alignment 0 is not a power of two
// HUGE: error: alignment 2147483648 is more than 1073741824
// NEGATIVE: '-1' is not a number of bytes, such as 4096, 64K or 1M

// A second extraction would add every problem twice. If one function has an
// error, nothing is written.
func.func @fine(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}
memplan.problem @twice align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)]
}
// expected-error@+1 {{@twice has been extracted already}}
func.func @twice(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}
