// Buffers that two ops permute may be in their slots in very many combinations.
// The verifier knows of each two of them that they share no bytes.
// RUN: memplan-opt %s --memplan-verify -o /dev/null

// Any of 40320 combinations. The previous contents of the slots, which may be
// of any of the eight, are dead by then.
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1, %lo: index, %hi: index, %step: index) {
  %arena = memplan.arena align(64) : memref<512xi8>
  %e = memplan.view %arena[0] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %e : memref<16xf32> to memref<16xf32>
  %a7 = memplan.view %arena[448] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a7 : memref<16xf32> to memref<16xf32>
  %s = arith.select %c, %e, %a7 : memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  %a0 = memplan.view %arena[0] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a0 : memref<16xf32> to memref<16xf32>
  %a1 = memplan.view %arena[64] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a1 : memref<16xf32> to memref<16xf32>
  %a2 = memplan.view %arena[128] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a2 : memref<16xf32> to memref<16xf32>
  %a3 = memplan.view %arena[192] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a3 : memref<16xf32> to memref<16xf32>
  %a4 = memplan.view %arena[256] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a4 : memref<16xf32> to memref<16xf32>
  %a5 = memplan.view %arena[320] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a5 : memref<16xf32> to memref<16xf32>
  %a6 = memplan.view %arena[384] align(64) : memref<512xi8> to memref<16xf32>
  memref.copy %in, %a6 : memref<16xf32> to memref<16xf32>
  %r:8 = scf.for %i = %lo to %hi step %step iter_args(%x0 = %a0, %x1 = %a1, %x2 = %a2, %x3 = %a3, %x4 = %a4, %x5 = %a5, %x6 = %a6, %x7 = %a7) -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
    %y:8 = scf.if %c -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>) {
      scf.yield %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x0 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
    } else {
      scf.yield %x1, %x0, %x2, %x3, %x4, %x5, %x6, %x7 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
    }
    scf.yield %y#0, %y#1, %y#2, %y#3, %y#4, %y#5, %y#6, %y#7 : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<16xf32>
  }
  memref.copy %r#0, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#1, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#2, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#3, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#4, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#5, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#6, %out : memref<16xf32> to memref<16xf32>
  memref.copy %r#7, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<512xi8>
  return
}
