// Loops that carry memory that is not planned, run with a heap that records
// allocations and frees: each function's peak is that of its profile. The first
// buffer belongs to the caller.
// REQUIRES: opgraph
// RUN: %python %memplan_src/test/tools/check_carried.py %s | FileCheck %s
// CHECK: carried: 800
// CHECK-NEXT: freed_first: 400
// CHECK-NEXT: from_callee: 800
// CHECK-NEXT: blocks: 800
// CHECK-NEXT: own_init: 800
// CHECK-NEXT: two: 1200

// The old buffer and the new one are live at once: 2 x 400.
func.func @carried(%n: index, %x: memref<?xf32>, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%old = %x) -> memref<?xf32> {
    %new = memref.alloc(%n) : memref<?xf32>
    memref.copy %old, %new : memref<?xf32> to memref<?xf32>
    memref.dealloc %old : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// The old buffer is freed before the new one is made.
func.func @freed_first(%n: index, %x: memref<?xf32>, %k: index) -> memref<?xf32> {
  %f = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%old = %x) -> memref<?xf32> {
    memref.dealloc %old : memref<?xf32>
    %new = memref.alloc(%n) : memref<?xf32>
    memref.store %f, %new[%c0] : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// The first buffer is allocated here, and counts until it may be freed: there
// is no third.
func.func @own_init(%n: index, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%old = %x) -> memref<?xf32> {
    %new = memref.alloc(%n) : memref<?xf32>
    memref.copy %old, %new : memref<?xf32> to memref<?xf32>
    memref.dealloc %old : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  return %r : memref<?xf32>
}

func.func private @make(%n: index) -> memref<?xf32> {
  %new = memref.alloc(%n) : memref<?xf32>
  return %new : memref<?xf32>
}

// A callee makes the buffers.
func.func @from_callee(%n: index, %x: memref<?xf32>, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%old = %x) -> memref<?xf32> {
    %new = func.call @make(%n) : (index) -> memref<?xf32>
    memref.copy %old, %new : memref<?xf32> to memref<?xf32>
    memref.dealloc %old : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// The loop is a graph of blocks.
func.func @blocks(%n: index, %x: memref<?xf32>, %k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%x, %c0 : memref<?xf32>, index)
^loop(%old: memref<?xf32>, %i: index):
  %new = memref.alloc(%n) : memref<?xf32>
  memref.copy %old, %new : memref<?xf32> to memref<?xf32>
  memref.dealloc %old : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %j, %k : index
  cf.cond_br %c, ^loop(%new, %j : memref<?xf32>, index), ^exit
^exit:
  return %new : memref<?xf32>
}

// Two buffers are carried and exchanged: three are live.
func.func @two(%n: index, %x: memref<?xf32>, %y: memref<?xf32>, %k: index) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x, %b = %y) -> (memref<?xf32>, memref<?xf32>) {
    %new = memref.alloc(%n) : memref<?xf32>
    memref.copy %a, %new : memref<?xf32> to memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    scf.yield %b, %new : memref<?xf32>, memref<?xf32>
  }
  return %r#0, %r#1 : memref<?xf32>, memref<?xf32>
}

func.func private @meter_begin()
func.func private @meter_end()
func.func @run_carried() {
  %n = arith.constant 100 : index
  %k = arith.constant 5 : index
  %x = memref.alloc(%n) : memref<?xf32>
  call @meter_begin() : () -> ()
  %r = call @carried(%n, %x, %k) : (index, memref<?xf32>, index) -> memref<?xf32>
  call @meter_end() : () -> ()
  memref.dealloc %r : memref<?xf32>
  return
}
func.func @run_freed_first() {
  %n = arith.constant 100 : index
  %k = arith.constant 5 : index
  %x = memref.alloc(%n) : memref<?xf32>
  call @meter_begin() : () -> ()
  %r = call @freed_first(%n, %x, %k) : (index, memref<?xf32>, index) -> memref<?xf32>
  call @meter_end() : () -> ()
  memref.dealloc %r : memref<?xf32>
  return
}
func.func @run_from_callee() {
  %n = arith.constant 100 : index
  %k = arith.constant 5 : index
  %x = memref.alloc(%n) : memref<?xf32>
  call @meter_begin() : () -> ()
  %r = call @from_callee(%n, %x, %k) : (index, memref<?xf32>, index) -> memref<?xf32>
  call @meter_end() : () -> ()
  memref.dealloc %r : memref<?xf32>
  return
}
func.func @run_blocks() {
  %n = arith.constant 100 : index
  %k = arith.constant 5 : index
  %x = memref.alloc(%n) : memref<?xf32>
  call @meter_begin() : () -> ()
  %r = call @blocks(%n, %x, %k) : (index, memref<?xf32>, index) -> memref<?xf32>
  call @meter_end() : () -> ()
  memref.dealloc %r : memref<?xf32>
  return
}
func.func @run_own_init() {
  %n = arith.constant 100 : index
  %k = arith.constant 5 : index
  call @meter_begin() : () -> ()
  %r = call @own_init(%n, %k) : (index, index) -> memref<?xf32>
  call @meter_end() : () -> ()
  memref.dealloc %r : memref<?xf32>
  return
}
func.func @run_two() {
  %n = arith.constant 100 : index
  %k = arith.constant 5 : index
  %x = memref.alloc(%n) : memref<?xf32>
  %y = memref.alloc(%n) : memref<?xf32>
  call @meter_begin() : () -> ()
  %r:2 = call @two(%n, %x, %y, %k) : (index, memref<?xf32>, memref<?xf32>, index) -> (memref<?xf32>, memref<?xf32>)
  call @meter_end() : () -> ()
  memref.dealloc %r#0 : memref<?xf32>
  memref.dealloc %r#1 : memref<?xf32>
  return
}
