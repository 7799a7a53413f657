// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// A result that is certainly an argument is this argument: a write through one
// name is visible through the other.
func.func private @pass(%m: memref<16xf32>) -> memref<16xf32> {
  %n = memref.cast %m : memref<16xf32> to memref<16xf32>
  return %n : memref<16xf32>
}
func.func @one_name(%c: i1, %f: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %s = scf.if %c -> (memref<16xf32>) {
    %a_new = memplan.renew %a : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a_new : memref<16xf32>)
    scf.yield %a_new : memref<16xf32>
  } else {
    %b_new = memplan.renew %b : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%b_new : memref<16xf32>)
    scf.yield %b_new : memref<16xf32>
  }
  %p = call @pass(%s) : (memref<16xf32>) -> memref<16xf32>
  memref.store %f, %p[%i] : memref<16xf32>
  %x = memref.load %s[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %x : f32
}

// -----

// A result that may be either argument is not; here both arguments are at the
// same offset.
func.func private @pick(%m: memref<16xf32>, %n: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %s = arith.select %c, %m, %n : memref<16xf32>
  return %s : memref<16xf32>
}
func.func @another_name(%c: i1, %f: f32, %i: index) -> f32 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %p = call @pick(%a, %b, %c) : (memref<16xf32>, memref<16xf32>, i1) -> memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.store %f, %p[%i] : memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 64) has overwritten}}
  %x = memref.load %a[%i] : memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return %x : f32
}
