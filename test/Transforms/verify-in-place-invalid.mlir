// Plans in which an op overwrites a buffer that this or another op still reads.
// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir -split-input-file -verify-diagnostics --memplan-verify=quiet=true
// RUN: memplan-opt %t.mlir -split-input-file -verify-diagnostics --memplan-lower --memplan-verify=quiet=true

func.func @transposed(%in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<4x4xf32>
  // expected-error @below {{shares bytes with it}}
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// %a has a later use.
func.func @read_later(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.abs'}}
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// In place in either slot: %x is in the slot of %b, or in separate bytes.
func.func @chosen(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%d : memref<16xf32>)
  %x = arith.select %c, %a, %d : memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// One of the two buffers that %x may be has the same bytes, the other one is
// shifted.
func.func @one_is_shifted(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %d = memplan.view %arena[64] align(4) : memref<128xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%d : memref<16xf32>)
  %x = arith.select %c, %a, %d : memref<16xf32>
  %e = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{is placed here}}
  %f = memplan.view %arena[32] align(4) : memref<128xi8> to memref<16xf32>
  %b = arith.select %c, %e, %f : memref<16xf32>
  // expected-error @below {{writes buffer at bytes [32, 96) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.abs ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// At the same bytes, but each element is overwritten before it is read.
func.func @chosen_and_transposed(%c: i1, %in: memref<4x4xf32>, %out: memref<4x4xf32>) {
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %d = memplan.view %arena[64] align(64) : memref<128xi8> to memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%d : memref<4x4xf32>)
  %x = arith.select %c, %a, %d : memref<4x4xf32>
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<128xi8> to memref<4x4xf32>
  // expected-error @below {{shares bytes with it}}
  linalg.transpose ins(%x : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  memref.copy %b, %out : memref<4x4xf32> to memref<4x4xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// A declared function without the attribute must not overwrite a buffer that it
// reads.
func.func private @shuffle(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)
func.func @callee_says_nothing(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  // expected-note @below {{is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{shares bytes with it}}
  call @shuffle(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// CHANGE: A function with the attribute for its first argument must not overwrite the
// second.
//-func.func private @shuffle(memref<16xf32> {bufferization.access = "read"}, memref<16xf32>)
//-func.func @callee_says_nothing(%in: memref<16xf32>, %out: memref<16xf32>) {
//+func.func private @add(memref<16xf32> {llvm.readonly}, memref<16xf32> {llvm.readonly},
//+                       memref<16xf32> {memplan.overwrites = array<i64: 0>})
//+func.func @callee_says_another(%in: memref<16xf32>, %out: memref<16xf32>) {
//-  call @shuffle(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
//+  call @add(%in, %a, %b) : (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> ()

// -----

// An op overwrites elements that another of its iterations still reads, so it
// is not in place. Transposed.
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main() {
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_2 = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<4x4xi32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  %0 = memref.load %view_2[%c3, %c0_0] : memref<4x4xi32>
  vector.print %0 : i32
  memplan.release %alloc : memref<256xi8>
  return
}

// CHANGE: A row is read by all iterations of the outer loop.
//-#map = affine_map<(d0, d1) -> (d1, d0)>
//-#map1 = affine_map<(d0, d1) -> (d0, d1)>
//+#map = affine_map<(d0, d1) -> (d1)>
//+#map1 = affine_map<(d0, d1) -> (d1, d0)>
//-  %c3 = arith.constant 3 : index
//-  %c4 = arith.constant 4 : index
//+  %c4 = arith.constant 4 : index
//-  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//-  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
//+  %subview = memref.subview %view[0, 0] [1, 4] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[1]>>
//+  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//+  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%subview : memref<4xi32, strided<[1]>>) outs(%view_2 : memref<4x4xi32>) {
//-  %0 = memref.load %view_2[%c3, %c0_0] : memref<4x4xi32>
//+  %0 = memref.load %view_2[%c1, %c1] : memref<4x4xi32>

// CHANGE: Read twice, once in its own order and once transposed.
//-#map = affine_map<(d0, d1) -> (d1, d0)>
//-#map1 = affine_map<(d0, d1) -> (d0, d1)>
//+#map = affine_map<(d0, d1) -> (d0, d1)>
//+#map1 = affine_map<(d0, d1) -> (d1, d0)>
//-  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
//-  ^bb0(%in: i32, %out: i32):
//-    linalg.yield %in : i32
//+  linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%view, %view : memref<4x4xi32>, memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
//+  ^bb0(%in: i32, %in_3: i32, %out: i32):
//+    %1 = arith.addi %in, %in_3 : i32
//+    linalg.yield %1 : i32

// CHANGE: The bytes of a part of the operand, from its second row on.
//-#map = affine_map<(d0, d1) -> (d1, d0)>
//-#map1 = affine_map<(d0, d1) -> (d0, d1)>
//+#map = affine_map<(d0, d1) -> (d0, d1)>
//-  // expected-note @below {{the buffer at [0, 64) is placed here}}
//-  %view_2 = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<4x4xi32>
//-  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//-  linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {
//+  // expected-note @below {{the buffer at [16, 80) is placed here}}
//+  %view_2 = memplan.view %alloc[16] align(4) : memref<256xi8> to memref<4x4xi32>
//+  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//+  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%view : memref<4x4xi32>) outs(%view_2 : memref<4x4xi32>) {

// -----

// Elements twice as large as the read ones.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %alloc = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<16xi32>
  scf.for %arg0 = %c0_0 to %c16 step %c1 {
    %1 = arith.index_cast %arg0 : index to i32
    memref.store %1, %view[%arg0] : memref<16xi32>
  }
  // expected-note @below {{the buffer at [0, 128) is placed here}}
  %view_1 = memplan.view %alloc[0] align(8) : memref<256xi8> to memref<16xi64>
  // expected-error @below {{writes buffer at bytes [0, 128) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<16xi32>) outs(%view_1 : memref<16xi64>) {
  ^bb0(%in: i32, %out: i64):
    %1 = arith.extsi %in : i32 to i64
    linalg.yield %1 : i64
  }
  %0 = memref.load %view_1[%c3] : memref<16xi64>
  vector.print %0 : i64
  memplan.release %alloc : memref<256xi8>
  return
}

// -----

// Elements half as large are allowed one by one at the same bytes, but here
// they are shifted by some bytes.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16_1 = arith.constant 16 : index
  %alloc = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 128) is placed here}}
  %view = memplan.view %alloc[0] align(8) : memref<256xi8> to memref<16xi64>
  scf.for %arg0 = %c0_0 to %c16_1 step %c1 {
    %1 = arith.index_cast %arg0 : index to i64
    memref.store %1, %view[%arg0] : memref<16xi64>
  }
  // expected-note @below {{the buffer at [16, 80) is placed here}}
  %view_2 = memplan.view %alloc[16] align(4) : memref<256xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 128), which shares bytes with it}}
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%view : memref<16xi64>) outs(%view_2 : memref<16xi32>) {
  ^bb0(%in: i64, %out: i32):
    %1 = arith.trunci %in : i64 to i32
    linalg.yield %1 : i32
  }
  %0 = memref.load %view_2[%c3] : memref<16xi32>
  vector.print %0 : i32
  memplan.release %alloc : memref<256xi8>
  return
}

// -----

// The body reads an element of another iteration.
#map = affine_map<(d0) -> (d0)>
func.func @main() {
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %alloc = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<16xi32>
  scf.for %arg0 = %c0_0 to %c16 step %c1 {
    %1 = arith.index_cast %arg0 : index to i32
    memref.store %1, %view[%arg0] : memref<16xi32>
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_1 = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<16xi32>
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
  memplan.release %alloc : memref<256xi8>
  return
}

// -----

// A product overwrites one of its factors.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main() {
  %c0_0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c4_1 = arith.constant 4 : index
  %alloc = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<4x4xi32>
  scf.for %arg0 = %c0_0 to %c4 step %c1 {
    scf.for %arg1 = %c0_0 to %c4_1 step %c1 {
      %1 = arith.muli %arg0, %c4_1 : index
      %2 = arith.addi %1, %arg1 : index
      %3 = arith.index_cast %2 : index to i32
      memref.store %3, %view[%arg0, %arg1] : memref<4x4xi32>
    }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %view_2 = memplan.view %alloc[0] align(4) : memref<256xi8> to memref<4x4xi32>
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
  memplan.release %alloc : memref<256xi8>
  return
}
