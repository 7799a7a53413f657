// An op overwrites elements that another of its iterations still reads, so it
// is not in place.
// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %t.mlir --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: %python %memplan_src/test/tools/check_lost_bytes.py %t.mlir | FileCheck %s
// CHECK: 0 print what they should

// Transposed.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n0 = arith.constant 4 : index
  %n1 = arith.constant 4 : index
  %arena = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<256xi8> to memref<4x4xi32>
  scf.for %i0 = %c0 to %n0 step %c1 {
  scf.for %i1 = %c0 to %n1 step %c1 {
    %row = arith.muli %i0, %n1 : index
    %at = arith.addi %row, %i1 : index
    %v = arith.index_cast %at : index to i32
    memref.store %v, %a[%i0, %i1] : memref<4x4xi32>
  }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(16) : memref<256xi8> to memref<4x4xi32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
  ^bb0(%i: i32, %o: i32):
    linalg.yield %i : i32
  }
  %x = memref.load %b[%c3, %c0] : memref<4x4xi32>
  vector.print %x : i32
  memplan.release %arena : memref<256xi8>
  return
}

// CHANGE: A row is read by all iterations of the outer loop.
//-  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//-  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
//+  %row0 = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<4x4xi32> to memref<4xi32, strided<[1]>>
//+  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//+  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1, d0)>],
//-      ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
//+      ins(%row0 : memref<4xi32, strided<[1]>>) outs(%b : memref<4x4xi32>) {
//-  %x = memref.load %b[%c3, %c0] : memref<4x4xi32>
//+  %x = memref.load %b[%c1, %c1] : memref<4x4xi32>

// CHANGE: Read twice, once in its own order and once transposed.
//-  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
//+  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
//-      ins(%a : memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
//-  ^bb0(%i: i32, %o: i32):
//-    linalg.yield %i : i32
//+      ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
//+  ^bb0(%i: i32, %j: i32, %o: i32):
//+    %s = arith.addi %i, %j : i32
//+    linalg.yield %s : i32

// CHANGE: The bytes of a part of the operand, from its second row on.
//-  // expected-note @below {{the buffer at [0, 64) is placed here}}
//-  %b = memplan.view %arena[0] align(16) : memref<256xi8> to memref<4x4xi32>
//-  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//-  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
//+  // expected-note @below {{the buffer at [16, 80) is placed here}}
//+  %b = memplan.view %arena[16] align(16) : memref<256xi8> to memref<4x4xi32>
//+  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
//+  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],

// -----

// Elements twice as large as the read ones.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n0 = arith.constant 16 : index
  %arena = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<256xi8> to memref<16xi32>
  scf.for %i0 = %c0 to %n0 step %c1 {
    %v = arith.index_cast %i0 : index to i32
    memref.store %v, %a[%i0] : memref<16xi32>
  }
  // expected-note @below {{the buffer at [0, 128) is placed here}}
  %b = memplan.view %arena[0] align(16) : memref<256xi8> to memref<16xi64>
  // expected-error @below {{writes buffer at bytes [0, 128) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<16xi32>) outs(%b : memref<16xi64>) {
  ^bb0(%i: i32, %o: i64):
    %w = arith.extsi %i : i32 to i64
    linalg.yield %w : i64
  }
  %x = memref.load %b[%c3] : memref<16xi64>
  vector.print %x : i64
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Elements half as large are allowed one by one at the same bytes, but here
// they are shifted by some bytes.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n0 = arith.constant 16 : index
  %arena = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 128) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<256xi8> to memref<16xi64>
  scf.for %i0 = %c0 to %n0 step %c1 {
    %v = arith.index_cast %i0 : index to i64
    memref.store %v, %a[%i0] : memref<16xi64>
  }
  // expected-note @below {{the buffer at [16, 80) is placed here}}
  %b = memplan.view %arena[16] align(16) : memref<256xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [16, 80) of the arena and uses the buffer at [0, 128), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<16xi64>) outs(%b : memref<16xi32>) {
  ^bb0(%i: i64, %o: i32):
    %w = arith.trunci %i : i64 to i32
    linalg.yield %w : i32
  }
  %x = memref.load %b[%c3] : memref<16xi32>
  vector.print %x : i32
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// The body reads an element of another iteration.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n0 = arith.constant 16 : index
  %arena = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<256xi8> to memref<16xi32>
  scf.for %i0 = %c0 to %n0 step %c1 {
    %v = arith.index_cast %i0 : index to i32
    memref.store %v, %a[%i0] : memref<16xi32>
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(16) : memref<256xi8> to memref<16xi32>
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                  iterator_types = ["parallel"]}
      ins(%a : memref<16xi32>) outs(%b : memref<16xi32>) {
  ^bb0(%i: i32, %o: i32):
    %k = linalg.index 0 : index
    %last = arith.constant 15 : index
    %back = arith.subi %last, %k : index
    %w = memref.load %a[%back] : memref<16xi32>
    linalg.yield %w : i32
  }
  %last = arith.constant 15 : index
  %x = memref.load %b[%last] : memref<16xi32>
  vector.print %x : i32
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// A product overwrites one of its factors.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n0 = arith.constant 4 : index
  %n1 = arith.constant 4 : index
  %arena = memplan.arena align(16) : memref<256xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(16) : memref<256xi8> to memref<4x4xi32>
  scf.for %i0 = %c0 to %n0 step %c1 {
  scf.for %i1 = %c0 to %n1 step %c1 {
    %row = arith.muli %i0, %n1 : index
    %at = arith.addi %row, %i1 : index
    %v = arith.index_cast %at : index to i32
    memref.store %v, %a[%i0, %i1] : memref<4x4xi32>
  }
  }
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(16) : memref<256xi8> to memref<4x4xi32>
  %unit = memref.alloc() : memref<4x4xi32>
  %one = arith.constant 1 : i32
  linalg.fill ins(%one : i32) outs(%unit : memref<4x4xi32>)
  // expected-error @below {{writes buffer at bytes [0, 64) of the arena and uses the buffer at [0, 64), which shares bytes with it}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %unit : memref<4x4xi32>, memref<4x4xi32>) outs(%b : memref<4x4xi32>) {
  ^bb0(%i: i32, %j: i32, %o: i32):
    %p = arith.muli %i, %j : i32
    %at = linalg.index 1 : index
    %column = arith.index_cast %at : index to i32
    %s = arith.addi %p, %column : i32
    linalg.yield %s : i32
  }
  memref.dealloc %unit : memref<4x4xi32>
  %x = memref.load %b[%c3, %c3] : memref<4x4xi32>
  vector.print %x : i32
  memplan.release %arena : memref<256xi8>
  return
}
