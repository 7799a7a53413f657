// A deallocation of upstream that frees nothing, and returns the ownership of
// its retained memrefs, is removed like the others.
//
// RUN: memplan-opt %s --plan-memory -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @never_used
// CHECK-NOT:     bufferization.dealloc
// CHECK:         return
func.func @never_used(%n: i64) {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  cf.br ^loop(%c0, %a, %false : i64, memref<8xi64>, i1)
^loop(%i: i64, %x: memref<8xi64>, %owned: i1):
  %b = memref.alloc() : memref<8xi64>
  %nothing = bufferization.dealloc retain (%b : memref<8xi64>)
  cf.br ^next(%b, %true : memref<8xi64>, i1)
^next(%y: memref<8xi64>, %own: i1):
  %more = arith.cmpi slt, %i, %n : i64
  %freed = bufferization.dealloc (%x : memref<8xi64>) if (%owned) retain (%y : memref<8xi64>)
  %both = arith.ori %freed, %own : i1
  %j = arith.addi %i, %c1 : i64
  cf.cond_br %more, ^loop(%j, %y, %both : i64, memref<8xi64>, i1), ^end
^end:
  return
}

// -----

// All of these share one slot of 0 bytes.
//
// CHECK-LABEL: func.func @in_turns
// CHECK-NOT:     bufferization.dealloc
// CHECK:         memplan.renew
// CHECK-NOT:     bufferization.dealloc
func.func private @use(memref<0xi64>)
func.func @in_turns(%n: i64, %c: i1) {
  %false = arith.constant false
  %true = arith.constant true
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<0xi64>
  cf.br ^loop(%c0, %a, %false : i64, memref<0xi64>, i1)
^loop(%i: i64, %x: memref<0xi64>, %owned: i1):
  %b = memref.alloc() : memref<0xi64>
  %nothing = bufferization.dealloc retain (%b : memref<0xi64>)
  cf.br ^next(%b, %true : memref<0xi64>, i1)
^next(%y: memref<0xi64>, %own: i1):
  %more = arith.cmpi slt, %i, %n : i64
  %freed = bufferization.dealloc (%x : memref<0xi64>) if (%owned) retain (%y : memref<0xi64>)
  %both = arith.ori %freed, %own : i1
  %j = arith.addi %i, %c1 : i64
  cf.cond_br %more, ^loop(%j, %y, %both : i64, memref<0xi64>, i1), ^again(%c0, %a, %false : i64, memref<0xi64>, i1)
^again(%k: i64, %u: memref<0xi64>, %owns: i1):
  %d = memref.alloc() : memref<0xi64>
  call @use(%d) : (memref<0xi64>) -> ()
  %e = memref.alloc() : memref<0xi64>
  %v = arith.select %c, %d, %e : memref<0xi64>
  %f = bufferization.dealloc (%u : memref<0xi64>) if (%owns) retain (%v : memref<0xi64>)
  %g = bufferization.dealloc (%d : memref<0xi64>) if (%true) retain (%v : memref<0xi64>)
  %h = bufferization.dealloc (%e : memref<0xi64>) if (%true) retain (%v : memref<0xi64>)
  %fg = arith.ori %f, %g : i1
  %fgh = arith.ori %fg, %h : i1
  %l = arith.addi %k, %c1 : i64
  cf.br ^again(%l, %v, %fgh : i64, memref<0xi64>, i1)
}
