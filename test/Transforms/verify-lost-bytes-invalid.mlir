// A read sees bytes that another buffer has overwritten in between. Every plan
// is rejected in memplan ops and lowered, with both ops named. If executed, it
// prints something else than with a separate allocation for each buffer, except
// for plans that only threads or a device run.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: %python %memplan_src/test/tools/check_lost_bytes.py %s | FileCheck %s
// CHECK: 0 print what they should

func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  %x = memref.load %b[%c0] : memref<16xi32>
  vector.print %x : i32
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The last 16 bytes of one buffer are the first of the other.
func.func @main() {
  %c12 = arith.constant 12 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(16) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<128xi8> to memref<16xi32>
  %b = memplan.view %arena[48] align(16) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  // expected-note @below {{bytes [48, 112) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [48, 112) has overwritten}}
  %y = memref.load %a[%c12] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The first write of %b was moved before the last read of %a.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<i32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  // expected-note @below {{bytes [0, 4) are written here}}
  memref.store %two, %b[] : memref<i32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 4) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  %x = memref.load %b[] : memref<i32>
  vector.print %x : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Read through views of views.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xi32>
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x4xi32> into memref<16xi32>
  %part = memref.subview %flat[4] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2], offset: 4>>
  linalg.fill ins(%one : i32) outs(%flat : memref<16xi32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %part[%c0] : memref<4xi32, strided<[2], offset: 4>>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Only a part is overwritten, and the read may be of that part.
func.func @in_parts(%i: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4xi32>
  // expected-note @below {{bytes [0, 16) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<4xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 16) has overwritten}}
  %y = memref.load %a[%i] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The buffer begins again and is read by its former name.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  %slot = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.renew %slot : memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %b = memplan.renew %a : memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}

// Overwritten on one path.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %c = call @yes() : () -> i1
  scf.if %c {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
    %x = memref.load %b[%c0] : memref<16xi32>
    vector.print %x : i32
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}

// Written on only one path, overwritten after both.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  %c = call @yes() : () -> i1
  scf.if %c {
    linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  }
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  scf.if %c {
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %y = memref.load %a[%c0] : memref<16xi32>
    vector.print %y : i32
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The second iteration reads bytes that the first one has overwritten.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %y = memref.load %a[%i] : memref<16xi32>
    vector.print %y : i32
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The same in a loop of blocks.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c2 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %a[%i] : memref<16xi32>
  vector.print %y : i32
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}

// In a graph of blocks, on one path to the read.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %c = call @yes() : () -> i1
  cf.cond_br %c, ^takes, ^join
^takes:
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  cf.br ^join
^join:
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}

// Each branch yields a buffer; after them the bytes of one are overwritten.
func.func @main() {
  %c15 = arith.constant 15 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %arena = memplan.arena align(64) : memref<192xi8>
  %c = call @yes() : () -> i1
  %r = scf.if %c -> memref<16xi32> {
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xi32>
    linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
    scf.yield %a : memref<16xi32>
  } else {
    %b = memplan.view %arena[128] align(64) : memref<192xi8> to memref<16xi32>
    linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
    scf.yield %b : memref<16xi32>
  }
  %d = memplan.view %arena[32] align(32) : memref<192xi8> to memref<16xi32>
  // expected-note @below {{bytes [32, 96) are written here}}
  linalg.fill ins(%three : i32) outs(%d : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [32, 96) has overwritten}}
  %y = memref.load %r[%c15] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<192xi8>
  return
}

// -----

func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}

// One of the two operands of a select is overwritten.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  %c = call @yes() : () -> i1
  %r = arith.select %c, %a, %b : memref<16xi32>
  %d = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%three : i32) outs(%d : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %r[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<128xi8>
  return
}

// -----

func.func private @no() -> i1 {
  %false = arith.constant false
  return %false : i1
}

// Selecting a buffer that is both operands tells nothing about the condition.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  %c = call @no() : () -> i1
  %same = arith.select %c, %a, %a : memref<16xi32>
  %r = arith.select %c, %a, %b : memref<16xi32>
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [64, 128) are written here}}
  linalg.fill ins(%three : i32) outs(%d : memref<16xi32>)
  %x = memref.load %same[%c0] : memref<16xi32>
  vector.print %x : i32
  // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'linalg.fill' through the buffer at [64, 128) has overwritten}}
  %y = memref.load %r[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<128xi8>
  return
}

// -----

func.func private @which() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}

// One case of many is overwritten.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %n = call @which() : () -> index
  scf.index_switch %n
  case 0 {
    scf.yield
  }
  case 1 {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<i32>
    // expected-note @below {{bytes [0, 4) are written here}}
    memref.store %two, %b[] : memref<i32>
    scf.yield
  }
  default {
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 4) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The buffer of the previous iteration is read after that of this one is
// written: both are in one slot.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a) -> memref<16xi32> {
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %y = memref.load %x[%c0] : memref<16xi32>
    vector.print %y : i32
    scf.yield %b : memref<16xi32>
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The slots are not exchanged: in the second iteration %x is in the slot in
// which %n begins.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  %s0 = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %s1 = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  %a = memplan.renew %s0 : memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %free = %s1)
      -> (memref<16xi32>, memref<16xi32>) {
    %n = memplan.renew %free : memref<16xi32>
    // expected-note @below {{bytes [64, 128) are written here}}
    linalg.fill ins(%two : i32) outs(%n : memref<16xi32>)
    memref.store %one, %n[%c1] : memref<16xi32>
    // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'linalg.fill' through the buffer at [64, 128) has overwritten}}
    %y = memref.load %x[%c0] : memref<16xi32>
    vector.print %y : i32
    %k = arith.index_cast %i : index to i32
    memref.store %k, %n[%c0] : memref<16xi32>
    scf.yield %n, %free : memref<16xi32>, memref<16xi32>
  }
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A buffer begins in the slot of %x, which is still read, not in the free one.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %s0 = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  %s1 = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  %a = memplan.renew %s0 : memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %free = %s1)
      -> (memref<16xi32>, memref<16xi32>) {
    %n = memplan.renew %x : memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%n : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %y = memref.load %x[%c0] : memref<16xi32>
    vector.print %y : i32
    scf.yield %n, %free : memref<16xi32>, memref<16xi32>
  }
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The value that the condition of a while forwards is read after the body's
// buffer has overwritten it.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %r = scf.while (%x = %a) : (memref<16xi32>) -> memref<16xi32> {
    %v = memref.load %x[%c0] : memref<16xi32>
    %more = arith.cmpi slt, %v, %three : i32
    scf.condition(%more) %x : memref<16xi32>
  } do {
  ^bb0(%x: memref<16xi32>):
    %n = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%three : i32) outs(%n : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %y = memref.load %x[%c0] : memref<16xi32>
    vector.print %y : i32
    scf.yield %n : memref<16xi32>
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @show(%m: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %y = memref.load %m[%c0] : memref<16xi32>
  vector.print %y : i32
  return
}

// Read by a callee.
func.func @main() {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  call @show(%a) : (memref<16xi32>) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @either(%m: memref<16xi32>, %n: memref<16xi32>, %c: i1) -> memref<16xi32> {
  %r = arith.select %c, %m, %n : memref<16xi32>
  return %r : memref<16xi32>
}

// The result of a call may be its argument.
func.func @main() {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %other = memref.alloc() : memref<16xi32>
  linalg.fill ins(%two : i32) outs(%other : memref<16xi32>)
  %r = call @either(%a, %other, %true) : (memref<16xi32>, memref<16xi32>, i1) -> memref<16xi32>
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %r[%c0] : memref<16xi32>
  vector.print %y : i32
  memref.dealloc %other : memref<16xi32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

func.func private @uses_scratch(%x: memref<16xi32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%two : i32) outs(%s : memref<16xi32>)
  %y = memref.load %s[%c0] : memref<16xi32>
  vector.print %y : i32
  %z = memref.load %x[%c0] : memref<16xi32>
  vector.print %z : i32
  return
}

// The callee only reads its argument, but its arena has the same bytes.
func.func @main() {
  %one = arith.constant 1 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<64xi8>
  // expected-error @below {{hands the callee memory for its arena, and also as another argument}}
  call @uses_scratch(%a, %s) : (memref<16xi32>, memref<64xi8>) -> ()
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @uses_scratch(%arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %two = arith.constant 2 : i32
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%two : i32) outs(%s : memref<16xi32>)
  %y = memref.load %s[%c0] : memref<16xi32>
  vector.print %y : i32
  return
}

// A buffer that was passed to a callee as its arena has no contents after the
// call.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<64xi8>
  // expected-note @below {{bytes [0, 64) are written here}}
  call @uses_scratch(%s) : (memref<64xi8>) -> ()
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'func.call' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %a[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// An op reads one buffer while it writes the other, one row further on.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(16) : memref<96xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<96xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  memref.store %two, %a[%c0] : memref<16xi32>
  // expected-note @below {{the buffer at [16, 80) is placed here}}
  %b = memplan.view %arena[16] align(16) : memref<96xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<16xi32>) outs(%b : memref<16xi32>) {
  ^bb0(%i: i32, %o: i32):
    linalg.yield %i : i32
  }
  %y = memref.load %b[%c8] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<96xi8>
  return
}

// -----

// The frames of the iterations overwrite %x.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [192, 256) is placed here}}
  %x = memplan.view %arena[192] align(64) : memref<256xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%x : memref<16xi32>)
  scf.forall (%i) in (4) {
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%a : memref<16xi32>)
  }
  // expected-error @below {{reads buffer at bytes [192, 256) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %y = memref.load %x[%c0] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Two buffers of a frame share bytes.
func.func @main() {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<256xi8>
  scf.forall (%i) in (4) {
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xi32>
    linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
    %b = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %y = memref.load %a[%c0] : memref<16xi32>
    vector.print %y : i32
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// A buffer from outside is written in the loop, at the bytes of the frame of
// another iteration.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{the buffer at [192, 256) is placed here}}
  %x = memplan.view %arena[192] align(64) : memref<256xi8> to memref<16xi32>
  scf.forall (%i) in (4) {
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
    %last = arith.cmpi eq, %i, %c3 : index
    scf.if %last {
      // expected-note @below {{bytes [192, 256) are written here}}
      // expected-error @below {{writes buffer at bytes [192, 256) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
      linalg.fill ins(%two : i32) outs(%x : memref<16xi32>)
    }
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [192, 256) has overwritten}}
    %y = memref.load %a[%c0] : memref<16xi32>
    vector.print %y : i32
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// One condition chooses the buffer, another one the slot that remains for the
// next one.
func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func private @no() -> i1 {
  %false = arith.constant false
  return %false : i1
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c = call @no() : () -> i1
  %d = call @yes() : () -> i1
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %s0 = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  %s1 = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  %a = memplan.renew %s0 : memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %free = %s1)
      -> (memref<16xi32>, memref<16xi32>) {
    %n = memplan.renew %free : memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%two : i32) outs(%n : memref<16xi32>)
    // expected-error-re @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at {{.*}} has overwritten}}
    %y = memref.load %x[%c0] : memref<16xi32>
    vector.print %y : i32
    %kept = arith.select %c, %n, %x : memref<16xi32>
    %left = arith.select %d, %x, %n : memref<16xi32>
    scf.yield %kept, %left : memref<16xi32>, memref<16xi32>
  }
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The token is awaited after the bytes are overwritten.
func.func @threads(%x: f32, %i: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  async.await %t : !async.token
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The group is awaited after the bytes are overwritten.
func.func @threads(%x: f32, %i: index, %n: index, %one: index) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  %g = async.create_group %n : !async.group
  scf.for %k = %i to %n step %one {
    // expected-note @below {{started here}}
    %t = async.execute {
      memref.store %x, %a[%k] : memref<16xf32>
      async.yield
    }
    %p = async.add_to_group %t, %g : !async.token
  }
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  async.await_all %g
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// %a is read by the copy, which is not awaited.
func.func @device(%x: f32, %m: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memset async [%t0] %a, %x : memref<16xf32>, f32
  // expected-note @below {{started here}}
  %t2 = gpu.memcpy async [%t1] %b, %a : memref<16xf32>, memref<16xf32>
  gpu.wait [%t1]
  %d = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'gpu.memcpy', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%x : f32) outs(%d : memref<16xf32>)
  gpu.wait [%t2]
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// %p and %a both begin before the task, which reads %p while %a is written. One
// of them becomes %z later, which does not make them one buffer.
func.func @threads(%c: i1, %out: memref<16xf32>, %in: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %p = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %p : memref<16xf32> to memref<16xf32>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.copy %p, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  async.await %t : !async.token
  %z = scf.if %c -> memref<16xf32> {
    scf.yield %p : memref<16xf32>
  } else {
    scf.yield %a : memref<16xf32>
  }
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func private @uses_scratch(%o: memref<16xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %o, %s : memref<16xf32> to memref<16xf32>
  memref.copy %s, %o : memref<16xf32> to memref<16xf32>
  return
}

// While a task reads %a, a callee overwrites it.
func.func @threads(%out: memref<16xf32>, %out2: memref<16xf32>, %in: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<64xi8>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  call @uses_scratch(%out2, %s) : (memref<16xf32>, memref<64xi8>) -> ()
  async.await %t : !async.token
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Two ops of a step, which run at once.
func.func @threads(%x: f32, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{this op of the same step}}
  linalg.exp {memplan.step = 1 : i64} ins(%a : memref<16xf32>) outs(%out : memref<16xf32>)
  // expected-error @below {{writes the buffer at bytes [0, 64) of the arena, but another op of the step reads the buffer at [0, 64) at the same time}}
  linalg.exp {memplan.step = 1 : i64} ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// Read after the release.
func.func @freed(%x: f32, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{released here}}
  memplan.release %arena : memref<64xi8>
  // expected-error @below {{uses buffer at bytes [0, 64) of the arena after the arena's release}}
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// Begun anew after the release.
func.func @freed(%x: f32, %out: memref<16xf32>) {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<64xi8>
  %slot = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  // expected-error @below {{places a buffer in the arena after the arena's release}}
  %a = memplan.renew %slot : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// In frames, the same after the release.
func.func @freed(%x: f32) {
  // expected-note @below {{the arena}}
  %arena = memplan.arena align(64) : memref<256xi8>
  memplan.release %arena : memref<256xi8>
  scf.forall (%i) in (4) {
    // expected-error @below {{places a buffer in the arena after the arena's release}}
    %a = memplan.view %arena[0 + %i * 64] align(64) : memref<256xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  }
  return
}

// -----

// All elements of a view are written, but they are, or may be, one element of
// the buffer.
func.func @one_element(%step: index) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c8 = arith.constant 8 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<16xi32>)
  %s = memref.subview %a[0] [16] [%step] : memref<16xi32> to memref<16xi32, strided<[?]>>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  linalg.fill ins(%one : i32) outs(%s : memref<16xi32, strided<[?]>>)
  %y = memref.load %a[%c8] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<64xi8>
  return
}

// -----

func.func @same_element(%c: i1) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %c8 = arith.constant 8 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a : memref<16xi32>)
  %a2 = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%one : i32) outs(%a2 : memref<16xi32>)
  %any = arith.select %c, %a, %a2 : memref<16xi32>
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<32xi32>
  // expected-note @below {{bytes [0, 128) are written here}}
  linalg.fill ins(%two : i32) outs(%b : memref<32xi32>)
  %s = memref.subview %any[0] [16] [0] : memref<16xi32> to memref<16xi32, strided<[0]>>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 128) has overwritten}}
  linalg.fill ins(%one : i32) outs(%s : memref<16xi32, strided<[0]>>)
  %y = memref.load %any[%c8] : memref<16xi32>
  vector.print %y : i32
  memplan.release %arena : memref<128xi8>
  return
}
