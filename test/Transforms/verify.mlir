// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics
// RUN: memplan-opt %s --canonicalize --cse --loop-invariant-code-motion --memplan-verify=quiet -split-input-file -verify-diagnostics

// Correct plans, directly, lowered, and after other passes: none of them is
// reported.

func.func private @init(memref<64xf32>)

// Between two buffers at one offset the bytes belong to %b.
func.func @hole(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %c = memplan.renew %a : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%c : memref<64xf32>)
  memref.copy %c, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// Reading bytes that were never written gives undefined values, as before
// planning.
func.func @read_before_write(%out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// Each branch yields its buffer from the same bytes; the result is read, in
// every iteration.
func.func @exclusive_branches_yield(%n: index, %c: i1, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %c -> memref<64xf32> {
      %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
      linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
      scf.yield %a : memref<64xf32>
    } else {
      %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
      linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
      scf.yield %b : memref<64xf32>
    }
    memref.copy %r, %out : memref<64xf32> to memref<64xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// Without an else, the buffer may or may not have been live; it is not read
// after %b overwrites it, and ending it may do nothing.
func.func @maybe_live(%c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  scf.if %c {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// Two buffers alternate.
func.func @double_buffered(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<512xi8>
  %a = memplan.view %arena[0] align(64) : memref<512xi8> to memref<64xf32>
  %b = memplan.view %arena[256] align(64) : memref<512xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    linalg.exp ins(%p : memref<64xf32>) outs(%q : memref<64xf32>)
    scf.yield %q, %p : memref<64xf32>, memref<64xf32>
  }
  memref.copy %r#0, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<512xi8>
  return
}

func.func @while_loop(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memplan.arena align(64) : memref<512xi8>
  %a = memplan.view %arena[0] align(64) : memref<512xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.while : () -> () {
    %b = memplan.view %arena[256] align(64) : memref<512xi8> to memref<i1>
    %v = memref.load %a[%c0] : memref<64xf32>
    %c = arith.cmpf olt, %v, %x : f32
    memref.store %c, %b[] : memref<i1>
    %d = memref.load %b[] : memref<i1>
    scf.condition(%d)
  } do {
    %b = memplan.view %arena[256] align(64) : memref<512xi8> to memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    memref.copy %b, %a : memref<64xf32> to memref<64xf32>
    scf.yield
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<512xi8>
  return
}

func.func @other_structures(%i: index, %c: i1, %x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.index_switch %i
  case 0 {
    %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    memref.copy %out, %a : memref<64xf32> to memref<64xf32>
    scf.yield
  }
  default {
    %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<8xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  }
  scf.execute_region {
    %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    cf.cond_br %c, ^one, ^two
  ^one:
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    cf.br ^two
  ^two:
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    scf.yield
  }
  affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
    affine.for %k = 0 to 4 {
      %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<8xf32>
      affine.store %x, %a[%k] : memref<8xf32>
    }
  }
  memref.alloca_scope {
    %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    memref.copy %out, %a : memref<64xf32> to memref<64xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// Several exits, and one that is never reached.
func.func @exits(%c: i1, %d: i1) {
  %arena = memplan.arena align(64) : memref<256xi8>
  cf.cond_br %c, ^one, ^rest
^rest:
  cf.cond_br %d, ^two, ^three
^one:
  memplan.release %arena : memref<256xi8>
  return
^two:
  memplan.release %arena : memref<256xi8>
  return
^three:
  ub.unreachable
}

// The shape of a buffer may be read at any time.
func.func @queries() -> (index, index) {
  %c0 = arith.constant 0 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  %dim = memref.dim %a, %c0 : memref<64xf32>
  %rank = memref.rank %a : memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return %dim, %rank : index, index
}

// Buffers without bytes overlap nothing, wherever they are.
func.func @no_bytes(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  %z = memplan.view %arena[128] align(64) : memref<256xi8> to memref<0xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%z : memref<0xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// An arena of the iteration may be used in a parallel region.
func.func @arena_per_iteration(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %arena = memplan.arena align(64) : memref<256xi8>
    %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    memref.store %x, %a[%i] : memref<64xf32>
    memplan.release %arena : memref<256xi8>
    scf.reduce
  }
  return
}

func.func private @callee(%x: f32, %out: memref<64xf32>, %arena: memref<256xi8> {memplan.arena = 64 : i64}) {
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  return
}

// The arena of the callee is in that of the caller; its contents are dead after
// the call.
func.func @caller(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<512xi8>
  %frame = memplan.view %arena[256] align(64) : memref<512xi8> to memref<256xi8>
  call @callee(%x, %out, %frame) : (f32, memref<64xf32>, memref<256xi8>) -> ()
  call @callee(%x, %out, %frame) : (f32, memref<64xf32>, memref<256xi8>) -> ()
  memplan.release %arena : memref<512xi8>
  return
}

// Buffers that are retained when others are freed are only compared, and a
// buffer with a condition that is false is not freed.
func.func @retained(%own: memref<64xf32>, %c: i1) -> i1 {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  %d = bufferization.dealloc (%own : memref<64xf32>) if (%c) retain (%a : memref<64xf32>)
  %false = arith.constant false
  bufferization.dealloc (%a : memref<64xf32>) if (%false)
  memplan.release %arena : memref<256xi8>
  return %d : i1
}

// A buffer that is overwritten as a whole need not have had contents.
func.func @overwritten_in_each_iteration(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  }
  memplan.release %arena : memref<256xi8>
  return
}

// Without a plan there is nothing to verify.
func.func @unplanned(%x: f32) -> memref<64xf32> {
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  return %a : memref<64xf32>
}

func.func @empty() {
  return
}

// Ops in a loop without iterations read nothing.
func.func @never_entered(%x: f32, %out: memref<64xf32>) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  affine.for %i = 0 to 0 {
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  }
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  memplan.release %arena : memref<256xi8>
  return
}
