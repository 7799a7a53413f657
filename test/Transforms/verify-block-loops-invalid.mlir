// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir --memplan-verify=quiet -split-input-file -verify-diagnostics

// Loops of blocks that do not rewrite all bytes that another buffer has
// overwritten.

// The loop omits the last element.
func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
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
  %more = arith.cmpi slt, %i, %c63 : index
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

// CHANGE: It omits the first element.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @from_the_second(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  cf.br ^header(%c0 : index)
//+  cf.br ^header(%c1 : index)
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index

// CHANGE: It omits every other element.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @every_other(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index
//-  %next = arith.addi %i, %c1 : index
//+  %next = arith.addi %i, %c2 : index

// CHANGE: The exit condition is never true, so it runs past the end.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @step_over_the_end(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi ne, %i, %c63 : index
//-  %next = arith.addi %i, %c1 : index
//+  %next = arith.addi %i, %c2 : index

// CHANGE: It may not run at all.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @unknown_bound(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %n : index

// CHANGE: It may begin at any element.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @unknown_start(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  cf.br ^header(%c0 : index)
//+  cf.br ^header(%n : index)
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index

// CHANGE: It counts down.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @wrong_way(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi sgt, %i, %c0 : index

// CHANGE: The store is skipped if %c is false.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @stored_at_times(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index
//-  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
//+  cf.cond_br %c, ^store, ^latch
//+^store:
//+  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
//-  %next = arith.addi %i, %c1 : index
//+  cf.br ^latch
//+^latch:
//+  %next = arith.addi %i, %c1 : index

// CHANGE: One path through the body skips an element.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @two_steps(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index
//-  %next = arith.addi %i, %c1 : index
//+  cf.cond_br %c, ^other, ^latch
//+^other:
//+  %also = arith.addi %i, %c2 : index
//+  cf.br ^header(%also : index)
//+^latch:
//+  %next = arith.addi %i, %c1 : index

// CHANGE: The other path does.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @two_steps_exchanged(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index
//-  %next = arith.addi %i, %c1 : index
//+  cf.cond_br %c, ^other, ^latch
//+^other:
//+  %also = arith.addi %i, %c1 : index
//+  cf.br ^header(%also : index)
//+^latch:
//+  %next = arith.addi %i, %c2 : index

// CHANGE: It may be entered with another initial value.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @second_entry(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  cf.br ^header(%c0 : index)
//+  cf.cond_br %c, ^header(%c0 : index), ^header(%c8 : index)
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index

// CHANGE: The same with the other entry.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @first_entry(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  cf.br ^header(%c0 : index)
//+  cf.cond_br %c, ^header(%c8 : index), ^header(%c0 : index)
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index

// CHANGE: It may leave from its middle.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @left_early(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index
//-  %next = arith.addi %i, %c1 : index
//+  cf.cond_br %c, ^exit, ^latch
//+^latch:
//+  %next = arith.addi %i, %c1 : index

// CHANGE: The stored element is not the counted one.
//-func.func @one_short(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//+func.func @other_variable(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
//-  %more = arith.cmpi slt, %i, %c63 : index
//+  %more = arith.cmpi slt, %i, %c64 : index
//-  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
//-  memref.store %x, %a[%i] : memref<64xf32>
//+  %k = arith.muli %i, %c2 : index
//+  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
//+  memref.store %x, %a[%k] : memref<64xf32>

// -----

// The inner loop may leave early, so an iteration of the outer one writes less.
func.func @inner_left_early(%c: i1, %n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
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
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.store %x, %a[%ij] : memref<64xf32>
  cf.cond_br %c, ^latch, ^innerLatch
^innerLatch:
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

// The row differs in each iteration; of the last row at most one element is
// rewritten.
func.func @row_of_the_last_iteration(%x: f32, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c7 = arith.constant 7 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 256) is placed here}}
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8x8xf32>)
  // expected-note @below {{bytes [0, 256) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %row = arith.minui %i, %c7 : index
  %more = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{writes buffer at bytes [0, 256) of the arena, which 'linalg.fill' through the buffer at [0, 256) has overwritten}}
  memref.store %x, %a[%row, %i] : memref<8x8xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  cf.br ^reading(%c0 : index)
^reading(%j: index):
  %moreRead = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %moreRead, ^read, ^done
^read:
  %v = memref.load %a[%row, %j] : memref<8x8xf32>
  memref.store %v, %out[%j] : memref<8xf32>
  %nextRead = arith.addi %j, %c1 : index
  cf.br ^reading(%nextRead : index)
^done:
  memref.dealloc %arena : memref<256xi8>
  return
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

// -----

// The header reads one element beyond the range.
func.func @read_in_header(%x: f32, %out: memref<9xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 36) is placed here}}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<9xf32>
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<9xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<9xf32>)
  // expected-note @below {{bytes [0, 36) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<9xf32>)
  cf.br ^header(%c0 : index)
^header(%i: index):
  %more = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error @below {{writes buffer at bytes [0, 36) of the arena, which 'linalg.fill' through the buffer at [0, 36) has overwritten}}
  memref.store %x, %a[%i] : memref<9xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^header(%next : index)
^exit:
  cf.br ^reading(%c0 : index)
^reading(%j: index):
  %v = memref.load %a[%j] : memref<9xf32>
  memref.store %v, %out[%j] : memref<9xf32>
  %moreRead = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %moreRead, ^latch, ^done
^latch:
  %nextRead = arith.addi %j, %c1 : index
  cf.br ^reading(%nextRead : index)
^done:
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The loop writes only the diagonal.
func.func @diagonal(%x: f32, %out: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<4x4xf32>
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<4x4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4x4xf32>)
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<4x4xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    memref.store %x, %a[%i, %i] : memref<4x4xf32>
  }
  memref.copy %a, %out : memref<4x4xf32> to memref<4x4xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Sums of many variables are not compared.
func.func @sums_of_many(%x: f32, %p: index, %q: index, %r: index, %s: index, %t: index, %o: index) -> f32 {
  %c0 = arith.constant 0 : index
  %pq = arith.addi %p, %q : index
  %pqr = arith.addi %pq, %r : index
  %pqrs = arith.addi %pqr, %s : index
  %pqrt = arith.addi %pqr, %t : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 32) is placed here}}
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<8xf32>)
  // expected-note @below {{bytes [0, 32) are written here}}
  linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
  %part = memref.subview %a[%o] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1], offset: ?>>
  // expected-error @below {{writes buffer at bytes [0, 32) of the arena, which 'linalg.fill' through the buffer at [0, 32) has overwritten}}
  memref.store %x, %part[%pqrs] : memref<6xf32, strided<[1], offset: ?>>
  %v = memref.load %part[%pqrt] : memref<6xf32, strided<[1], offset: ?>>
  memref.dealloc %arena : memref<64xi8>
  return %v : f32
}
