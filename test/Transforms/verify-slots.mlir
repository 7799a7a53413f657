// RUN: memplan-opt %s -split-input-file -verify-diagnostics --memplan-verify=quiet=true
// RUN: memplan-opt %s -split-input-file --memplan-lower --memplan-verify=quiet=true -o /dev/null
// RUN: memplan-opt %s -split-input-file --memplan-lower --canonicalize --cse --memplan-verify=quiet=true -o /dev/null

// Slots whose offsets are not numbers: the order of the slots is the proof.

// %a and %c share a slot, and %b lies above both.
func.func @one_above_another(%x: memref<?x64xf32>, %y: memref<?x64xf32>) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %bytes = arith.muli %n, %c256 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.abs ins(%a : memref<?x64xf32>) outs(%b : memref<?x64xf32>)
  %c = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x64xf32>
  linalg.exp ins(%b : memref<?x64xf32>) outs(%c : memref<?x64xf32>)
  memref.copy %c, %y : memref<?x64xf32> to memref<?x64xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// %s2 is above %s0 through %s1. Their sizes differ, and one is constant.
func.func @through_another(%x: memref<?xf32>, %k: memref<16xf32>,
                           %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%c64) align(64)
  %s2 = memplan.slot above(%s1) size(%bytes) align(64)
  %arena = memplan.arena of(%s2) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  %b = memplan.view %arena[%s1] align(64) : memref<?xi8> to memref<16xf32>
  %c = memplan.view %arena[%s2](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.exp ins(%k : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%c : memref<?xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%k : memref<16xf32>)
  linalg.add ins(%a, %c : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// Control does not reach an allocation of 0 - 3 elements.
func.func @never_allocated(%x: memref<?xf32>, %bit: i1) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %less = arith.constant -12 : index
  %s0 = memplan.slot size(%less) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  scf.if %bit {
    %m = arith.constant -3 : index
    %b = memplan.view %arena[%s0](%m) align(64) : memref<?xi8> to memref<?xf32>
    linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  }
  linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The constant place ends where the slot begins at the earliest.
func.func @above_a_constant(%x: memref<?xf32>, %k: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot least(64) size(%bytes) align(64)
  %arena = memplan.arena least(64) of(%s0) align(64) : memref<?xi8>
  %a = memplan.view %arena[0] align(64) : memref<?xi8> to memref<16xf32>
  %b = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%k : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.abs ins(%a : memref<16xf32>) outs(%k : memref<16xf32>)
  linalg.abs ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// The extents of the views are computed again, elsewhere and in another way:
// they are the same products of the same values.
func.func @same_product(%x: memref<?x?xf32>, %y: memref<?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %nm = arith.muli %n, %m : index
  %bytes = arith.muli %nm, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
  scf.if %p {
    %flat = memref.collapse_shape %x [[0, 1]]
        : memref<?x?xf32> into memref<?xf32>
    %d = memref.dim %flat, %c0 : memref<?xf32>
    %a = memplan.view %arena[%s0](%d) align(64) : memref<?xi8> to memref<?xf32>
    linalg.exp ins(%flat : memref<?xf32>) outs(%a : memref<?xf32>)
    %e = memref.dim %a, %c0 : memref<?xf32>
    %b = memplan.view %arena[%s1](%e) align(64) : memref<?xi8> to memref<?xf32>
    linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
    memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  }
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// In place: each element is read and written at the same bytes of one slot.
func.func @in_place(%x: memref<?x8xf32>, %y: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %bytes = arith.muli %n, %c32 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %arena = memplan.arena of(%s0) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x8xf32>
  linalg.exp ins(%x : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %b = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?x8xf32>
  linalg.abs ins(%a : memref<?x8xf32>) outs(%b : memref<?x8xf32>)
  memref.copy %b, %y : memref<?x8xf32> to memref<?x8xf32>
  memplan.release %arena : memref<?xi8>
  return
}

// -----

// Two slots of one size that a loop carries.
func.func @carried(%x: memref<?xf32>, %y: memref<?xf32>, %steps: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %bytes = arith.muli %n, %c4 : index
  %s0 = memplan.slot size(%bytes) align(64)
  %s1 = memplan.slot above(%s0) size(%bytes) align(64)
  %arena = memplan.arena of(%s1) align(64) : memref<?xi8>
  %a = memplan.view %arena[%s0](%n) align(64) : memref<?xi8> to memref<?xf32>
  %b = memplan.view %arena[%s1](%n) align(64) : memref<?xi8> to memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %r:2 = scf.for %i = %c0 to %steps step %c1
      iter_args(%own = %a, %free = %b) -> (memref<?xf32>, memref<?xf32>) {
    %next = memplan.renew %free : memref<?xf32>
    linalg.abs ins(%own : memref<?xf32>) outs(%next : memref<?xf32>)
    scf.yield %next, %own : memref<?xf32>, memref<?xf32>
  }
  memref.copy %r#0, %y : memref<?xf32> to memref<?xf32>
  memplan.release %arena : memref<?xi8>
  return
}
