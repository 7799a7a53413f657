// Wrong plans in which buffers may be in their slots in very many combinations.
// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %t.mlir --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// A further buffer, which may be one of them, shares bytes with two others.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1, %lo: index, %hi: index, %step: index) {
  %arena = memplan.arena align(64) : memref<384xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a0 = memplan.view %arena[0] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a0 : memref<16xf32> to memref<16xf32>
  %a1 = memplan.view %arena[64] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a1 : memref<16xf32> to memref<16xf32>
  %a2 = memplan.view %arena[128] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a2 : memref<16xf32> to memref<16xf32>
  %a3 = memplan.view %arena[192] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a3 : memref<16xf32> to memref<16xf32>
  %a4 = memplan.view %arena[256] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a4 : memref<16xf32> to memref<16xf32>
  %a5 = memplan.view %arena[320] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a5 : memref<16xf32> to memref<16xf32>
  %r:6 = scf.for %i = %lo to %hi step %step iter_args(%x0 = %a0, %x1 = %a1, %x2 = %a2, %x3 = %a3, %x4 = %a4, %x5 = %a5) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %y:6 = scf.if %c -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
      scf.yield %x1, %x2, %x3, %x4, %x5, %x0 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
    } else {
      scf.yield %x1, %x0, %x2, %x3, %x4, %x5 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
    }
    scf.yield %y#0, %y#1, %y#2, %y#3, %y#4, %y#5 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  %b = memplan.view %arena[32] align(32) : memref<384xi8> to memref<16xf32>
  // expected-note @below {{bytes [32, 96) are written here}}
  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
  %s = arith.select %c, %b, %a5 : memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [32, 96) has overwritten}}
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<384xi8>
  return
}

// CHANGE: One op reads one of them and writes another, at partly the same bytes.
//-  %b = memplan.view %arena[32] align(32) : memref<384xi8> to memref<16xf32>
//-  // expected-note @below {{bytes [32, 96) are written here}}
//-  memref.copy %in, %b : memref<16xf32> to memref<16xf32>
//+  // expected-note @below {{the buffer at [32, 96) is placed here}}
//+  %b = memplan.view %arena[32] align(32) : memref<384xi8> to memref<16xf32>
//+  // expected-error @below {{writes buffer at bytes [32, 96) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//+  memref.copy %r#0, %b : memref<16xf32> to memref<16xf32>
//-  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [32, 96) has overwritten}}
//-  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
//+  memref.copy %b, %out : memref<16xf32> to memref<16xf32>

// CHANGE: Another buffer begins in the bytes of one of them, which is still live.
//-  %b = memplan.view %arena[32] align(32) : memref<384xi8> to memref<16xf32>
//-  // expected-note @below {{bytes [32, 96) are written here}}
//+  %b = memplan.view %arena[0] align(64) : memref<384xi8> to memref<16xf32>
//+  // expected-note @below {{bytes [0, 64) are written here}}
//-  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [32, 96) has overwritten}}
//+  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}

// -----

// It begins again in each iteration, while the last one is still live.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1, %lo: index, %hi: index, %step: index) {
  %arena = memplan.arena align(64) : memref<384xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a0 = memplan.view %arena[0] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a0 : memref<16xf32> to memref<16xf32>
  %a1 = memplan.view %arena[64] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a1 : memref<16xf32> to memref<16xf32>
  %a2 = memplan.view %arena[128] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a2 : memref<16xf32> to memref<16xf32>
  %a3 = memplan.view %arena[192] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a3 : memref<16xf32> to memref<16xf32>
  %a4 = memplan.view %arena[256] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a4 : memref<16xf32> to memref<16xf32>
  %a5 = memplan.view %arena[320] align(64) : memref<384xi8> to memref<16xf32>
  memref.copy %in, %a5 : memref<16xf32> to memref<16xf32>
  %r:6 = scf.for %i = %lo to %hi step %step iter_args(%x0 = %a0, %x1 = %a1, %x2 = %a2, %x3 = %a3, %x4 = %a4, %x5 = %a5) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %b = memplan.view %arena[0] align(64) : memref<384xi8> to memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    memref.copy %in, %b : memref<16xf32> to memref<16xf32>
    %y:6 = scf.if %c -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
      scf.yield %x1, %x2, %x3, %x4, %x5, %x0 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
    } else {
      scf.yield %x1, %b, %x2, %x3, %x4, %x5 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
    }
    scf.yield %y#0, %y#1, %y#2, %y#3, %y#4, %y#5 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#2, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#3, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#4, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#5, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<384xi8>
  return
}
