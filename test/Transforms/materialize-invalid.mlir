// Problems that do not describe the program, or have a wrong plan.
// RUN: memplan-opt %s --memplan-materialize --split-input-file -verify-diagnostics

memplan.problem @unsolved align(64) {
  // expected-error@+1 {{has no offset; solve the problem first}}
  memplan.buffer @b0 size(64) align(64) live [[1, 2)]
}
func.func @unsolved(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

memplan.problem @grown align(64) {
  // The buffer now has 128 bytes.
  // expected-error@+1 {{is stale: it states size 64 but the program has 128}}
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
func.func @grown(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<32xf32>
  memref.store %f, %a[%i] : memref<32xf32>
  return
}

// -----

memplan.problem @moved align(64) {
  // An access that did not exist or was elsewhere.
  // expected-error@+1 {{is stale: it states live array<i64: 1, 2> but the program has array<i64: 1, 3>}}
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
func.func @moved(%f: f32, %i: index) -> f32 {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %x = memref.load %a[%i] : memref<16xf32>
  return %x : f32
}

// -----

memplan.problem @added align(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 3)] offset(0)
}
func.func @added(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  // expected-error@+1 {{has no buffer in the problem of @added}}
  %b = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  return
}

// -----

// expected-error@+1 {{is stale: it states 2 buffers but @removed has 1 to plan}}
memplan.problem @removed align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
  memplan.buffer @b1 size(64) align(64) live [[2, 3)] offset(0)
}
func.func @removed(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

// expected-error@+1 {{states a wrong plan: buffers 'b0' [0, 64) and 'b1' [32, 96) share bytes [32, 64) while both are live}}
memplan.problem @overlapping align(32) {
  // expected-note@+1 {{@b0 is stated here}}
  memplan.buffer @b0 size(64) align(32) live [[2, 5)] offset(0)
  // expected-note@+1 {{@b1 is stated here}}
  memplan.buffer @b1 size(64) align(32) live [[3, 4)] offset(32)
}
func.func @overlapping(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

// The buffers are in another order than in the program; the conflict is still
// between the two named buffers.
// expected-error@+1 {{states a wrong plan}}
memplan.problem @conflict_of_reordered align(64) {
  // expected-note@+1 {{@b2 is stated here}}
  memplan.buffer @b2 size(64) align(64) live [[5, 6)] offset(0)
  memplan.buffer @b1 size(64) align(64) live [[4, 5)] offset(64)
  // expected-note@+1 {{@b0 is stated here}}
  memplan.buffer @b0 size(64) align(64) live [[3, 4)] offset(0)
  memplan.conflict @b0, @b2
}
func.func @conflict_of_reordered(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
  %c = memref.alloc() {memplan.buffer = "b2"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  memref.store %f, %c[%i] : memref<16xf32>
  return
}

// -----

// The program requests a larger alignment than the problem has.
// expected-error@+1 {{states a wrong plan}}
memplan.problem @misaligned align(64) {
  // expected-note@+1 {{@b0 is stated here}}
  memplan.buffer @b0 size(64) align(4) live [[1, 2)] offset(4)
}
func.func @misaligned(%f: f32, %i: index) {
  %a = memref.alloc() {alignment = 64, memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

// expected-error@+1 {{states a wrong plan: the arena of 192 bytes exceeds the capacity of 128 bytes by 64}}
memplan.problem @too_far align(64) capacity(128) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(128)
}
func.func @too_far(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

memplan.problem @wrong_space space(1 : i64) align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
func.func @wrong_space(%f: f32, %i: index) {
  // expected-error@+1 {{has no buffer in the problem of @wrong_space}}
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

// Two problems of one memory space would be two arenas, checked separately.
// expected-note@+1 {{the other one is here}}
memplan.problem @in_two_parts align(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 4)] offset(0)
}
// expected-error@+1 {{is a second problem of @in_two_parts in this memory space}}
memplan.problem @in_two_parts align(64) {
  memplan.buffer @b1 size(64) align(64) live [[3, 4)] offset(0)
}
func.func @in_two_parts(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The problem identifies buffers by name; another allocation must not have the
// same name.
memplan.problem @same_name align(64) {
  memplan.buffer @b0 size(64) align(64) live [[2, 3)] offset(0)
  memplan.buffer @b1 size(64) align(64) live [[3, 4)] offset(0)
}
func.func @same_name(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  // expected-error@+1 {{names buffer "b0" but belongs to "b1"}}
  %b = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  return
}

// -----

memplan.problem @planned_already align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
// expected-error@+1 {{@planned_already has an arena already}}
func.func @planned_already() {
  %arena = memplan.arena align(64) : memref<64xi8>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A problem belongs to the next function; elsewhere it is an error.
// expected-error@+1 {{does not stand right before @elsewhere}}
memplan.problem @elsewhere align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
func.func private @between()
func.func @elsewhere(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}

// -----

// More than the loop permits, whose stores are 4 bytes after its loads.
// expected-error@+1 {{is stale: the program does not permit that @b0 and @b1 overlap by [-64, 0]}}
memplan.problem @overlap align(4) {
  memplan.buffer @b0 size(64) align(4) live [[1, 7)] offset(0)
  memplan.buffer @b1 size(64) align(4) live [[3, 8)] offset(0)
  memplan.overlap @b0, @b1 by [-64, 0]
}
func.func @overlap(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() {memplan.buffer = "b1"} : memref<16xf32>
  affine.for %i = 0 to 15 {
    %x = affine.load %a[%i] : memref<16xf32>
    affine.store %x, %b[%i + 1] : memref<16xf32>
  }
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// expected-warning@+1 {{names @no_such_function, of which there is none in its block: nothing is rewritten for it}}
memplan.problem @no_such_function align(64) {
  memplan.buffer @b0 size(64) align(64) live [[0, 2)] {offset = 0}
}

// -----

memplan.problem @nothing_left align(64) {
  memplan.buffer @b0 size(64) align(64) live [[1, 2)] offset(0)
}
// expected-error@+1 {{is stale: @nothing_left has no buffers to plan in this memory space}}
memplan.problem @nothing_left space(1 : i64) align(64) {
  memplan.buffer @b1 size(64) align(64) live [[1, 2)] offset(64)
}
func.func @nothing_left(%f: f32, %i: index) {
  %a = memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  return
}
