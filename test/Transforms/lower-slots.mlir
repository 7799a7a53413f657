// RUN: memplan-opt %s --memplan-lower | FileCheck %s
// RUN: memplan-opt %s --memplan-verify=quiet=true --memplan-lower --memplan-verify=quiet=true -o /dev/null

// Offsets are computed once, at the slots. An offset that is a constant costs
// nothing, and a size that is a multiple of the alignment is not rounded up.

// CHECK-LABEL: func.func @chain
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 281474976710655 : index
// CHECK:         %[[BYTES:.*]] = arith.muli
// CHECK:         %[[SIZE:.*]] = arith.minui %[[BYTES]], %[[MOST]]
// The end of the slot at 0 is the offset of the next one.
// CHECK-NEXT:    %[[END:.*]] = arith.addi %[[SIZE]], %[[SIZE]]
// CHECK-NEXT:    %[[ARENA:.*]] = memref.alloc(%[[END]])
// CHECK-SAME:      alignment = 64
// CHECK-SAME:      memplan.arena
// CHECK-SAME:      memplan.slots = [array<i64: 0>, array<i64: 0, 0>]
// CHECK:         memref.view %[[ARENA]][%[[C0]]][%[[N:.*]]] {memplan.slot = array<i64: 0, 0>} : memref<?xi8> to memref<?x64xf32>
// CHECK:         memref.view %[[ARENA]][%[[SIZE]]][%[[N]]] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<?x64xf32>
func.func @chain(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %bytes = arith.muli %n, %c256 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  %b = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  linalg.exp ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// 4 * n bytes are rounded up to the alignment of what lies above them; 100 bytes
// at 0 are below both, so the maximum of the two counts.
// CHECK-LABEL: func.func @rounded
// CHECK-DAG:     %[[C63:.*]] = arith.constant 63 : index
// CHECK-DAG:     %[[MASK:.*]] = arith.constant -64 : index
// CHECK-DAG:     %[[C100:.*]] = arith.constant 100 : index
// CHECK:         %[[SIZE:.*]] = arith.minui
// CHECK:         %[[END:.*]] = arith.maxui %[[C100]], %[[SIZE]]
// CHECK:         %[[UP:.*]] = arith.addi %[[END]], %[[C63]]
// CHECK:         %[[OFFSET:.*]] = arith.andi %[[UP]], %[[MASK]]
// CHECK:         %[[ALL:.*]] = arith.addi %[[OFFSET]],
// CHECK:         memref.alloc(
func.func @rounded(%x: memref<?xf32>, %k: memref<25xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c40 = arith.constant 40 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot least(100) above(%s0) size(%c40) align(64)
  %arena = memplan.arena least(100) of(%s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  %b = memplan.view %arena[%s1] align(64) : memref<?xi8> to memref<10xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// A slot with the frames of workers: what depends on the worker is added last.
// CHECK-LABEL: func.func @frames_in_a_slot
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK:           %[[FRAME:.*]] = arith.muli %[[I]], %c64
// CHECK:           %[[OFFSET:.*]] = arith.addi %{{.*}}, %[[FRAME]]
// CHECK:           memref.view %{{.*}}[%[[OFFSET]]][] {memplan.slot = array<i64: 1, 0>} : memref<?xi8> to memref<16xf32>
func.func @frames_in_a_slot(%x: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %bytes = arith.muli %n, %c256 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%c256) align(64)
  %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %some = arith.remui %n, %c4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %b = memplan.view %arena[%s1 + %i * 64] align(64) : memref<?xi8> to memref<16xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<16xf32>)
    %v = memref.load %b[%i] : memref<16xf32>
    memref.store %v, %x[%i, %c0] : memref<?x64xf32>
    %c = memplan.view %arena[%s1 + %i * 64](%some) align(64) : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%one : f32) outs(%c : memref<?xf32>)
    %w = memref.load %c[%c0] : memref<?xf32>
    memref.store %w, %x[%i, %c1] : memref<?x64xf32>
  }
  linalg.abs ins(%a : memref<?x64xf32>) outs(%x : memref<?x64xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// Slots of one size in two bodies: each computes its own number.
// CHECK-LABEL: func.func @two_bodies
// CHECK:         scf.for
// CHECK:           arith.minui
// CHECK:         scf.for
// CHECK:           arith.minui
func.func @two_bodies(%n: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  %bytes = arith.muli %n, %c4 : index
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memplan.slot size(%bytes) align(64)
    %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
    %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
    memplan.release %arena : memref<?xi8>
  }
  scf.for %i = %c0 to %n step %c1 {
    %s0 = memplan.slot size(%bytes) align(64)
    %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
    %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
    memplan.release %arena : memref<?xi8>
  }
  return
}

// A slot below another in a block behind it in the text, where two slots have one size.
// CHECK-LABEL: func.func @behind
// CHECK:       ^bb1:
// CHECK:         memref.alloc(
// CHECK:       ^bb2:
// CHECK-COUNT-1: arith.minui
// CHECK:         cf.br ^bb1
func.func @behind(%n: index, %x: memref<?xf32>) {
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %n, %c4 : index
  cf.br ^b
^c:
  %s2 = memplan.slot above(%s1) size(%bytes) align(64)
  %arena = memplan.arena of(%s2) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.abs ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
^b:
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  cf.br ^c
}

// A product of 2^26 factors is not taken apart.
// CHECK-LABEL: func.func @squares
// CHECK:         arith.maxsi
// CHECK:         arith.minui
func.func @squares(%x0: index, %out: memref<?xf32>) {
  %x1 = arith.muli %x0, %x0 : index
  %x2 = arith.muli %x1, %x1 : index
  %x3 = arith.muli %x2, %x2 : index
  %x4 = arith.muli %x3, %x3 : index
  %x5 = arith.muli %x4, %x4 : index
  %x6 = arith.muli %x5, %x5 : index
  %x7 = arith.muli %x6, %x6 : index
  %x8 = arith.muli %x7, %x7 : index
  %x9 = arith.muli %x8, %x8 : index
  %x10 = arith.muli %x9, %x9 : index
  %x11 = arith.muli %x10, %x10 : index
  %x12 = arith.muli %x11, %x11 : index
  %x13 = arith.muli %x12, %x12 : index
  %x14 = arith.muli %x13, %x13 : index
  %x15 = arith.muli %x14, %x14 : index
  %x16 = arith.muli %x15, %x15 : index
  %x17 = arith.muli %x16, %x16 : index
  %x18 = arith.muli %x17, %x17 : index
  %x19 = arith.muli %x18, %x18 : index
  %x20 = arith.muli %x19, %x19 : index
  %x21 = arith.muli %x20, %x20 : index
  %x22 = arith.muli %x21, %x21 : index
  %x23 = arith.muli %x22, %x22 : index
  %x24 = arith.muli %x23, %x23 : index
  %x25 = arith.muli %x24, %x24 : index
  %x26 = arith.muli %x25, %x25 : index
  %c4 = arith.constant 4 : index
  %bytes = arith.muli %x26, %c4 : index
  %s = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s](%x26) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%out : memref<?xf32>) outs(%a : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// An end that is never behind another one is left out of the size. Sizes may be
// products of a difference.
// CHECK-LABEL: func.func @differences
// CHECK:         %[[BYTES:.*]] = arith.muli %{{.*}}, %c8
// CHECK:         %[[SIZE:.*]] = arith.maxsi %[[BYTES]]
// CHECK-NEXT:    %[[LIMITED:.*]] = arith.minui %[[SIZE]]
// CHECK-NEXT:    memref.alloc(%[[LIMITED]])
func.func @differences(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf32>
  %rest = arith.subi %n, %c3 : index
  %bytes = arith.muli %rest, %c4 : index
  %twice = arith.muli %rest, %c8 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot size(%twice) align(64)
  %arena = memplan.arena of(%s0, %s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%rest) align(64) : memref<?xi8> to memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %b = memplan.view %arena[%s1](%rest) align(64) : memref<?xi8> to memref<?xf64>
  linalg.fill ins(%two : f64) outs(%b : memref<?xf64>)
  memplan.release %arena : memref<?xi8>
  return
}

// A buffer without elements ends where it begins, at the greatest of the ends
// below it. The size of the arena is the greatest of these and one more.
// CHECK-LABEL: func.func @without_elements
// CHECK:         memref.view {{.*}} : memref<?xi8> to memref<?x0xf32>
func.func @without_elements(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c12 = arith.constant 12 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %m = memref.dim %y, %c0 : memref<?x64xf32>
  %n4 = arith.muli %n, %c256 : index
  %m4 = arith.muli %m, %c256 : index
  %s0 = memplan.slot size(%n4) align(64)
  %s1 = memplan.slot size(%m4) align(64)
  %s2 = memplan.slot above(%s0, %s1) size(%c0) align(64)
  %s3 = memplan.slot above(%s0) size(%c12) align(64)
  %arena = memplan.arena of(%s2, %s3) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  %d = memplan.view %arena[%s3] align(64) : memref<?xi8> to memref<3xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?x64xf32>)
  linalg.fill ins(%one : f32) outs(%d : memref<3xf32>)
  %b = memplan.view %arena[%s1](%m) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<?x64xf32>)
  %c = memplan.view %arena[%s2](%n) align(64) : memref<?xi8> to memref<?x0xf32>
  linalg.fill ins(%one : f32) outs(%c : memref<?x0xf32>)
  memplan.release %arena : memref<?xi8>
  return
}
