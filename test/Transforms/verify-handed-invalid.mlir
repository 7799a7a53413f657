// Memory that callers pass to callees for their arenas, in memplan ops and
// lowered.
// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics -o /dev/null

func.func private @callee(%x: f32, %o: memref<16xf32>, %arena: memref<128xi8> {memplan.arena = 64 : i64}) {
  %a = memplan.view %arena[0] align(64) : memref<128xi8> to memref<16xf32>
  %b = memplan.view %arena[64] align(64) : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  memref.copy %b, %o : memref<16xf32> to memref<16xf32>
  return
}

// Either buffer is smaller than the arena of the callee.
func.func @too_small(%x: f32, %o: memref<16xf32>, %c: i1) {
  %arena = memplan.arena align(64) : memref<192xi8>
  %s = memplan.view %arena[0] align(64) : memref<192xi8> to memref<64xi8>
  %t = memplan.view %arena[64] align(64) : memref<192xi8> to memref<64xi8>
  %u = memref.cast %s : memref<64xi8> to memref<?xi8>
  %v = memref.cast %t : memref<64xi8> to memref<?xi8>
  %m = scf.if %c -> memref<?xi8> {
    scf.yield %u : memref<?xi8>
  } else {
    scf.yield %v : memref<?xi8>
  }
  %w = memref.cast %m : memref<?xi8> to memref<128xi8>
  // expected-error @below {{hands the callee memory for its arena, which is not known to have as many bytes as it expects}}
  call @callee(%x, %o, %w) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  memplan.release %arena : memref<192xi8>
  return
}

func.func @allocation_of_unknown_size(%x: f32, %o: memref<16xf32>, %n: index) {
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xi8>
  %w = memref.cast %m : memref<?xi8> to memref<128xi8>
  // expected-error @below {{hands the callee memory for its arena, which is not known to have as many bytes as it expects}}
  call @callee(%x, %o, %w) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  memref.dealloc %m : memref<?xi8>
  return
}

// The callee overwrites a buffer that is read after the call.
func.func @read_behind_the_call(%x: f32, %o: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the memory}}
  %m = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  %v = memref.view %m[%c0][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%v : memref<16xf32>)
  // expected-error @below {{hands the callee memory for its arena, which is not known to be used by nothing else}}
  call @callee(%x, %o, %m) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  %y = memref.load %v[%c0] : memref<16xf32>
  return %y : f32
}

// All iterations pass it at once.
func.func @shared_by_iterations(%x: f32, %o: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the memory}}
  %m = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-error @below {{hands the callee memory for its arena, which is not known to be used by nothing else}}
    func.call @callee(%x, %o, %m) : (f32, memref<16xf32>, memref<128xi8>) -> ()
    scf.reduce
  }
  return
}

// The alignment of an argument is unknown.
func.func @argument(%x: f32, %o: memref<16xf32>, %m: memref<128xi8>) {
  // expected-error @below {{hands the callee memory for its arena, which is not known to be aligned as it expects}}
  call @callee(%x, %o, %m) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  return
}

// It has no other use, so the calls may use it one after the other.
func.func @scratch(%x: f32, %o: memref<16xf32>) {
  %m = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
  call @callee(%x, %o, %m) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  call @callee(%x, %o, %m) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  memref.dealloc %m : memref<128xi8>
  return
}

// A part of the arena that the caller gets from its own callers.
func.func @part_of_an_argument(%x: f32, %o: memref<16xf32>, %arena: memref<192xi8> {memplan.arena = 64 : i64}) {
  %a = memplan.view %arena[0] align(64) : memref<192xi8> to memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %s = memplan.view %arena[64] align(64) : memref<192xi8> to memref<128xi8>
  call @callee(%x, %o, %s) : (f32, memref<16xf32>, memref<128xi8>) -> ()
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// -----

func.func private @callee(%m: memref<128xi8>, %arena: memref<128xi8> {memplan.arena = 1 : i64}) {
  return
}

func.func @allocation_handed_twice() {
  %m = memref.alloc() : memref<128xi8>
  // expected-error @below {{hands the callee memory for its arena, and also as another argument}}
  call @callee(%m, %m) : (memref<128xi8>, memref<128xi8>) -> ()
  return
}

// Callers may read an argument, and it may be equal to another one.
// expected-note @below {{the memory}}
func.func @argument_of_any_alignment(%m: memref<128xi8>, %n: memref<128xi8>) {
  // expected-error @below {{hands the callee memory for its arena, which is not known to be used by nothing else}}
  call @callee(%m, %n) : (memref<128xi8>, memref<128xi8>) -> ()
  return
}

// -----

func.func private @callee(%o: memref<16xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %o, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// The arena argument of a call through a value cannot be checked.
func.func @called_through_a_value() {
  %c0 = arith.constant 0 : index
  %arena = memplan.arena align(64) : memref<64xi8>
  %s = memplan.view %arena[0] align(64) : memref<64xi8> to memref<64xi8>
  %o = memref.view %s[%c0][] : memref<64xi8> to memref<16xf32>
  // expected-error @below {{takes the address of a function that gets its arena from its callers, which cannot be verified then}}
  %f = func.constant @callee : (memref<16xf32>, memref<64xi8>) -> ()
  call_indirect %f(%o, %s) : (memref<16xf32>, memref<64xi8>) -> ()
  memplan.release %arena : memref<64xi8>
  return
}
