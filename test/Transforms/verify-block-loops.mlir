// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Loops of blocks that write a buffer anew: what they count is told from their
// headers.

// Every element is written by the end.
func.func @counted(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// The comparison and the sum the other way round, the exit first.
func.func @from_the_other_side(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi sle, %c64, %i : index
  cf.cond_br %more, ^exit, ^body
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %c1, %i : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Up to and with the last.
func.func @inclusive(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi sle, %i, %c63 : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Until it is equal.
func.func @until_equal(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi ne, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// An unsigned comparison.
func.func @unsigned(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi ult, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Both ways through the body end in its only latch.
func.func @one_of_two_places(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  cf.cond_br %c, ^left, ^right
^left:
  cf.br ^latch
^right:
  cf.br ^latch
^latch:
  memref.store %x, %a[%i] : memref<64xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Each latch counts alike, the store comes before either.
func.func @two_latches(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  cf.cond_br %c, ^other, ^latch
^other:
  %also = arith.addi %c1, %i : index
  cf.br ^header(%also : index)
^latch:
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// A nest of two loops, of eight and eight elements.
func.func @nest(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^outer(%c0 : index)
^outer(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^enter, ^exit
^enter:
  cf.br ^inner(%c0 : index)
^inner(%j: index):
  %moreInner = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %moreInner, ^body, ^latch
^body:
  %ij = arith.addi %i, %j : index
  memref.store %x, %a[%ij] : memref<64xf32>
  %nextInner = arith.addi %j, %c1 : index
  cf.br ^inner(%nextInner : index)
^latch:
  %next = arith.addi %i, %c8 : index
  cf.br ^outer(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// The loop runs, so that one op in it writes all.
func.func @loop_that_runs(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// A structured loop in each iteration of one of blocks.
func.func @structured_inside(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %more, ^body, ^exit
^body:
  scf.for %j = %c0 to %c8 step %c1 {
    memref.store %x, %a[%j] : memref<64xf32>
  }
  scf.for %j = %c0 to %c64 step %c1 {
    memref.store %x, %a[%j] : memref<64xf32>
  }
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// What is left another way does not come to the exit.
func.func @another_exit(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  memref.store %x, %a[%i] : memref<64xf32>
  cf.cond_br %c, ^gone, ^latch
^gone:
  memref.dealloc %arena : memref<256xi8>
  return
^latch:
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Of each part, found by a variable, all is written before it is read.
func.func @part_by_part(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %part = memref.subview %a[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
  cf.br ^first(%c0 : index)
^first(%j: index):
  %moreFirst = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %moreFirst, ^write, ^done
^write:
  memref.store %x, %part[%j] : memref<8xf32, strided<[1], offset: ?>>
  %nextFirst = arith.addi %j, %c1 : index
  cf.br ^first(%nextFirst : index)
^done:
  cf.br ^second(%c0 : index)
^second(%k: index):
  %moreSecond = arith.cmpi slt, %k, %c8 : index
  cf.cond_br %moreSecond, ^read, ^latch
^read:
  %old = memref.load %part[%k] : memref<8xf32, strided<[1], offset: ?>>
  memref.store %old, %part[%k] : memref<8xf32, strided<[1], offset: ?>>
  %nextSecond = arith.addi %k, %c1 : index
  cf.br ^second(%nextSecond : index)
^latch:
  %next = arith.addi %i, %c8 : index
  cf.br ^header(%next : index)
^exit:
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Sums of sums with themselves: looked into no deeper than it pays.
func.func @sums_of_themselves(%x: f32, %n: index, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %s0 = arith.addi %c1, %c1 : index
  %s1 = arith.addi %s0, %s0 : index
  %s2 = arith.addi %s1, %s1 : index
  %s3 = arith.addi %s2, %s2 : index
  %s4 = arith.addi %s3, %s3 : index
  %s5 = arith.addi %s4, %s4 : index
  %s6 = arith.addi %s5, %s5 : index
  %s7 = arith.addi %s6, %s6 : index
  %s8 = arith.addi %s7, %s7 : index
  %s9 = arith.addi %s8, %s8 : index
  %s10 = arith.addi %s9, %s9 : index
  %s11 = arith.addi %s10, %s10 : index
  %s12 = arith.addi %s11, %s11 : index
  %s13 = arith.addi %s12, %s12 : index
  %s14 = arith.addi %s13, %s13 : index
  %s15 = arith.addi %s14, %s14 : index
  %s16 = arith.addi %s15, %s15 : index
  %s17 = arith.addi %s16, %s16 : index
  %s18 = arith.addi %s17, %s17 : index
  %s19 = arith.addi %s18, %s18 : index
  %s20 = arith.addi %s19, %s19 : index
  %s21 = arith.addi %s20, %s20 : index
  %s22 = arith.addi %s21, %s21 : index
  %s23 = arith.addi %s22, %s22 : index
  %s24 = arith.addi %s23, %s23 : index
  %s25 = arith.addi %s24, %s24 : index
  %s26 = arith.addi %s25, %s25 : index
  %s27 = arith.addi %s26, %s26 : index
  %s28 = arith.addi %s27, %s27 : index
  %s29 = arith.addi %s28, %s28 : index
  %s30 = arith.addi %s29, %s29 : index
  %s31 = arith.addi %s30, %s30 : index
  %s32 = arith.addi %s31, %s31 : index
  %s33 = arith.addi %s32, %s32 : index
  %s34 = arith.addi %s33, %s33 : index
  %s35 = arith.addi %s34, %s34 : index
  %s36 = arith.addi %s35, %s35 : index
  %s37 = arith.addi %s36, %s36 : index
  %s38 = arith.addi %s37, %s37 : index
  %s39 = arith.addi %s38, %s38 : index
  %s40 = arith.addi %s39, %s39 : index
  scf.for %j = %c0 to %n step %c1 {
    memref.store %x, %a[%s40] : memref<64xf32>
    %v = memref.load %a[%s40] : memref<64xf32>
    memref.store %v, %b[%c0] : memref<64xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}
