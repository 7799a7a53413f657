// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Plans of programs whose ops run at once, each broken by hand in one way; the
// first is correct.

func.func @sound(%m: memref<16xf32>, %f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  memref.copy %a, %m {memplan.step = 1} : memref<16xf32> to memref<16xf32>
  linalg.fill {memplan.step = 1} ins(%f : f32) outs(%b : memref<16xf32>)
  memref.copy %b, %m {memplan.step = 2} : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<256xi8>
  return
}

// -----

// In sequence this would be correct, as %a is dead when %b begins.
func.func @bytes_reused_inside(%m: memref<16xf32>, %f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<16xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-note @below {{this op of the same step}}
  memref.copy %a, %m {memplan.step = 1} : memref<16xf32> to memref<16xf32>
  %b = memplan.view %arena[32] align(32) : memref<256xi8> to memref<16xf32>
  // expected-error @below {{writes the buffer at bytes [32, 96) of the arena, but another op of the step reads the buffer at [0, 64) at the same time}}
  linalg.fill {memplan.step = 1} ins(%f : f32) outs(%b : memref<16xf32>)
  memplan.release %arena : memref<256xi8>
  return
}

// -----

func.func @released_inside(%m: memref<16xf32>, %f: f32) {
  %arena = memplan.arena align(64) : memref<256xi8>
  %a = memplan.view %arena[0] align(64) : memref<256xi8> to memref<16xf32>
  // expected-note @below {{the step begins here}}
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{releases the arena inside step 0, whose ops run at once}}
  memplan.release %arena : memref<256xi8>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%m : memref<16xf32>)
  return
}

// -----

// In lowered form, the bytes are compared. Streams; a step ends at the load.
func.func @lowered(%m: memref<16xf32>, %f: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-note @below {{this op of the same step}}
  linalg.fill {memplan.stream = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  // In order: one stream.
  memref.copy %a, %m {memplan.stream = 0} : memref<16xf32> to memref<16xf32>
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-error @below {{writes the buffer at bytes [0, 64) of the arena, but another op of the step writes the buffer at [0, 64) at the same time}}
  linalg.fill {memplan.stream = 1} ins(%f : f32) outs(%b : memref<16xf32>)
  %x = memref.load %b[%i] : memref<16xf32>
  %c = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.fill {memplan.stream = 1} ins(%f : f32) outs(%c : memref<16xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// The order within a stream does not allow a step to reuse bytes: only whole
// steps do.
func.func @reused_in_a_stream(%m: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-note @below {{this op of the same step}}
  linalg.fill {memplan.stream = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  // expected-error @below {{writes the buffer at bytes [0, 32) of the arena, but another op of the step writes the buffer at [0, 64) at the same time}}
  linalg.fill {memplan.stream = 0} ins(%f : f32) outs(%b : memref<8xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Accesses in a loop are accesses of the loop.
func.func @inside_a_loop(%m: memref<16xf32>, %f: f32, %i: index, %n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-note @below {{this op of the same step}}
  scf.for %k = %i to %n step %i {
    memref.store %f, %a[%k] : memref<16xf32>
  } {memplan.step = 0}
  %b = memref.view %arena[%c0][] : memref<64xi8> to memref<8xf32>
  // expected-error @below {{writes the buffer at bytes [0, 32) of the arena, but another op of the step writes the buffer at [0, 64) at the same time}}
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%b : memref<8xf32>)
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// One buffer, written by one op and used by another. The verifier does not
// check whether ops on the same buffer may run at once; this is up to the
// program.
func.func @dependent(%f: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  %x = memref.load %a[%i] {memplan.step = 0} : memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// An op was moved into a later step.
func.func @moved_in(%m: memref<16xf32>, %f: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  // expected-note @below {{the step begins here}}
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{uses a buffer that lies in an arena amid step 0 and is not part of it}}
  %x = memref.load %b[%i] : memref<16xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%b : memref<16xf32>)
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

func.func @torn(%f: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.fill {memplan.step = 0} ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill {memplan.step = 1} ins(%f : f32) outs(%a : memref<16xf32>)
  // expected-error @below {{ops of step 0 are not together, cannot be verified}}
  %x = memref.load %a[%i] {memplan.step = 0} : memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Callees that only read a buffer may share its bytes; those that write it may
// not. The verifier does not check whether ops on the same buffer may run at
// once; this is up to the program.
func.func private @reads(memref<16xf32> {bufferization.access = "read"})
func.func private @uses(memref<16xf32>)

func.func @calls(%f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  call @reads(%a) {memplan.step = 0} : (memref<16xf32>) -> ()
  call @reads(%a) {memplan.step = 0} : (memref<16xf32>) -> ()
  call @uses(%a) {memplan.step = 1} : (memref<16xf32>) -> ()
  call @reads(%a) {memplan.step = 1} : (memref<16xf32>) -> ()
  memref.dealloc %arena : memref<64xi8>
  return
}

// -----

// Columns of one buffer are disjoint; overlapping parts are not. The verifier
// does not check whether ops on the same buffer may run at once; this is up to
// the program.
func.func @parts(%f: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<4x8xf32>
  %left = memref.subview %a[0, 0] [4, 4] [1, 1]
      : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  %right = memref.subview %a[0, 4] [4, 4] [1, 1]
      : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  linalg.fill {memplan.step = 0} ins(%f : f32)
      outs(%left : memref<4x4xf32, strided<[8, 1]>>)
  linalg.fill {memplan.step = 0} ins(%f : f32)
      outs(%right : memref<4x4xf32, strided<[8, 1], offset: 4>>)
  %more = memref.subview %a[0, 0] [4, 5] [1, 1]
      : memref<4x8xf32> to memref<4x5xf32, strided<[8, 1]>>
  linalg.fill {memplan.step = 1} ins(%f : f32)
      outs(%more : memref<4x5xf32, strided<[8, 1]>>)
  linalg.fill {memplan.step = 1} ins(%f : f32)
      outs(%right : memref<4x4xf32, strided<[8, 1], offset: 4>>)
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// The number of a step may be the largest integer.
func.func @greatest_numbers(%f: f32) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.fill {memplan.step = 9223372036854775807} ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill {memplan.step = 9223372036854775806} ins(%f : f32) outs(%a : memref<16xf32>)
  memplan.release %arena : memref<64xi8>
  return
}
