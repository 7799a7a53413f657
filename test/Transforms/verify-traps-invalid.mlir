// Plans that are wrong, or cannot be proven correct, each for a special reason;
// in memplan ops and lowered.
// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir --allow-unregistered-dialect --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %t.mlir --allow-unregistered-dialect --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

func.func private @g(%x: memref<16xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %x, %s : memref<16xf32> to memref<16xf32>
  memref.copy %s, %x : memref<16xf32> to memref<16xf32>
  return
}
// Passed to a callee as its arena after the release.
func.func @f(%out: memref<16xf32>, %in: memref<16xf32>) {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<64xi8>
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<64xi8>
  memplan.release %arena : memref<64xi8>
  // expected-error @below {{hands a callee memory of the arena after the arena's release}}
  call @g(%out, %s) : (memref<16xf32>, memref<64xi8>) -> ()
  return
}

// -----

// This op may leave the function.
func.func @f(%out: memref<16xf32>, %in: memref<16xf32>, %c: i1) {
  // expected-note @below {{the arena is allocated here}}
  %arena = memplan.arena align(64) : memref<64xi8>
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %s : memref<16xf32> to memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^a, ^b
^a:
  // expected-error @below {{leaves the arena without a release}}
  "foo.leave"() : () -> ()
^b:
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Each iteration but the last one leaves an arena allocated.
func.func @f(%out: memref<16xf32>, %in: memref<16xf32>, %c: i1) {
  cf.br ^head
^head:
  // expected-error @below {{leaves the arena without a release}}
  // expected-note @below {{the arena is allocated here}}
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^head, ^exit
^exit:
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @g(%x: memref<16xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %x, %s : memref<16xf32> to memref<16xf32>
  memref.copy %s, %x : memref<16xf32> to memref<16xf32>
  return
}
// The buffer has the alignment that the callee expects, its part has not.
func.func @f(%out: memref<16xf32>, %in: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %s = memplan.view %arena[0] align(64) : memref<128xi8> to memref<128xi8>
  %v = memref.view %s[%c1][] : memref<128xi8> to memref<64xi8>
  // expected-error @below {{hands the callee memory for its arena, which is not known to be aligned as it expects}}
  call @g(%out, %v) : (memref<16xf32>, memref<64xi8>) -> ()
  memplan.release %arena : memref<128xi8>
  return
}

// -----

func.func private @g(%x: memref<16xf32>, %c: i1) -> i1 {
  %r = bufferization.dealloc (%x : memref<16xf32>) if (%c) retain (%x : memref<16xf32>)
  return %r : i1
}
// Freed under a condition, and retained.
func.func @f(%in: memref<16xf32>, %c: i1) -> i1 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  %r = call @g(%a, %c) : (memref<16xf32>, i1) -> i1
  memplan.release %arena : memref<64xi8>
  return %r : i1
}

// -----

func.func private @g(%x: memref<16xf32>, %c: i1, %d: i1) {
  %false = arith.constant false
  %true = arith.constant true
  %t = memref.alloc() : memref<16xf32>
  cf.cond_br %c, ^j(%x, %false : memref<16xf32>, i1), ^k
^k:
  cf.cond_br %d, ^j(%x, %true : memref<16xf32>, i1), ^j(%t, %true : memref<16xf32>, i1)
^j(%m: memref<16xf32>, %own: i1):
  scf.if %own {
    memref.dealloc %m : memref<16xf32>
  }
  return
}
// The guard is false on one of two paths on which it is the argument.
func.func @f(%in: memref<16xf32>, %c: i1, %d: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @g(%a, %c, %d) : (memref<16xf32>, i1, i1) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @g(%x: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %true = arith.constant true
  scf.for %i = %c0 to %n step %c1 iter_args(%own = %false) -> i1 {
    scf.if %own {
      memref.dealloc %x : memref<16xf32>
    }
    scf.yield %true : i1
  }
  return
}
// The guard is that of another iteration.
func.func @f(%in: memref<16xf32>, %n: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @g(%a, %n) : (memref<16xf32>, index) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Overwritten by one name, and read by the other one.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %x = scf.if %c -> memref<16xf32> { scf.yield %a : memref<16xf32> } else { scf.yield %a : memref<16xf32> }
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %x, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Each iteration overwrites one and then the other, while the next one reads.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A task overwrites one, the function the other.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  async.await %t : !async.token
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// As many elements as the buffer has, but not all of its elements.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %r = memref.reinterpret_cast %a to offset: [0], sizes: [4, 4], strides: [1, 1] : memref<16xf32> to memref<4x4xf32, strided<[1, 1]>>
  %f = arith.constant 0.0 : f32
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  linalg.fill ins(%f : f32) outs(%r : memref<4x4xf32, strided<[1, 1]>>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// CHANGE: The overwritten buffer is read by the same op.
//-  %r = memref.reinterpret_cast %a to offset: [0], sizes: [4, 4], strides: [1, 1] : memref<16xf32> to memref<4x4xf32, strided<[1, 1]>>
//-  %f = arith.constant 0.0 : f32
//-  // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
//-  linalg.fill ins(%f : f32) outs(%r : memref<4x4xf32, strided<[1, 1]>>)
//+  %v = memref.subview %a[0] [16] [1] : memref<16xf32> to memref<16xf32, strided<[1]>>
//+  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
//+  linalg.exp ins(%v : memref<16xf32, strided<[1]>>) outs(%a : memref<16xf32>)

// -----

// The overwritten buffer is read inside the op.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %c3 = arith.constant 3 : index
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<16xf32>) {
  ^bb0(%o: f32):
    %v = memref.load %a[%c3] : memref<16xf32>
    linalg.yield %v : f32
  }
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Fourteen selects make 16384 combinations of slots. Two of the buffers that they
// choose from share bytes.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c0: i1, %c1: i1, %c2: i1, %c3: i1, %c4: i1, %c5: i1, %c6: i1, %c7: i1, %c8: i1, %c9: i1, %c10: i1, %c11: i1, %c12: i1, %c13: i1) {
  %arena = memplan.arena align(64) : memref<960xi8>
  %a0 = memplan.view %arena[0] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a0 : memref<16xf32> to memref<16xf32>
  %a1 = memplan.view %arena[64] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a1 : memref<16xf32> to memref<16xf32>
  %a2 = memplan.view %arena[128] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a2 : memref<16xf32> to memref<16xf32>
  %a3 = memplan.view %arena[192] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a3 : memref<16xf32> to memref<16xf32>
  %a4 = memplan.view %arena[256] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a4 : memref<16xf32> to memref<16xf32>
  %a5 = memplan.view %arena[320] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a5 : memref<16xf32> to memref<16xf32>
  %a6 = memplan.view %arena[384] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a6 : memref<16xf32> to memref<16xf32>
  %a7 = memplan.view %arena[448] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a7 : memref<16xf32> to memref<16xf32>
  %a8 = memplan.view %arena[512] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a8 : memref<16xf32> to memref<16xf32>
  %a9 = memplan.view %arena[576] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a9 : memref<16xf32> to memref<16xf32>
  %a10 = memplan.view %arena[640] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a10 : memref<16xf32> to memref<16xf32>
  %a11 = memplan.view %arena[704] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a11 : memref<16xf32> to memref<16xf32>
  %a12 = memplan.view %arena[768] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a12 : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [832, 896) is placed here}}
  %a13 = memplan.view %arena[832] align(64) : memref<960xi8> to memref<16xf32>
  memref.copy %in, %a13 : memref<16xf32> to memref<16xf32>
  %a14 = memplan.view %arena[848] align(16) : memref<960xi8> to memref<16xf32>
  // expected-note @below {{bytes [848, 912) are written here}}
  memref.copy %in, %a14 : memref<16xf32> to memref<16xf32>
  %s0 = arith.select %c0, %a0, %a1 : memref<16xf32>
  %s1 = arith.select %c1, %a1, %a2 : memref<16xf32>
  %s2 = arith.select %c2, %a2, %a3 : memref<16xf32>
  %s3 = arith.select %c3, %a3, %a4 : memref<16xf32>
  %s4 = arith.select %c4, %a4, %a5 : memref<16xf32>
  %s5 = arith.select %c5, %a5, %a6 : memref<16xf32>
  %s6 = arith.select %c6, %a6, %a7 : memref<16xf32>
  %s7 = arith.select %c7, %a7, %a8 : memref<16xf32>
  %s8 = arith.select %c8, %a8, %a9 : memref<16xf32>
  %s9 = arith.select %c9, %a9, %a10 : memref<16xf32>
  %s10 = arith.select %c10, %a10, %a11 : memref<16xf32>
  %s11 = arith.select %c11, %a11, %a12 : memref<16xf32>
  %s12 = arith.select %c12, %a12, %a13 : memref<16xf32>
  %s13 = arith.select %c13, %a13, %a14 : memref<16xf32>
  memref.copy %s0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s1, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s2, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s3, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s4, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s5, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s6, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s7, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s8, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s9, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s10, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s11, %out : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [832, 896) of the arena, which 'memref.copy' through the buffer at [848, 912) has overwritten}}
  memref.copy %s12, %out : memref<16xf32> to memref<16xf32>
  memref.copy %s13, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<960xi8>
  return
}

// CHANGE: The same with 16384 combinations of slots.
//-  %a0 = memplan.view %arena[0] align(64) : memref<960xi8> to memref<16xf32>
//-  memref.copy %in, %a0 : memref<16xf32> to memref<16xf32>
//-  %a1 = memplan.view %arena[64] align(64) : memref<960xi8> to memref<16xf32>
//+  // expected-note @below {{the buffer at [0, 64) is placed here}}
//+  %a0 = memplan.view %arena[0] align(64) : memref<960xi8> to memref<16xf32>
//+  %a1 = memplan.view %arena[64] align(64) : memref<960xi8> to memref<16xf32>
//-  // expected-note @below {{the buffer at [832, 896) is placed here}}
//-  %a13 = memplan.view %arena[832] align(64) : memref<960xi8> to memref<16xf32>
//+  %a13 = memplan.view %arena[832] align(64) : memref<960xi8> to memref<16xf32>
//-  %a14 = memplan.view %arena[848] align(16) : memref<960xi8> to memref<16xf32>
//-  // expected-note @below {{bytes [848, 912) are written here}}
//+  %a14 = memplan.view %arena[896] align(64) : memref<960xi8> to memref<16xf32>
//-  memref.copy %s0, %out : memref<16xf32> to memref<16xf32>
//+  memref.copy %in, %s0 : memref<16xf32> to memref<16xf32>
//-  // expected-error @below {{reads buffer at bytes [832, 896) of the arena, which 'memref.copy' through the buffer at [848, 912) has overwritten}}
//-  memref.copy %s12, %out : memref<16xf32> to memref<16xf32>
//+  memref.copy %s12, %out : memref<16xf32> to memref<16xf32>
//-  memplan.release %arena : memref<960xi8>
//+  %t = memplan.view %arena[0] align(64) : memref<960xi8> to memref<16xf32>
//+  // expected-note @below {{bytes [0, 64) are written here}}
//+  memref.copy %in, %t : memref<16xf32> to memref<16xf32>
//+  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
//+  memref.copy %a0, %out : memref<16xf32> to memref<16xf32>
//+  memplan.release %arena : memref<960xi8>

// -----

// A write by one name is a write to the buffer by all its names.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %s = scf.if %c -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  memref.copy %in, %s : memref<16xf32> to memref<16xf32>
  %t = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %in, %t : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The same with the names exchanged.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %s = scf.if %c -> memref<16xf32> {
    scf.yield %a : memref<16xf32>
  } else {
    scf.yield %b : memref<16xf32>
  }
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %t = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{bytes [64, 128) are written here}}
  memref.copy %in, %t : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'memref.copy' through the buffer at [64, 128) has overwritten}}
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The chosen buffer of the previous iteration is read after the next one has
// begun.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    // expected-note @below {{the buffer at [64, 128) is placed here}}
    %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
    // expected-note @below {{bytes [64, 128) are written here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'memref.copy' through the buffer at [64, 128) has overwritten}}
    memref.copy %x, %out : memref<16xf32> to memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  memplan.release %arena : memref<128xi8>
  return
}
