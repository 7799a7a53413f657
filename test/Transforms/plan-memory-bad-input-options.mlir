// Options that make no sense are refused with a message, before anything changes.

// RUN: not memplan-opt --plan-memory=strategy=quick %s 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not memplan-opt --plan-memory=alignment=48 %s 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not memplan-opt --plan-memory=alignment=0 %s 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not memplan-opt --plan-memory=alignment=-64 %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not memplan-opt --plan-memory=alignment=4611686018427387904 %s 2>&1 | FileCheck %s --check-prefix=HUGE
// RUN: not memplan-opt --plan-memory=alignment=abc %s 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not memplan-opt --plan-memory=capacity=-1 %s 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not memplan-opt --plan-memory=frob=1 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memplan-opt --memplan-extract=alignment=3 %s 2>&1 | FileCheck %s --check-prefix=EXTRACT
// RUN: not memplan-opt --plan-memory=entry-points=f %s 2>&1 | FileCheck %s --check-prefix=ENTRY

// STRATEGY: Cannot find option named 'quick'
// POWER: error: alignment 48 is not a power of two
// ZERO: error: alignment 0 is not a power of two
// NEGATIVE: error: alignment -64 is not a power of two
// HUGE: error: alignment 4611686018427387904 is more than
// NUMBER: 'abc' value invalid
// CAPACITY: error: capacity -1 is negative
// UNKNOWN: no such option frob
// ENTRY: error: entry-points means nothing without scope=module
// EXTRACT: error: alignment 3 is not a power of two

func.func @f() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<64xf32>)
  return
}
