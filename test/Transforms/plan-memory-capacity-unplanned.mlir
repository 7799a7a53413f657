// The capacity includes buffers that are not planned and applies to programs
// that are already planned; require=planned allows no such buffer.
// RUN: split-file %s %t
// RUN: memplan-opt %t/returned.mlir --plan-memory="capacity=192 in-place=false" -o %t/planned.mlir
// RUN: not memplan-opt %t/returned.mlir --plan-memory="capacity=191 in-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=RETURNED
// scope=module is suggested if it was tried and fits.
// RUN: not memplan-opt %t/private.mlir --plan-memory="capacity=128 in-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRIVATE
// RUN: memplan-opt %t/private.mlir --plan-memory="capacity=128 scope=module in-place=false" -o /dev/null
// RUN: not memplan-opt %t/private.mlir --plan-memory="capacity=127 in-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOWAY --implicit-check-not='it fits'
// The two sizes that are needed to plan a planned program.
// RUN: memplan-opt %t/planned.mlir --plan-memory="capacity=192 in-place=false" -o /dev/null
// RUN: not memplan-opt %t/planned.mlir --plan-memory="capacity=191 in-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=AGAIN
// An unknown size counts as 0, and the report mentions it.
// RUN: memplan-opt %t/dynamic.mlir --plan-memory="capacity=64 report=text in-place=false" -o /dev/null 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not memplan-opt %t/dynamic.mlir --plan-memory="require=planned in-place=false" -o %t/none.mlir 2>&1 | FileCheck %s --check-prefix=REQUIRED
// RUN: not ls %t/none.mlir
// RUN: memplan-opt %t/aligned.mlir --plan-memory="capacity=99 in-place=false" -o /dev/null -verify-diagnostics
// RUN: memplan-opt %t/aligned.mlir --plan-memory="capacity=99 alignment=8 in-place=false" -o /dev/null

// RETURNED: error: arena of @f in memory space 0 requires at least 128 bytes, with 64 more that are not planned, but its capacity is 191, 1 too few
// RETURNED: note: b0, 64 bytes, is live at the peak of 128 bytes
// RETURNED: note: b2, 64 bytes, counts although it is not planned: it is returned
// RETURNED: note: it fits with results=out-params, without the 64 bytes that are returned
// PRIVATE: error: arena of @f in memory space 0 requires at least 64 bytes, with 128 more that are not planned, but its capacity is 128, 64 too few
// PRIVATE: note: b1, 64 bytes, counts although it is not planned: it is returned
// PRIVATE: note: b2, 64 bytes, counts although it is not planned: it is returned
// PRIVATE: note: it fits with scope=module, without the 128 bytes that are returned, which its callers then plan
// NOWAY: error: arena of @f
// AGAIN: error: @f is planned already, and its arena in memory space 0 has 128 bytes, with 64 more that are not planned, but the capacity is 191, 1 too few
// DYNAMIC: capacity   64 bytes, 0 left; says nothing of 1 buffer of unknown size
// REQUIRED: error: b1 is not planned: it has a dynamic shape

//--- returned.mlir
func.func @f(%f: f32, %i: index) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %b, %c : memref<16xf32> to memref<16xf32>
  return %c : memref<16xf32>
}

//--- private.mlir
// One of two buffers is returned, so the caller needs only one.
func.func private @f(%f: f32, %i: index, %c: i1) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %r = scf.if %c -> memref<16xf32> {
    %x = memref.alloc() : memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    scf.yield %x : memref<16xf32>
  } else {
    %y = memref.alloc() : memref<16xf32>
    memref.copy %a, %y : memref<16xf32> to memref<16xf32>
    scf.yield %y : memref<16xf32>
  }
  memref.dealloc %a : memref<16xf32>
  return %r : memref<16xf32>
}
func.func @main(%f: f32, %i: index, %c: i1) -> f32 {
  %r = func.call @f(%f, %i, %c) : (f32, index, i1) -> memref<16xf32>
  %v = memref.load %r[%i] : memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return %v : f32
}

//--- dynamic.mlir
func.func @f(%f: f32, %i: index, %sizes: memref<index>) {
  %n = memref.load %sizes[] : memref<index>
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %b[%i] : memref<?xf32>
  return
}

//--- aligned.mlir
// expected-error@+2 {{arena of @f in memory space 0 requires at least 100 bytes but its capacity is 99, 1 too few}}
// expected-note@+1 {{it fits with alignment=8}}
func.func @f(%f: f32, %i: index) {
  // expected-note@+1 {{b0, 52 bytes, is live at the peak of 88 bytes}}
  %a = memref.alloc() : memref<13xf32>
  // expected-note@+1 {{b1, 36 bytes, is live at the peak of 88 bytes}}
  %b = memref.alloc() : memref<9xf32>
  memref.store %f, %a[%i] : memref<13xf32>
  memref.copy %b, %b : memref<9xf32> to memref<9xf32>
  memref.store %f, %a[%i] : memref<13xf32>
  return
}
