// RUN: memplan-opt %s --plan-memory=require=verified | FileCheck %s

// The slot of %v63 begins behind the element that %v23 may have, whatever the other
// sizes are. Many slots are below it, so that trying their ends one by one takes
// too long: each offset has a least value of its own.
// CHECK-LABEL: func.func @above_one_element(
// CHECK-NOT:     memref.alloc(%{{.*}}, %
func.func @above_one_element(%x: memref<?xi64>, %y: memref<?x?xi64>, %o_qxf32: memref<?xf32>, %o_qxi64: memref<?xi64>, %o_qxqxf32: memref<?x?xf32>, %o_qxqxi32: memref<?x?xi32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i3 = arith.constant 3 : index
  %i4 = arith.constant 4 : index
  %n = memref.dim %x, %i0 : memref<?xi64>
  %m = memref.dim %y, %i1 : memref<?x?xi64>
  %v1 = memref.alloc(%n) : memref<?xi64>
  linalg.map { arith.addi } ins(%x, %x : memref<?xi64>, memref<?xi64>) outs(%v1 : memref<?xi64>)
  %v3 = memref.alloc(%n) : memref<?xi64>
  %v4 = arith.constant 3 : i64
  linalg.fill ins(%v4 : i64) outs(%v3 : memref<?xi64>)
  %v5 = memref.alloc(%n) : memref<?xi64>
  %r7:2 = scf.for %l7 = %i0 to %i4 step %i1 iter_args(%c7_0 = %v3, %c7_1 = %v5) -> (memref<?xi64>, memref<?xi64>) {
    scf.yield %c7_0, %c7_1 : memref<?xi64>, memref<?xi64>
  }
  %v17 = arith.minsi %i2, %i4 : index
  scf.for %l16 = %i0 to %v17 step %i1 {
      %v23 = memref.alloc(%l16) : memref<?xi32>
  }
  %v50 = memref.alloc(%n) : memref<?xi64>
  memref.copy %v1, %v50 : memref<?xi64> to memref<?xi64>
  %v53 = memref.alloc(%n) : memref<?xf32>
  %v56 = memref.alloc(%n) : memref<?xf32>
  linalg.map { arith.addf } ins(%v53, %v53 : memref<?xf32>, memref<?xf32>) outs(%v56 : memref<?xf32>)
  %v58 = memref.alloc(%n) : memref<?xi64>
  %v60 = memref.alloc(%n) : memref<?xi64>
  linalg.map { arith.addi } ins(%v58, %v58 : memref<?xi64>, memref<?xi64>) outs(%v60 : memref<?xi64>)
  %v61 = memref.alloc(%n) : memref<?xi64>
  linalg.map { arith.addi } ins(%v60, %v60 : memref<?xi64>, memref<?xi64>) outs(%v61 : memref<?xi64>)
  %v63 = memref.alloc(%n, %m) : memref<?x?xf32>
  %v65 = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.map { arith.addf } ins(%v63, %v63 : memref<?x?xf32>, memref<?x?xf32>) outs(%v65 : memref<?x?xf32>)
  %v67 = memref.alloc(%n, %m) : memref<?x?xf32>
  memref.copy %v67, %o_qxqxf32 : memref<?x?xf32> to memref<?x?xf32>
  %v77 = memref.dim %v65, %i0 : memref<?x?xf32>
  %v78 = memref.alloc(%n, %m) : memref<?x?xi64>
  %r80:1 = scf.for %l80 = %i0 to %i3 step %i1 iter_args(%c80_0 = %v78) -> (memref<?x?xi64>) {
    %v86 = memref.alloc(%n) : memref<?xf32>
    scf.yield %c80_0 : memref<?x?xi64>
  }
  %v102 = arith.remui %v77, %i3 : index
  %r103 = scf.index_switch %v102 -> memref<?x?xf32>
  default {
    scf.yield %v65 : memref<?x?xf32>
  }
    %v112 = memref.alloc(%n, %m) {alignment = 128 : i64} : memref<?x?xi64>
    linalg.map { arith.addi } ins(%r80#0, %r80#0 : memref<?x?xi64>, memref<?x?xi64>) outs(%v112 : memref<?x?xi64>)
  %v115 = memref.alloc(%n, %m) : memref<?x?xi32>
  %v117 = memref.alloc(%n, %m) : memref<?x?xi32>
  %r119:2 = scf.for %l119 = %i0 to %i3 step %i1 iter_args(%c119_0 = %v115, %c119_1 = %v117) -> (memref<?x?xi32>, memref<?x?xi32>) {
    %v120 = memref.alloc(%n, %m) : memref<?x?xf32>
    %v122 = memref.alloc(%n, %m) {alignment = 128 : i64} : memref<?x?xf32>
    %v126 = memref.alloc(%n, %m) : memref<?x?xi32>
    scf.yield %c119_0, %v126 : memref<?x?xi32>, memref<?x?xi32>
  }
  memref.copy %v1, %o_qxi64 : memref<?xi64> to memref<?xi64>
  memref.copy %v3, %o_qxi64 : memref<?xi64> to memref<?xi64>
  memref.copy %v50, %o_qxi64 : memref<?xi64> to memref<?xi64>
  memref.copy %v53, %o_qxf32 : memref<?xf32> to memref<?xf32>
  memref.copy %v58, %o_qxi64 : memref<?xi64> to memref<?xi64>
  memref.copy %v61, %o_qxi64 : memref<?xi64> to memref<?xi64>
  memref.copy %v63, %o_qxqxf32 : memref<?x?xf32> to memref<?x?xf32>
  memref.copy %v65, %o_qxqxf32 : memref<?x?xf32> to memref<?x?xf32>
  memref.copy %v67, %o_qxqxf32 : memref<?x?xf32> to memref<?x?xf32>
  memref.copy %v117, %o_qxqxi32 : memref<?x?xi32> to memref<?x?xi32>
  memref.copy %r119#0, %o_qxqxi32 : memref<?x?xi32> to memref<?x?xi32>
  return
}

