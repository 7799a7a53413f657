// Conditions that are forwarded with a memref tell whether it is freed. With
// memory that the function does not own they are false; if they are not, or
// this is not proven, the buffers of the deallocation are not planned.
// RUN: memplan-opt %s --memplan-extract --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics | FileCheck %s

// The condition is false with the argument and true with the allocation,
// through block arguments.
// CHECK-LABEL: memplan.problem @blocks
// CHECK-NEXT: @b0
func.func @blocks(%x: memref<16xf32>, %c: i1, %f: f32, %i: index) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^fresh, ^join(%x, %false : memref<16xf32>, i1)
^fresh:
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  cf.br ^join(%a, %true : memref<16xf32>, i1)
^join(%m: memref<16xf32>, %owned: i1):
  memref.store %f, %m[%i] : memref<16xf32>
  scf.if %owned {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

// -----

// The argument comes from the branch that is not taken when it is freed.
// CHECK-LABEL: memplan.problem @decided_by_a_branch
// CHECK-NEXT: @b0
func.func @decided_by_a_branch(%x: memref<16xf32>, %c: i1, %f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  cf.cond_br %c, ^join(%a : memref<16xf32>), ^join(%x : memref<16xf32>)
^join(%m: memref<16xf32>):
  memref.store %f, %m[%i] : memref<16xf32>
  bufferization.dealloc (%m : memref<16xf32>) if (%c)
  return
}

// -----

// The same with the deallocation in the branch for `false`.
// CHECK-LABEL: memplan.problem @freed_otherwise
// CHECK-NEXT: @b0
func.func @freed_otherwise(%x: memref<16xf32>, %c: i1, %f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %m = arith.select %c, %x, %a : memref<16xf32>
  memref.store %f, %m[%i] : memref<16xf32>
  scf.if %c {
  } else {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

// -----

// A switch and a region that is executed once.
// CHECK-LABEL: memplan.problem @cases
// CHECK-NEXT: @b0
func.func @cases(%x: memref<16xf32>, %n: index, %f: f32, %i: index) {
  %true = arith.constant true
  %false = arith.constant false
  %m:2 = scf.index_switch %n -> memref<16xf32>, i1
  case 0 {
    %e:2 = scf.execute_region -> (memref<16xf32>, i1) {
      %a = memref.alloc() : memref<16xf32>
      memref.store %f, %a[%i] : memref<16xf32>
      scf.yield %a, %true : memref<16xf32>, i1
    }
    scf.yield %e#0, %e#1 : memref<16xf32>, i1
  }
  default {
    scf.yield %x, %false : memref<16xf32>, i1
  }
  memref.store %f, %m#0[%i] : memref<16xf32>
  scf.if %m#1 {
    memref.dealloc %m#0 : memref<16xf32>
  }
  return
}

// -----

// A memref that a deallocation retained is owned if one of its memrefs was
// owned.
// CHECK-LABEL: memplan.problem @retained
// CHECK-NEXT: @b0
func.func @retained(%x: memref<16xf32>, %c: i1, %f: f32, %i: index) {
  %true = arith.constant true
  %false = arith.constant false
  %m:2 = scf.if %c -> (memref<16xf32>, i1) {
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    scf.yield %a, %true : memref<16xf32>, i1
  } else {
    scf.yield %x, %false : memref<16xf32>, i1
  }
  %owned = bufferization.dealloc (%m#0 : memref<16xf32>) if (%m#1) retain (%m#0 : memref<16xf32>)
  memref.store %f, %m#0[%i] : memref<16xf32>
  scf.if %owned {
    memref.dealloc %m#0 : memref<16xf32>
  }
  return
}

// -----

// The argument is owned as well.
func.func @owned_argument(%x: memref<16xf32>, %c: i1, %f: f32, %i: index) {
  %true = arith.constant true
  %m:2 = scf.if %c -> (memref<16xf32>, i1) {
    // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    scf.yield %a, %true : memref<16xf32>, i1
  } else {
    scf.yield %x, %true : memref<16xf32>, i1
  }
  memref.store %f, %m#0[%i] : memref<16xf32>
  scf.if %m#1 {
    memref.dealloc %m#0 : memref<16xf32>
  }
  return
}

// -----

// An unrelated condition.
func.func @another_condition(%x: memref<16xf32>, %c: i1, %d: i1, %f: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %m = arith.select %c, %a, %x : memref<16xf32>
  memref.store %f, %m[%i] : memref<16xf32>
  scf.if %d {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

// -----

// The condition has another value than when the memref was chosen: the buffer
// is that of the previous iteration.
func.func @stale_condition(%x: memref<16xf32>, %n: index, %f: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%m = %a) -> memref<16xf32> {
    %c = arith.cmpi eq, %j, %i : index
    memref.store %f, %m[%i] : memref<16xf32>
    scf.if %c {
      memref.dealloc %m : memref<16xf32>
    }
    %s = arith.select %c, %a, %x : memref<16xf32>
    scf.yield %s : memref<16xf32>
  }
  return
}

// -----

// A disjunction frees if one of two conditions is true.
func.func @either(%x: memref<16xf32>, %c: i1, %d: i1, %f: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %m = arith.select %c, %a, %x : memref<16xf32>
  memref.store %f, %m[%i] : memref<16xf32>
  %or = arith.ori %c, %d : i1
  scf.if %or {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

// -----

// The remaining deallocation frees only the argument, but gets the buffer on
// one path, which it could not distinguish.
func.func @only_the_argument(%x: memref<16xf32>, %c: i1, %f: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %m = arith.select %c, %x, %a : memref<16xf32>
  memref.store %f, %m[%i] : memref<16xf32>
  scf.if %c {
    memref.dealloc %m : memref<16xf32>
  }
  return
}

// -----

// A callee that does not free its argument. It may free its own buffers.
func.func @spares(%x: memref<16xf32>, %c: i1) {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = func.call @outside() : () -> memref<16xf32>
  %fresh = arith.select %c, %a, %b : memref<16xf32>
  %true = arith.constant true
  %false = arith.constant false
  %m:2 = scf.if %c -> (memref<16xf32>, i1) {
    scf.yield %fresh, %true : memref<16xf32>, i1
  } else {
    scf.yield %x, %false : memref<16xf32>, i1
  }
  %other = arith.select %c, %b, %a : memref<16xf32>
  memref.dealloc %other : memref<16xf32>
  scf.if %m#1 {
    memref.dealloc %m#0 : memref<16xf32>
  }
  return
}
func.func private @outside() -> memref<16xf32>

// CHECK-LABEL: memplan.problem @passed_to_one_that_spares
// CHECK-NEXT: @b0
func.func @passed_to_one_that_spares(%c: i1, %f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call @spares(%a, %c) : (memref<16xf32>, i1) -> ()
  return
}
