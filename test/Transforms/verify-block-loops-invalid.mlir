// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Loops of blocks are not followed element by element: bytes that another buffer
// has overwritten stay so, whatever the loop writes.

// The loop writes all elements.
func.func @all_of_it(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// The loop overwrites again the bytes that it has written.
func.func @taken_back(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'memref.store' through the buffer at [0, 256) has overwritten}}
  memref.store %x, %a[%i] : memref<64xf32>
  // expected-note @below {{bytes [0, 256) are written here}}
  memref.store %x, %b[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// On one path from the store to the load the same element is overwritten.
func.func @taken_on_one_way(%c: i1, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 0.0 : f32
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  cf.br ^header(%c0, %f : index, f32)
^header(%i: index, %sum: f32):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  cf.cond_br %c, ^take, ^read
^take:
  // expected-note @below {{bytes [0, 256) are written here}}
  memref.store %sum, %b[%c0] : memref<64xf32>
  cf.br ^read
^read:
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'memref.store' through the buffer at [0, 256) has overwritten}}
  %v = memref.load %a[%i] : memref<64xf32>
  %w = arith.addf %sum, %v : f32
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next, %w : index, f32)
^exit:
  memref.dealloc %arena : memref<256xi8>
  return %sum : f32
}

// -----

// In the loop, the op overwrites bytes that it reads in the next iteration.
func.func @taken_by_the_reader(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{reads buffer at bytes [0, 256) of the arena, which 'linalg.exp' through the buffer at [0, 256) has overwritten}}
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// The buffer differs in each iteration.
func.func @carried(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %z = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%z : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0, %a, %z : index, memref<64xf32>, memref<64xf32>)
^header(%i: index, %this: memref<64xf32>, %other: memref<64xf32>):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.store %x, %this[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next, %other, %this : index, memref<64xf32>, memref<64xf32>)
^exit:
  memref.copy %this, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<512xi8>
  return
}
