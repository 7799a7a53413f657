// Wrong plans in memref ops: a read sees bytes that another buffer has
// overwritten in between.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// Read after the bytes are overwritten.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %view_1 = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  %0 = memref.load %view_1[%c0_0] : memref<16xi32>
  vector.print %0 : i32
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %1 = memref.load %view[%c0_0] : memref<16xi32>
  vector.print %1 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<128xi8>
  return
}


// -----

// The last 16 bytes of one buffer are the first of the other.
func.func @main() {
  %c48 = arith.constant 48 : index
  %c0 = arith.constant 0 : index
  %c12 = arith.constant 12 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  %view_0 = memref.view %alloc[%c48][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  // expected-note @below {{bytes [48, 112) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_0 : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [48, 112) has overwritten}}
  %0 = memref.load %view[%c12] : memref<16xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<128xi8>
  return
}


// -----

// The first write of %b was moved before the last read of %a.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<i32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  // expected-note @below {{bytes [0, 4) are written here}}
  memref.store %c2_i32, %view_1[] : memref<i32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 4) has overwritten}}
  %0 = memref.load %view[%c0_0] : memref<16xi32>
  vector.print %0 : i32
  %1 = memref.load %view_1[] : memref<i32>
  vector.print %1 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// Read through views of views.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<4x4xi32>
  %collapse_shape = memref.collapse_shape %view [[0, 1]] : memref<4x4xi32> into memref<16xi32>
  %subview = memref.subview %collapse_shape[4] [4] [2] : memref<16xi32> to memref<4xi32, strided<[2], offset: 4>>
  linalg.fill ins(%c1_i32 : i32) outs(%collapse_shape : memref<16xi32>)
  %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %0 = memref.load %subview[%c0_0] : memref<4xi32, strided<[2], offset: 4>>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// Overwritten on one path.
func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %0 = call @yes() : () -> i1
  scf.if %0 {
    %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
    %2 = memref.load %view_1[%c0_0] : memref<16xi32>
    vector.print %2 : i32
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %1 = memref.load %view[%c0_0] : memref<16xi32>
  vector.print %1 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// Written on only one path, overwritten after both.
func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  %0 = call @yes() : () -> i1
  scf.if %0 {
    linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  }
  %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  scf.if %0 {
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %1 = memref.load %view[%c0_0] : memref<16xi32>
    vector.print %1 : i32
  }
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// The second iteration reads bytes that the first one has overwritten.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  scf.for %arg0 = %c0_0 to %c2 step %c1 {
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %0 = memref.load %view[%arg0] : memref<16xi32>
    vector.print %0 : i32
    %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  }
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// The same in a loop of blocks.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  cf.br ^bb1(%c0_0 : index)
^bb1(%0: index):  // 2 preds: ^bb0, ^bb2
  %1 = arith.cmpi slt, %0, %c2 : index
  cf.cond_br %1, ^bb2, ^bb3
^bb2:  // pred: ^bb1
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %2 = memref.load %view[%0] : memref<16xi32>
  vector.print %2 : i32
  %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  %3 = arith.addi %0, %c1 : index
  cf.br ^bb1(%3 : index)
^bb3:  // pred: ^bb1
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// In a graph of blocks, on one path to the read.
func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %0 = call @yes() : () -> i1
  cf.cond_br %0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  cf.br ^bb2
^bb2:  // 2 preds: ^bb0, ^bb1
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %1 = memref.load %view[%c0_0] : memref<16xi32>
  vector.print %1 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// Each branch yields a buffer; after them the bytes of one are overwritten.
func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func @main() {
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c3_i32 = arith.constant 3 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<192xi8>
  %0 = call @yes() : () -> i1
  %1 = scf.if %0 -> (memref<16xi32>) {
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %view_0 = memref.view %alloc[%c0][] : memref<192xi8> to memref<16xi32>
    linalg.fill ins(%c1_i32 : i32) outs(%view_0 : memref<16xi32>)
    scf.yield %view_0 : memref<16xi32>
  } else {
    %view_0 = memref.view %alloc[%c128][] : memref<192xi8> to memref<16xi32>
    linalg.fill ins(%c2_i32 : i32) outs(%view_0 : memref<16xi32>)
    scf.yield %view_0 : memref<16xi32>
  }
  %view = memref.view %alloc[%c32][] : memref<192xi8> to memref<16xi32>
  // expected-note @below {{bytes [32, 96) are written here}}
  linalg.fill ins(%c3_i32 : i32) outs(%view : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [32, 96) has overwritten}}
  %2 = memref.load %1[%c15] : memref<16xi32>
  vector.print %2 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<192xi8>
  return
}


// -----

// One of the two operands of a select is overwritten.
func.func private @yes() -> i1 {
  %true = arith.constant true
  return %true : i1
}
func.func @main() {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c3_i32 = arith.constant 3 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %view_1 = memref.view %alloc[%c64][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  %0 = call @yes() : () -> i1
  %1 = arith.select %0, %view, %view_1 : memref<16xi32>
  %view_2 = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c3_i32 : i32) outs(%view_2 : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %2 = memref.load %1[%c0_0] : memref<16xi32>
  vector.print %2 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<128xi8>
  return
}


// -----

// Selecting a buffer that is both operands tells nothing about the condition.
func.func private @no() -> i1 {
  %false = arith.constant false
  return %false : i1
}
func.func @main() {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %c3_i32 = arith.constant 3 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %view = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  // expected-note @below {{the buffer at [64, 128) is placed here}}
  %view_1 = memref.view %alloc[%c64][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
  %0 = call @no() : () -> i1
  %1 = arith.select %0, %view, %view : memref<16xi32>
  %2 = arith.select %0, %view, %view_1 : memref<16xi32>
  %view_2 = memref.view %alloc[%c64][] : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [64, 128) are written here}}
  linalg.fill ins(%c3_i32 : i32) outs(%view_2 : memref<16xi32>)
  %3 = memref.load %1[%c0_0] : memref<16xi32>
  vector.print %3 : i32
  // expected-error @below {{reads buffer at bytes [64, 128) of the arena, which 'linalg.fill' through the buffer at [64, 128) has overwritten}}
  %4 = memref.load %2[%c0_0] : memref<16xi32>
  vector.print %4 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<128xi8>
  return
}


// -----

// One case of many is overwritten.
func.func private @which() -> index {
  %c1 = arith.constant 1 : index
  return %c1 : index
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %0 = call @which() : () -> index
  scf.index_switch %0 
  case 0 {
    scf.yield
  }
  case 1 {
    %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<i32>
    // expected-note @below {{bytes [0, 4) are written here}}
    memref.store %c2_i32, %view_1[] : memref<i32>
    scf.yield
  }
  default {
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [0, 4) has overwritten}}
  %1 = memref.load %view[%c0_0] : memref<16xi32>
  vector.print %1 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// The buffer of the previous iteration is read after that of this one is
// written: both are in one slot.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %0 = scf.for %arg0 = %c0_0 to %c2 step %c1 iter_args(%arg1 = %view) -> (memref<16xi32>) {
    %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %1 = memref.load %arg1[%c0_0] : memref<16xi32>
    vector.print %1 : i32
    scf.yield %view_1 : memref<16xi32>
  }
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// The value that the condition of a while forwards is read after the body's
// buffer has overwritten it.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c3_i32 = arith.constant 3 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %0 = scf.while (%arg0 = %view) : (memref<16xi32>) -> memref<16xi32> {
    %1 = memref.load %arg0[%c0_0] : memref<16xi32>
    %2 = arith.cmpi slt, %1, %c3_i32 : i32
    scf.condition(%2) %arg0 : memref<16xi32>
  } do {
  ^bb0(%arg0: memref<16xi32>):
    %view_1 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%c3_i32 : i32) outs(%view_1 : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %1 = memref.load %arg0[%c0_0] : memref<16xi32>
    vector.print %1 : i32
    scf.yield %view_1 : memref<16xi32>
  }
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// Read by a callee.
func.func private @show(%arg0: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %0 = memref.load %arg0[%c0] : memref<16xi32>
  vector.print %0 : i32
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %view_0 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_0 : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  call @show(%view) : (memref<16xi32>) -> ()
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// The result of a call may be its argument.
func.func private @either(%arg0: memref<16xi32>, %arg1: memref<16xi32>, %arg2: i1) -> memref<16xi32> {
  %0 = arith.select %arg2, %arg0, %arg1 : memref<16xi32>
  return %0 : memref<16xi32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %true = arith.constant true
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  %alloc_1 = memref.alloc() : memref<16xi32>
  linalg.fill ins(%c2_i32 : i32) outs(%alloc_1 : memref<16xi32>)
  %0 = call @either(%view, %alloc_1, %true) : (memref<16xi32>, memref<16xi32>, i1) -> memref<16xi32>
  %view_2 = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xi32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%c2_i32 : i32) outs(%view_2 : memref<16xi32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
  %1 = memref.load %0[%c0_0] : memref<16xi32>
  vector.print %1 : i32
  memref.dealloc %alloc_1 : memref<16xi32>
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<128xi8>
  return
}


// -----

// An op reads one buffer while it writes the other, one row further on.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<96xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<96xi8> to memref<16xi32>
  linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
  memref.store %c2_i32, %view[%c0_0] : memref<16xi32>
  // expected-note @below {{the buffer at [16, 80) is placed here}}
  %view_1 = memref.view %alloc[%c16][] : memref<96xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<16xi32>) outs(%view_1 : memref<16xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  %0 = memref.load %view_1[%c8] : memref<16xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<96xi8>
  return
}


// -----

// Two buffers of a frame share bytes.
func.func @main() {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1_i32 = arith.constant 1 : i32
  %c2_i32 = arith.constant 2 : i32
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  scf.forall (%arg0) in (4) {
    %0 = arith.muli %arg0, %c64 : index
    %1 = arith.addi %c0, %0 : index
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %view = memref.view %alloc[%1][] : memref<256xi8> to memref<16xi32>
    linalg.fill ins(%c1_i32 : i32) outs(%view : memref<16xi32>)
    %2 = arith.muli %arg0, %c64 : index
    %3 = arith.addi %c0, %2 : index
    %view_1 = memref.view %alloc[%3][] : memref<256xi8> to memref<16xi32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%c2_i32 : i32) outs(%view_1 : memref<16xi32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    %4 = memref.load %view[%c0_0] : memref<16xi32>
    vector.print %4 : i32
  }
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// The token is awaited after the bytes are overwritten.
func.func @threads(%arg0: f32, %arg1: index) {
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %token = async.execute {
    memref.store %arg0, %view[%arg1] : memref<16xf32>
    async.yield
  }
  %view_0 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%arg0 : f32) outs(%view_0 : memref<16xf32>)
  async.await %token : !async.token
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// The group is awaited after the bytes are overwritten.
func.func @threads(%arg0: f32, %arg1: index, %arg2: index, %arg3: index) {
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  %0 = async.create_group %arg2 : !async.group
  scf.for %arg4 = %arg1 to %arg2 step %arg3 {
    // expected-note @below {{started here}}
    %token = async.execute {
      memref.store %arg0, %view[%arg4] : memref<16xf32>
      async.yield
    }
    %1 = async.add_to_group %token, %0 : !async.token
  }
  %view_0 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%arg0 : f32) outs(%view_0 : memref<16xf32>)
  async.await_all %0
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// %a is read by the copy, which is not awaited.
func.func @device(%arg0: f32, %arg1: memref<16xf32>) {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<128xi8>
  %view = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xf32>
  %view_0 = memref.view %alloc[%c64][] : memref<128xi8> to memref<16xf32>
  %0 = gpu.wait async
  %1 = gpu.memset async [%0] %view, %arg0 : memref<16xf32>, f32
  // expected-note @below {{started here}}
  %2 = gpu.memcpy async [%1] %view_0, %view : memref<16xf32>, memref<16xf32>
  gpu.wait [%1]
  %view_1 = memref.view %alloc[%c0][] : memref<128xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'gpu.memcpy', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%arg0 : f32) outs(%view_1 : memref<16xf32>)
  gpu.wait [%2]
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<128xi8>
  return
}


// -----

// %p and %a both begin before the task, which reads %p while %a is written. One
// of them becomes %z later, which does not make them one buffer.
func.func @threads(%arg0: i1, %arg1: memref<16xf32>, %arg2: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  memref.copy %arg2, %view : memref<16xf32> to memref<16xf32>
  %view_0 = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %token = async.execute {
    memref.copy %view, %arg1 : memref<16xf32> to memref<16xf32>
    async.yield
  }
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  memref.copy %arg2, %view_0 : memref<16xf32> to memref<16xf32>
  async.await %token : !async.token
  %0 = scf.if %arg0 -> (memref<16xf32>) {
    scf.yield %view : memref<16xf32>
  } else {
    scf.yield %view_0 : memref<16xf32>
  }
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  return
}


// -----

// Read after the release.
func.func @freed(%arg0: f32, %arg1: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %alloc = memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<64xi8>
  %view = memref.view %alloc[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%arg0 : f32) outs(%view : memref<16xf32>)
  // expected-note @below {{released here}}
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<64xi8>
  // expected-error @below {{uses buffer at bytes [0, 64) of the arena after the arena's release}}
  memref.copy %view, %arg1 : memref<16xf32> to memref<16xf32>
  return
}


// -----

// An op overwrites elements that another of its iterations still reads, so it
// is not in place. Transposed.
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_2 = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  %0 = memref.load %view_2[%c3, %c0_0] : memref<4x4xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// A row is read by all iterations of the outer loop.
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_2 = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  %subview = memref.subview %view[0, 0] [1, 4] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[1]>>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%subview : memref<4xi32, strided<[1]>>) outs(%view_2 : memref<4x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  %0 = memref.load %view_2[%c1, %c1] : memref<4x4xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// Read twice, once in its own order and once transposed.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_2 = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%view, %view : memref<4x4xi32>, memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
  ^bb0(%in: i32, %in_3: i32, %out: i32):
    %1 = arith.addi %in, %in_3 : i32
    linalg.yield %1 : i32
  }
  %0 = memref.load %view_2[%c3, %c0_0] : memref<4x4xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// Elements twice as large as the read ones.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<16xi32>
  scf.for %arg0 = %c0_0 to %c16 step %c1 {
    %1 = arith.index_cast %arg0 : index to i32
    memref.store %1, %view[%arg0] : memref<16xi32>
  }
  // expected-note @below {{the buffer at [0, 128) is placed here}}
  %view_1 = memref.view %alloc[%c0][] : memref<256xi8> to memref<16xi64>
  // expected-error @below {{writes buffer at bytes [0, 128) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<16xi32>) outs(%view_1 : memref<16xi64>) {
  ^bb0(%in: i32, %out: i64):
    %1 = arith.extsi %in : i32 to i64
    linalg.yield %1 : i64
  }
  %0 = memref.load %view_1[%c3] : memref<16xi64>
  vector.print %0 : i64
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// Elements half as large are allowed one by one at the same bytes, but here
// they are shifted by some bytes.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16_1 = arith.constant 16 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 128) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<16xi64>
  scf.for %arg0 = %c0_0 to %c16_1 step %c1 {
    %1 = arith.index_cast %arg0 : index to i64
    memref.store %1, %view[%arg0] : memref<16xi64>
  }
  // expected-note @below {{the buffer at [16, 80) is placed here}}
  %view_2 = memref.view %alloc[%c16][] : memref<256xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 128), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<16xi64>) outs(%view_2 : memref<16xi32>) {
  ^bb0(%in: i64, %out: i32):
    %1 = arith.trunci %in : i64 to i32
    linalg.yield %1 : i32
  }
  %0 = memref.load %view_2[%c3] : memref<16xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// The body reads an element of another iteration.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<16xi32>
  scf.for %arg0 = %c0_0 to %c16 step %c1 {
    %1 = arith.index_cast %arg0 : index to i32
    memref.store %1, %view[%arg0] : memref<16xi32>
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_1 = memref.view %alloc[%c0][] : memref<256xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<16xi32>) outs(%view_1 : memref<16xi32>) {
  ^bb0(%in: i32, %out: i32):
    %1 = linalg.index 0 : index
    %c15_2 = arith.constant 15 : index
    %2 = arith.subi %c15_2, %1 : index
    %3 = memref.load %view[%2] : memref<16xi32>
    linalg.yield %3 : i32
  }
  %c15 = arith.constant 15 : index
  %0 = memref.load %view_1[%c15] : memref<16xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// The bytes of a part of the operand, from its second row on.
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [16, 80) is placed here}}
  %view_2 = memref.view %alloc[%c16][] : memref<256xi8> to memref<4x4xi32>
  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  %0 = memref.load %view_2[%c3, %c0_0] : memref<4x4xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}


// -----

// A product overwrites one of its factors.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memref.alloc() {alignment = 16 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_2 = memref.view %alloc[%c0][] : memref<256xi8> to memref<4x4xi32>
  %alloc_3 = memref.alloc() : memref<4x4xi32>
  %c1_i32 = arith.constant 1 : i32
  linalg.fill ins(%c1_i32 : i32) outs(%alloc_3 : memref<4x4xi32>)
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%view, %alloc_3 : memref<4x4xi32>, memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
  ^bb0(%in: i32, %in_4: i32, %out: i32):
    %1 = arith.muli %in, %in_4 : i32
    %2 = linalg.index 1 : index
    %3 = arith.index_cast %2 : index to i32
    %4 = arith.addi %1, %3 : i32
    linalg.yield %4 : i32
  }
  memref.dealloc %alloc_3 : memref<4x4xi32>
  %0 = memref.load %view_2[%c3, %c3] : memref<4x4xi32>
  vector.print %0 : i32
  memref.dealloc %alloc {bufferization.manual_deallocation} : memref<256xi8>
  return
}

