// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// Callees that free their argument under a condition that is forwarded with it.
// The verifier must determine whether the freed buffer can be the argument.

// The condition is false with the argument, initially and when it is kept; it
// is true with other buffers.
func.func private @spares(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x, %own = %false) -> (memref<16xf32>, i1) {
    %t = memref.alloc() : memref<16xf32>
    scf.if %own {
      memref.dealloc %m : memref<16xf32>
    }
    scf.yield %t, %true : memref<16xf32>, i1
  }
  bufferization.dealloc (%r#0 : memref<16xf32>) if (%r#1)
  return
}
func.func @spared(%n: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  call @spares(%a, %n) : (memref<16xf32>, index) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The condition is true with the argument from the beginning.
func.func private @owns(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x, %own = %true) -> (memref<16xf32>, i1) {
    scf.yield %m, %own : memref<16xf32>, i1
  }
  scf.if %r#1 {
    memref.dealloc %r#0 : memref<16xf32>
  }
  return
}
func.func @owned(%n: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @owns(%a, %n) : (memref<16xf32>, index) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The memrefs are exchanged, their conditions are not.
func.func private @swaps(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %t = memref.alloc() : memref<16xf32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x, %k = %t, %f = %false, %g = %true) -> (memref<16xf32>, memref<16xf32>, i1, i1) {
    scf.yield %k, %m, %f, %g : memref<16xf32>, memref<16xf32>, i1, i1
  }
  scf.if %r#3 {
    memref.dealloc %r#1 : memref<16xf32>
  }
  return
}
func.func @swapped(%n: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @swaps(%a, %n) : (memref<16xf32>, index) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The condition is false with the argument on one path, true on the other.
func.func private @meets(%x: memref<16xf32>, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^one, ^other
^one:
  cf.br ^join(%x, %false : memref<16xf32>, i1)
^other:
  cf.br ^join(%x, %true : memref<16xf32>, i1)
^join(%m: memref<16xf32>, %own: i1):
  scf.if %own {
    memref.dealloc %m : memref<16xf32>
  }
  return
}
func.func @met(%c: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @meets(%a, %c) : (memref<16xf32>, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The condition was false when the argument was chosen, in the previous
// iteration; the deallocation uses another condition.
func.func private @asks_later(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %t) -> (memref<16xf32>) {
    %c = arith.cmpi eq, %i, %c1 : index
    scf.if %c {
      memref.dealloc %m : memref<16xf32>
    }
    %s = arith.select %c, %t, %x : memref<16xf32>
    scf.yield %s : memref<16xf32>
  }
  return
}
func.func @asked_later(%n: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @asks_later(%a, %n) : (memref<16xf32>, index) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Freed where the condition is false, which is the case with the argument.
func.func private @frees_otherwise(%x: memref<16xf32>, %c: i1) {
  %t = memref.alloc() : memref<16xf32>
  %m = arith.select %c, %t, %x : memref<16xf32>
  scf.if %c {
  } else {
    memref.dealloc %m : memref<16xf32>
  }
  return
}
func.func @freed_otherwise(%c: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @frees_otherwise(%a, %c) : (memref<16xf32>, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The argument arrives on two paths; on each another condition is false, so
// their conjunction is never true with it.
func.func private @spares_each_way(%x: memref<16xf32>, %c: i1, %d: i1) {
  %t = memref.alloc() : memref<16xf32>
  %s = arith.select %c, %t, %x : memref<16xf32>
  %m = arith.select %d, %s, %x : memref<16xf32>
  %both = arith.andi %c, %d : i1
  scf.if %both {
    memref.dealloc %m : memref<16xf32>
  }
  return
}
func.func @spared_each_way(%c: i1, %d: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  call @spares_each_way(%a, %c, %d) : (memref<16xf32>, i1, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The buffer is freed if %c is true; it is the argument if %d is false.
func.func private @frees_one_way(%x: memref<16xf32>, %c: i1, %d: i1) {
  %t = memref.alloc() : memref<16xf32>
  %s = arith.select %c, %t, %x : memref<16xf32>
  %m = arith.select %d, %s, %x : memref<16xf32>
  scf.if %c {
    memref.dealloc %m : memref<16xf32>
  }
  return
}
func.func @freed_one_way(%c: i1, %d: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @frees_one_way(%a, %c, %d) : (memref<16xf32>, i1, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// %d chooses both the freed buffer and its condition, which is computed by
// logic ops.
func.func private @spares_by_choice(%x: memref<16xf32>, %c: i1, %d: i1) {
  %true = arith.constant true
  %t = memref.alloc() : memref<16xf32>
  %s = arith.select %c, %t, %x : memref<16xf32>
  %both = arith.andi %c, %d : i1
  %m:2 = scf.if %d -> (memref<16xf32>, i1) {
    scf.yield %s, %both : memref<16xf32>, i1
  } else {
    %not = arith.xori %d, %true : i1
    %nor = arith.xori %not, %true : i1
    scf.yield %x, %nor : memref<16xf32>, i1
  }
  scf.if %m#1 {
    memref.dealloc %m#0 : memref<16xf32>
  }
  return
}
func.func @spared_by_choice(%c: i1, %d: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  call @spares_by_choice(%a, %c, %d) : (memref<16xf32>, i1, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}
