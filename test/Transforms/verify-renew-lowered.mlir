// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics
// RUN: memplan-opt %s --loop-invariant-code-motion --memplan-verify=quiet -split-input-file -verify-diagnostics

// A renewal is lowered to a cast that nothing uses. It says of what the slot
// held that it is not needed any more; it is no op that must stay in place.

// Only the first iteration of the inner loop writes %v, which no analysis of
// paths sees; the slot has been taken by %b in between.
func.func @written_at_first(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  %a0 = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %a1 = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<512xi8> to memref<128xf32>
  cf.br ^head(%c0, %a0, %a1 : index, memref<64xf32>, memref<64xf32>)
^head(%i: index, %v: memref<64xf32>, %w: memref<64xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %cast = memref.cast %v {memplan.renew} : memref<64xf32> to memref<64xf32>
  scf.for %j = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %j, %c0 : index
    scf.if %first {
      linalg.fill ins(%x : f32) outs(%v : memref<64xf32>)
    }
    memref.copy %v, %out : memref<64xf32> to memref<64xf32>
  }
  linalg.fill ins(%x : f32) outs(%b : memref<128xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %w, %v : index, memref<64xf32>, memref<64xf32>)
^exit:
  memref.dealloc %arena : memref<512xi8>
  return
}

// -----

// What is written before the renewal is not read after it.
func.func @written_before(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are taken here}}
  %cast = memref.cast %a {memplan.renew} : memref<64xf32> to memref<64xf32>
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'memref.cast' through the buffer at [0, 256) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// The renewal forgives nothing that comes after it.
func.func @taken_after(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %cast = memref.cast %a {memplan.renew} : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

func.func @wrong_place(%a: memref<64xf32>) {
  // expected-error @below {{attribute 'memplan.renew' belongs on a memref.cast of a slot}}
  memref.dealloc %a {memplan.renew} : memref<64xf32>
  return
}

// -----

func.func @wrong_value(%a: memref<64xf32>) {
  // expected-error @below {{attribute 'memplan.renew' must be a unit attribute}}
  %cast = memref.cast %a {memplan.renew = 1} : memref<64xf32> to memref<64xf32>
  return
}

// -----

// On one way the buffer has begun anew and nothing is written to it.
func.func @renewed_on_one_way(%c: i1, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.if %c {
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    // expected-note @below {{bytes [0, 256) are taken here}}
    %cast = memref.cast %a {memplan.renew} : memref<64xf32> to memref<64xf32>
  }
  // expected-error @below {{reads buffer at bytes [0, 256)}}
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// It is read by an op that writes it, too.
func.func @accumulated(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are taken here}}
  %cast = memref.cast %a {memplan.renew} : memref<64xf32> to memref<64xf32>
  // expected-error @below {{reads buffer at bytes [0, 256)}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%a : memref<64xf32>) {
  ^bb0(%o: f32):
    %s = arith.addf %o, %x : f32
    linalg.yield %s : f32
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}
