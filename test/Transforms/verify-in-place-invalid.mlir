// Plans in which an op overwrites a buffer that this or another op still reads.
// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir -split-input-file -verify-diagnostics --memplan-verify=quiet=true
// RUN: memplan-opt %t.mlir -split-input-file -verify-diagnostics --memplan-lower --memplan-verify=quiet=true

func.func @transposed(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  // expected-error @below {{shares bytes with it}}
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// %a has a later use.
func.func @read_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs'}}
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// In place in either slot: %x is in the slot of %b, or in separate bytes.
func.func @chosen(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%d : memref<16xf32>)
  %x = arith.select %c, %a, %d : memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// One of the two buffers that %x may be has the same bytes, the other one is
// shifted.
func.func @one_is_shifted(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %d = memplan.view %arena[64] align(4) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%d : memref<16xf32>)
  %x = arith.select %c, %a, %d : memref<16xf32>
  %e = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{is placed here}}
  %f = memplan.view %arena[32] align(4) : memref<128xi8> to memref<16xf32>
  %b = arith.select %c, %e, %f : memref<16xf32>
  // expected-error @below {{writes buffer at bytes [32, 96) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// At the same bytes, but each element is overwritten before it is read.
func.func @chosen_and_transposed(%c: i1, %in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  %x = arith.select %c, %a, %d : memref<4x4xf32>
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<4x4xf32>
  // expected-error @below {{shares bytes with it}}
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A declared function without the attribute must not overwrite a buffer that it
// reads.
func.func private @shuffle(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)
func.func @callee_says_nothing(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{shares bytes with it}}
  call @shuffle(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// CHANGE: A function with the attribute for its first argument must not overwrite the
// second.
//-func.func private @shuffle(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)
//-func.func @callee_says_nothing(%in: memref<16xf32>, %out: memref<16xf32>) {
//+func.func private @add(memref<16xf32> {llvm.readonly}, memref<16xf32> {llvm.readonly},
//+                       memref<16xf32> {memplan.overwrites = array<i64: 0>})
//+func.func @callee_says_another(%in: memref<16xf32>, %out: memref<16xf32>) {
//-  call @shuffle(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
//+  call @add(%in, %a, %b) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()
