// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics
// RUN: memplan-opt %s --canonicalize --cse --loop-invariant-code-motion --memplan-verify=quiet -split-input-file -verify-diagnostics

// Sound plans in plain memref ops, as the lowering leaves them and after other
// passes: views of one place are one value then, and stand outside loops.

func.func @one_after_the_other(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<8x8xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<8x8xf32>)
  %flat = memref.collapse_shape %b [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  memref.copy %flat, %out : memref<64xf32> to memref<64xf32>
  %d = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%d : memref<64xf32>)
  memref.copy %d, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// %a begins anew in every iteration, written piece by piece.
func.func @hoisted(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<32xf32>
  %lower = memref.subview %a[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  %upper = memref.subview %a[32] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: 32>>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%lower : memref<32xf32, strided<[1]>>)
    linalg.fill ins(%x : f32) outs(%upper : memref<32xf32, strided<[1], offset: 32>>)
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<32xf32>)
    %part = memref.subview %out[0] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
    memref.copy %b, %part : memref<32xf32> to memref<32xf32, strided<[1]>>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// Columns are bytes with gaps; the two halves are the whole.
func.func @rewritten_by_columns(%n: index, %x: f32, %out: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  %left = memref.subview %a[0, 0] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1]>>
  %right = memref.subview %a[0, 4] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 4>>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%x : f32) outs(%left : memref<8x4xf32, strided<[8, 1]>>)
    linalg.fill ins(%x : f32) outs(%right : memref<8x4xf32, strided<[8, 1], offset: 4>>)
    memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func @rewritten_by_loops(%n: index, %x: f32, %out: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %v = vector.broadcast %x : f32 to vector<4xf32>
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<8x8xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  scf.for %k = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c8 step %c1 {
      scf.for %j = %c0 to %c8 step %c1 {
        memref.store %x, %a[%i, %j] : memref<8x8xf32>
      }
    }
    memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    affine.for %i = 0 to 8 {
      affine.for %j = 1 to 9 {
        affine.store %x, %a[%i, %j - 1] : memref<8x8xf32>
      }
    }
    memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    affine.parallel (%i, %j) = (0, 0) to (8, 8) {
      affine.store %x, %a[%i, %j] : memref<8x8xf32>
    }
    memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c8) step (%c1, %c4) {
      vector.store %v, %a[%i, %j] : memref<8x8xf32>, vector<4xf32>
      scf.reduce
    }
    memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
    scf.for %i = %c0 to %c8 step %c4 {
      %rows = memref.subview %a[%i, 0] [4, 8] [1, 1] : memref<8x8xf32> to memref<4x8xf32, strided<[8, 1], offset: ?>>
      linalg.fill ins(%x : f32) outs(%rows : memref<4x8xf32, strided<[8, 1], offset: ?>>)
      linalg.exp ins(%rows : memref<4x8xf32, strided<[8, 1], offset: ?>>) outs(%rows : memref<4x8xf32, strided<[8, 1], offset: ?>>)
    }
    memref.copy %a, %out : memref<8x8xf32> to memref<8x8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// The element read is the one just written.
func.func @rewritten_element_by_element(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<64xf32>
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<64xf32>
      %w = arith.addf %v, %x : f32
      memref.store %w, %a[%i] : memref<64xf32>
    }
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %out[%i] : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// A loop that surely runs leaves nothing of what was there before.
func.func @loop_that_runs(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  scf.for %i = %c0 to %c4 step %c1 {
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  }
  memref.copy %a, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// What is read is not what was overwritten.
func.func @part_that_is_left(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  %v = memref.load %a[%c40] : memref<64xf32>
  memref.store %v, %out[%c0] : memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// In place: each element is read before it is written.
func.func @in_place(%x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  memref.copy %b, %out : memref<64xf32> to memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func private @fill(%m: memref<64xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%m : memref<64xf32>)
  return
}

func.func private @fill_and_read(%m: memref<64xf32>, %x: f32, %out: memref<64xf32>) {
  call @fill(%m, %x) : (memref<64xf32>, f32) -> ()
  memref.copy %m, %out : memref<64xf32> to memref<64xf32>
  return
}

// The callee writes all of it before it reads any.
func.func @rewritten_by_callee(%n: index, %x: f32, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  scf.for %i = %c0 to %n step %c1 {
    func.call @fill_and_read(%a, %x, %out) : (memref<64xf32>, f32, memref<64xf32>) -> ()
    memref.copy %a, %out : memref<64xf32> to memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

func.func private @external(memref<64xf32>)

// A callee without a body, given a buffer that was read and then lost whole.
func.func @begun_anew_by_external_callee(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %b = memref.view %arena[%c0][] : memref<512xi8> to memref<128xf32>
  func.call @external(%a) : (memref<64xf32>) -> ()
  func.call @external(%a) : (memref<64xf32>) -> ()
  linalg.fill ins(%x : f32) outs(%b : memref<128xf32>)
  func.call @external(%a) : (memref<64xf32>) -> ()
  memref.dealloc %arena : memref<512xi8>
  return
}

func.func private @own_result(%m: memref<64xf32>) -> memref<64xf32> {
  %r = memref.alloc() : memref<64xf32>
  memref.copy %m, %r : memref<64xf32> to memref<64xf32>
  return %r : memref<64xf32>
}

// The callee's result is not its argument: returning it is fine.
func.func @result_of_its_own(%x: f32) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  %r = call @own_result(%a) : (memref<64xf32>) -> memref<64xf32>
  memref.dealloc %arena : memref<256xi8>
  return %r : memref<64xf32>
}

// The view of a whole arena as bytes is the arena.
func.func @whole_arena(%x: i8, %i: index, %out: memref<256xi8>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][] : memref<256xi8> to memref<32xf64>
  %v = memref.load %a[%i] : memref<32xf64>
  memref.store %v, %a[%i] : memref<32xf64>
  linalg.fill ins(%x : i8) outs(%arena : memref<256xi8>)
  memref.copy %arena, %out : memref<256xi8> to memref<256xi8>
  memref.dealloc %arena : memref<256xi8>
  return
}

// Workers that write parts of one buffer, and read another.
func.func @parallel(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  %a = memref.view %arena[%c0][] : memref<512xi8> to memref<64xf32>
  %b = memref.view %arena[%c256][] : memref<512xi8> to memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %b[%i] : memref<64xf32>
    scf.reduce
  }
  scf.forall (%i) in (64) {
    %v = memref.load %b[%i] : memref<64xf32>
    memref.store %v, %a[%i] : memref<64xf32>
  }
  memref.dealloc %arena : memref<512xi8>
  return
}
