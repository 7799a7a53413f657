// Indices that overflow: the wrapped index is another element, or the frame of
// another worker, than the sum of its terms.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

// 2^62 * i / 2^62 is 0, 1, 2, 3, 0, ...: most of %b is not written.
func.func @quotient(%one: f32, %two: f32, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %big = arith.constant 4611686018427387904 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<16xf32>)
  %a = memplan.view %arena[0] align(4) : memref<128xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %m = arith.muli %i, %big : index
    %n = arith.divui %m, %big : index
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.exp' through the buffer at [0, 64) has overwritten}}
    memref.store %two, %b[%n] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// Iterations 0 and 8 access element 0.
func.func @product(%seven: i8, %out: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %big = arith.constant 2305843009213693952 : index
  %arena = memplan.arena align(64) : memref<128xi8>
  // expected-note @below {{the buffer at [0, 4) is placed here}}
  %a = memplan.view %arena[0] align(4) : memref<128xi8> to memref<4xi8>
  linalg.fill ins(%seven : i8) outs(%a : memref<4xi8>)
  %b = memplan.view %arena[0] align(4) : memref<128xi8> to memref<4xi8>
  scf.for %i = %c0 to %c16 step %c1 {
    %r = arith.remui %i, %c8 : index
    %p = arith.cmpi eq, %r, %c0 : index
    scf.if %p {
      %k = arith.muli %i, %big : index
      // expected-error @below {{reads buffer at bytes [0, 4) of the arena, which 'memref.store' through the buffer at [0, 4) has overwritten}}
      %x = memref.load %a[%k] : memref<4xi8>
      %y = arith.addi %x, %x : i8
      // expected-note @below {{bytes [0, 4) are written here}}
      memref.store %y, %b[%k] : memref<4xi8>
    }
  }
  memref.copy %b, %out : memref<4xi8> to memref<4xi8>
  memplan.release %arena : memref<128xi8>
  return
}

// -----

// The same for an index of 32 bits.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @narrow(%seven: i8, %out: memref<4xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %big = arith.constant 536870912 : index
    %arena = memplan.arena align(64) : memref<128xi8>
    // expected-note @below {{the buffer at [0, 4) is placed here}}
    %a = memplan.view %arena[0] align(4) : memref<128xi8> to memref<4xi8>
    linalg.fill ins(%seven : i8) outs(%a : memref<4xi8>)
    %b = memplan.view %arena[0] align(4) : memref<128xi8> to memref<4xi8>
    scf.for %i = %c0 to %c16 step %c1 {
      %r = arith.remui %i, %c8 : index
      %p = arith.cmpi eq, %r, %c0 : index
      scf.if %p {
        %k = arith.muli %i, %big : index
        // expected-error @below {{reads buffer at bytes [0, 4) of the arena}}
        %x = memref.load %a[%k] : memref<4xi8>
        %y = arith.addi %x, %x : i8
        // expected-note @below {{bytes [0, 4) are written here}}
        memref.store %y, %b[%k] : memref<4xi8>
      }
    }
    memref.copy %b, %out : memref<4xi8> to memref<4xi8>
    memplan.release %arena : memref<128xi8>
    return
  }
}

// -----

// Workers 0 and 4 would have one frame.
func.func @frames(%out: memref<8x16xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %big = arith.constant 4611686018427387904 : index
  // expected-note @below {{the arena}}
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<512xi8>
  scf.parallel (%w) = (%c0) to (%c8) step (%c1) {
    %m = arith.muli %w, %big : index
    %n = arith.divui %m, %big : index
    %o = arith.muli %n, %c64 : index
    // expected-error @below {{views the arena at an offset that is neither a constant nor linear in the variables of parallel loops}}
    %a = memref.view %arena[%o][] : memref<512xi8> to memref<16xf32>
    linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
    %s = memref.subview %out[%w, 0] [1, 16] [1, 1] : memref<8x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.exp ins(%a : memref<16xf32>) outs(%s : memref<16xf32, strided<[1], offset: ?>>)
    scf.reduce
  }
  memref.dealloc %arena : memref<512xi8>
  return
}

// -----

// With an index of 32 bits the inner loop, on which nothing else depends, has
// no iteration: nothing is stored.
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
func.func @bound(%one: f32, %two: f32, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %big = arith.constant 2147483648 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<16xf32>)
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  linalg.fill ins(%two : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %big step %c1 {
      // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
      memref.store %one, %b[%i] : memref<16xf32>
    }
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}
}
