// A read that was used only to decide whether to free a planned buffer is
// removed with the deallocation; an equal read that decides for another buffer
// stays. The verifier distinguishes them.
// RUN: memplan-opt %s --plan-memory="lower=false require=verified" | FileCheck %s

// CHECK-LABEL: func.func @first_goes
// CHECK: %[[V:.*]] = memref.load
// CHECK-NOT: memref.load
// CHECK: arith.trunci %[[V]]
// CHECK: arith.select
// CHECK: memref.dealloc
func.func @first_goes(%made: memref<i64>) {
  %a = memref.alloc() {alignment = 16} : memref<i64>
  %kept = memref.alloc() : memref<i64>
  %k = func.call @keep(%kept) : (memref<i64>) -> memref<i64>
  %b = memref.alloc() : memref<8xi32>
  %x = memref.load %made[] : memref<i64>
  %c = arith.trunci %x : i64 to i1
  scf.if %c {
    memref.dealloc %b : memref<8xi32>
  }
  %y = memref.load %made[] : memref<i64>
  %d = arith.trunci %y : i64 to i1
  %s = arith.select %d, %a, %k : memref<i64>
  memref.dealloc %s : memref<i64>
  return
}
func.func private @keep(memref<i64>) -> memref<i64>

// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.while
// CHECK: memref.load
// CHECK-NOT: memref.load
// CHECK: bufferization.dealloc
memref.global "private" @flag : memref<i64> = dense<41>
func.func @in_a_loop(%p: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = memref.alloc() : memref<i64>
  memref.store %p, %m[] : memref<i64>
  %r = scf.while (%i = %zero) : (i64) -> (i64) {
    %n = func.call @keep(%m) : (memref<i64>) -> memref<i64>
    %t = memref.alloc() : memref<i64>
    %g = memref.get_global @flag : memref<i64>
    %x = memref.load %g[] : memref<i64>
    %c = arith.trunci %x : i64 to i1
    scf.if %c {
      memref.dealloc %t : memref<i64>
    }
    %y = memref.load %g[] : memref<i64>
    %d = arith.trunci %y : i64 to i1
    %own = bufferization.dealloc (%n : memref<i64>) if (%d) retain (%m : memref<i64>)
    %again = arith.cmpi slt, %i, %one : i64
    scf.condition(%again) %i : i64
  } do {
  ^body(%i: i64):
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  return
}

// CHECK-LABEL: func.func @other_deallocation
// CHECK: scf.if
// CHECK: memref.dealloc %[[K:.*]] :
// CHECK: memref.dealloc %[[K]] :
// CHECK-NOT: scf.if
// CHECK: return
func.func @other_deallocation(%c: i1, %p: i64) {
  %a = memref.alloc() : memref<i64>
  %k = func.call @keep(%a) : (memref<i64>) -> memref<i64>
  %t = memref.alloc() : memref<i64>
  memref.store %p, %t[] : memref<i64>
  scf.if %c {
    memref.dealloc %t : memref<i64>
  }
  scf.if %c {
    memref.dealloc %k : memref<i64>
  } else {
    memref.dealloc %k : memref<i64>
  }
  return
}
