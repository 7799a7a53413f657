// A loop overwrites elements that the same or another iteration still reads.
// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %t.mlir --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: %python %memplan_src/test/tools/check_lost_bytes.py %t.mlir | FileCheck %s
// CHECK: 0 print what they should

// The load is transposed.
func.func @main() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %i1 = arith.index_cast %i : index to i32
      %j1 = arith.index_cast %j : index to i32
      %c5 = arith.constant 5 : i32
      %m = arith.muli %i1, %c5 : i32
      %v = arith.addi %m, %j1 : i32
      affine.store %v, %a[%i, %j] : memref<4x4xi32>
    }
  }
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
      %x = affine.load %a[%j, %i] : memref<4x4xi32>
      // expected-note @below {{bytes [0, 64) are written here}}
      affine.store %x, %b[%i, %j] : memref<4x4xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %b[%i, %j] : memref<4x4xi32>
      vector.print %x : i32
    }
  }
  memplan.release %arena : memref<256xi8>
  return
}

// CHANGE: The load is of a neighbouring element.
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//+      %x = affine.load %a[%i, (%j + 3) mod 4] : memref<4x4xi32>

// CHANGE: The outer loop overwrites the buffer and reads it again in the next
// iteration.
//-  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
//+  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
//+  affine.for %n = 0 to 2 {
//+  // expected-note @below {{bytes [0, 64) are written here}}
//-      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//-      // expected-note @below {{bytes [0, 64) are written here}}
//-      affine.store %x, %b[%i, %j] : memref<4x4xi32>
//+      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.for' through}}
//+      %x = affine.load %a[%i, %j] : memref<4x4xi32>
//+      %y = arith.addi %x, %x : i32
//+      affine.store %y, %b[%i, %j] : memref<4x4xi32>
//-  }
//-  affine.for %i = 0 to 4 {
//+  }
//+  }
//+  affine.for %i = 0 to 4 {

// CHANGE: The store comes first.
//-      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//-      // expected-note @below {{bytes [0, 64) are written here}}
//-      affine.store %x, %b[%i, %j] : memref<4x4xi32>
//+      %c7 = arith.constant 7 : i32
//+      // expected-note @below {{bytes [0, 64) are written here}}
//+      affine.store %c7, %b[%i, %j] : memref<4x4xi32>
//+      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
//+      %x = affine.load %a[%i, %j] : memref<4x4xi32>
//+      %y = arith.addi %x, %x : i32
//+      affine.store %y, %b[%i, %j] : memref<4x4xi32>

// CHANGE: By another name, one row below.
//-  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
//+  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
//+  %v = memref.subview %a[1, 0] [3, 4] [1, 1] : memref<4x4xi32> to memref<3x4xi32, strided<[4, 1], offset: 4>>
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//+      %x = affine.load %a[%i, %j] : memref<4x4xi32>
//+      %w = affine.load %v[0, %j] : memref<3x4xi32, strided<[4, 1], offset: 4>>
//+      %y = arith.addi %x, %w : i32
//-      affine.store %x, %b[%i, %j] : memref<4x4xi32>
//+      affine.store %y, %b[%i, %j] : memref<4x4xi32>

// CHANGE: It is needed after the loops.
//-  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
//+  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
//+  // expected-note @below {{bytes [0, 64) are written here}}
//-      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//-      // expected-note @below {{bytes [0, 64) are written here}}
//-      affine.store %x, %b[%i, %j] : memref<4x4xi32>
//+      %x = affine.load %a[%i, %j] : memref<4x4xi32>
//+      %y = arith.addi %x, %x : i32
//+      affine.store %y, %b[%i, %j] : memref<4x4xi32>
//-  }
//-  affine.for %i = 0 to 4 {
//+  }
//+  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.for'}}
//+  %again = affine.load %a[3, 3] : memref<4x4xi32>
//+  vector.print %again : i32
//+  affine.for %i = 0 to 4 {

// CHANGE: Iterations of the outer loop run at once, or repeat.
//-  affine.for %i = 0 to 4 {
//-    affine.for %j = 0 to 4 {
//-      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//-      // expected-note @below {{bytes [0, 64) are written here}}
//-      affine.store %x, %b[%i, %j] : memref<4x4xi32>
//+  affine.parallel (%k) = (0) to (2) {
//+    affine.for %i = 0 to 4 {
//+      affine.for %j = 0 to 4 {
//+        // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
//+        %x = affine.load %a[%i, %j] : memref<4x4xi32>
//+        %y = arith.addi %x, %x : i32
//+        // expected-note @below {{bytes [0, 64) are written here}}
//+        affine.store %y, %b[%i, %j] : memref<4x4xi32>
//+      }

// CHANGE: The loop runs backwards.
//-      %x = affine.load %a[%j, %i] : memref<4x4xi32>
//+      %x = affine.load %a[-%i + 3, %j] : memref<4x4xi32>
//+      %y = arith.addi %x, %x : i32
//-      affine.store %x, %b[%i, %j] : memref<4x4xi32>
//+      affine.store %y, %b[%i, %j] : memref<4x4xi32>

// -----

// It is needed after the loops, and was forwarded before.
func.func @main() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %i1 = arith.index_cast %i : index to i32
      %j1 = arith.index_cast %j : index to i32
      %c5 = arith.constant 5 : i32
      %m = arith.muli %i1, %c5 : i32
      %v = arith.addi %m, %j1 : i32
      affine.store %v, %a[%i, %j] : memref<4x4xi32>
    }
  }
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
  %true = arith.constant true
  %same = scf.execute_region -> memref<4x4xi32> {
    scf.yield %a : memref<4x4xi32>
  }
  // expected-note @below {{bytes [0, 64) are written here}}
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<4x4xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %b[%i, %j] : memref<4x4xi32>
    }
  }
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.for'}}
  %again = affine.load %same[3, 3] : memref<4x4xi32>
  vector.print %again : i32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %b[%i, %j] : memref<4x4xi32>
      vector.print %x : i32
    }
  }
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// Equal indices, but different bytes: %b[1, 0] is %a[2, 0].
func.func @main() {
  %arena = memplan.arena align(64) : memref<256xi8>
  // expected-note @below {{is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<8x2xi32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 2 {
      %i1 = arith.index_cast %i : index to i32
      %j1 = arith.index_cast %j : index to i32
      %c5 = arith.constant 5 : i32
      %m = arith.muli %i1, %c5 : i32
      %v = arith.addi %m, %j1 : i32
      affine.store %v, %a[%i, %j] : memref<8x2xi32>
    }
  }
  %b = memplan.view %arena[0] align(64) : memref<256xi8> to memref<4x4xi32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'affine.store'}}
      %x = affine.load %a[%i, %j] : memref<8x2xi32>
      // expected-note @below {{bytes [0, 64) are written here}}
      affine.store %x, %b[%i, %j] : memref<4x4xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      %x = affine.load %b[%i, %j] : memref<4x4xi32>
      vector.print %x : i32
    }
  }
  memplan.release %arena : memref<256xi8>
  return
}
