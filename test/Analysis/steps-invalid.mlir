// Invalid annotations of concurrency.
// RUN: memplan-opt %s --plan-memory --split-input-file -verify-diagnostics
// RUN: memplan-opt %s --memplan-extract --split-input-file -verify-diagnostics

func.func @not_an_integer(%a: memref<8xf32>, %f: f32, %i: index) {
  // expected-error @below {{attribute 'memplan.step' must be a 64-bit integer, not negative}}
  memref.store %f, %a[%i] {memplan.step = "first"} : memref<8xf32>
  return
}

// -----

func.func @negative(%a: memref<8xf32>, %f: f32, %i: index) {
  // expected-error @below {{attribute 'memplan.stream' must be a 64-bit integer, not negative}}
  memref.store %f, %a[%i] {memplan.stream = -1} : memref<8xf32>
  return
}

// -----

func.func @another_width(%a: memref<8xf32>, %f: f32, %i: index) {
  // expected-error @below {{attribute 'memplan.step' must be a 64-bit integer, not negative}}
  memref.store %f, %a[%i] {memplan.step = 1 : i32} : memref<8xf32>
  return
}

// -----

func.func @backwards(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  // expected-note @below {{step 4}}
  memref.store %f, %a[%i] {memplan.step = 4} : memref<8xf32>
  // expected-error @below {{step 3 comes after step 4}}
  memref.store %f, %a[%i] {memplan.step = 3} : memref<8xf32>
  return
}

// -----

func.func @in_two_blocks(%f: f32, %i: index, %c: i1) {
  %a = memref.alloc() : memref<8xf32>
  // expected-note @below {{step 1}}
  memref.store %f, %a[%i] {memplan.step = 1} : memref<8xf32>
  scf.if %c {
    // expected-error @below {{ops of step 1 are in different blocks}}
    memref.store %f, %a[%i] {memplan.step = 1} : memref<8xf32>
  }
  return
}

// -----

func.func @interrupted(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%i] {memplan.step = 1} : memref<8xf32>
  // expected-note @below {{interrupted here}}
  %x = memref.load %a[%i] : memref<8xf32>
  // expected-error @below {{step 1 is interrupted by 'memref.load', which is not part of it}}
  memref.store %f, %b[%i] {memplan.step = 1} : memref<8xf32>
  return
}

// -----

func.func @interrupted_by_a_stream(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%i] {memplan.step = 1} : memref<8xf32>
  // expected-note @below {{interrupted here}}
  memref.store %f, %b[%i] {memplan.stream = 1} : memref<8xf32>
  // expected-error @below {{step 1 is interrupted by 'memref.store', which is not part of it}}
  memref.store %f, %b[%i] {memplan.step = 1} : memref<8xf32>
  return
}

// -----

// Ops that use no buffers of the function may be in between.
func.func @not_interrupted(%m: memref<8xf32>, %f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  memref.store %f, %a[%i] {memplan.step = 1} : memref<8xf32>
  %x = memref.load %m[%i] : memref<8xf32>
  %y = arith.addf %x, %x : f32
  %b = memref.alloc() : memref<8xf32>
  %v = memref.cast %b : memref<8xf32> to memref<?xf32>
  memref.store %y, %v[%i] {memplan.step = 1} : memref<?xf32>
  return
}

// -----

func.func @dependent(%f: f32, %i: index) {
  // expected-note @below {{the memory comes from here}}
  %a = memref.alloc() : memref<8xf32>
  // expected-note @below {{this op may write the memory}}
  memref.store %f, %a[%i] {memplan.step = 3} : memref<8xf32>
  %v = memref.cast %a : memref<8xf32> to memref<?xf32>
  // expected-note @below {{this op uses it}}
  // expected-error @below {{ops of step 3 depend on each other}}
  %x = memref.load %v[%i] {memplan.step = 3} : memref<?xf32>
  return
}

// -----

// By the effects of a callee, inside a loop, and through a value that may be
// either buffer.
func.func private @f(memref<8xf32>)

func.func @dependent_somehow(%f: f32, %i: index, %n: index, %c: i1) {
  // expected-note @below {{the memory comes from here}}
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  // expected-note @below {{this op may write the memory}}
  func.call @f(%s) {memplan.step = 0} : (memref<8xf32>) -> ()
  // expected-note @below {{this op uses it}}
  // expected-error @below {{ops of step 0 depend on each other}}
  scf.for %k = %i to %n step %i {
    %x = memref.load %a[%k] : memref<8xf32>
  } {memplan.step = 0}
  return
}

// -----

// Only ops of one stream have an order.
func.func @dependent_streams(%f: f32, %i: index) {
  // expected-note @below {{the memory comes from here}}
  %a = memref.alloc() : memref<8xf32>
  // expected-note @below {{this op may write the memory}}
  memref.store %f, %a[%i] {memplan.stream = 0} : memref<8xf32>
  memref.store %f, %a[%i] {memplan.stream = 0} : memref<8xf32>
  // expected-note @below {{this op uses it}}
  // expected-error @below {{ops of streams 0 and 1 that run at once depend on each other}}
  %x = memref.load %a[%i] {memplan.stream = 1} : memref<8xf32>
  return
}

// -----

func.func @nested(%f: f32, %i: index, %n: index) {
  %a = memref.alloc() : memref<8xf32>
  // expected-note @below {{inside this op}}
  scf.for %k = %i to %n step %i {
    // expected-error @below {{is part of a step inside an op that is part of a step itself}}
    memref.store %f, %a[%k] {memplan.step = 1} : memref<8xf32>
  } {memplan.step = 0}
  return
}

// -----

func.func @terminator(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @below {{ends its block and cannot be part of a step}}
  return {memplan.step = 0}
}

// -----

// Callees that only read their common buffers, by their body or their
// declaration.
func.func private @declared(memref<8xf32> {bufferization.access = "read"},
                            memref<8xf32>)

func.func private @defined(%in: memref<8xf32>, %out: memref<8xf32>) {
  memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  return
}

func.func @shared_input(%f: f32) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %c = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
  call @declared(%a, %b) {memplan.step = 0}
      : (memref<8xf32>, memref<8xf32>) -> ()
  call @defined(%a, %c) {memplan.step = 0}
      : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func private @defined(%in: memref<8xf32>, %out: memref<8xf32>) {
  memref.copy %in, %out : memref<8xf32> to memref<8xf32>
  return
}

func.func private @around(%out: memref<8xf32>, %in: memref<8xf32>) {
  call @defined(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

func.func @shared_output(%m: memref<8xf32>, %o: memref<8xf32>) {
  // expected-note @below {{the memory comes from here}}
  %a = memref.alloc() : memref<8xf32>
  // expected-note @below {{this op may write the memory}}
  call @around(%a, %m) {memplan.step = 0}
      : (memref<8xf32>, memref<8xf32>) -> ()
  // expected-note @below {{this op uses it}}
  // expected-error @below {{ops of step 0 depend on each other}}
  call @defined(%a, %o) {memplan.step = 0}
      : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

// Parts of one buffer, columns and rows.
func.func @disjoint_parts(%f: f32) {
  %a = memref.alloc() : memref<4x8xf32>
  %left = memref.subview %a[0, 0] [4, 4] [1, 1]
      : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1]>>
  %right = memref.subview %a[0, 4] [4, 4] [1, 1]
      : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  linalg.fill {memplan.step = 0} ins(%f : f32)
      outs(%left : memref<4x4xf32, strided<[8, 1]>>)
  linalg.fill {memplan.step = 0} ins(%f : f32)
      outs(%right : memref<4x4xf32, strided<[8, 1], offset: 4>>)
  %b = memref.alloc() : memref<4x8xf32>
  %upper = memref.subview %b[0, 0] [2, 8] [1, 1]
      : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  %lower = memref.subview %b[2, 0] [2, 8] [1, 1]
      : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 16>>
  memref.copy %upper, %lower {memplan.stream = 0}
      : memref<2x8xf32, strided<[8, 1]>>
      to memref<2x8xf32, strided<[8, 1], offset: 16>>
  linalg.fill {memplan.stream = 0} ins(%f : f32)
      outs(%upper : memref<2x8xf32, strided<[8, 1]>>)
  return
}

// -----

// These overlap in one column.
func.func @overlapping_parts(%f: f32) {
  // expected-note @below {{the memory comes from here}}
  %a = memref.alloc() : memref<4x8xf32>
  %left = memref.subview %a[0, 0] [4, 5] [1, 1]
      : memref<4x8xf32> to memref<4x5xf32, strided<[8, 1]>>
  %right = memref.subview %a[0, 4] [4, 4] [1, 1]
      : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 4>>
  // expected-note @below {{this op may write the memory}}
  linalg.fill {memplan.step = 0} ins(%f : f32)
      outs(%left : memref<4x5xf32, strided<[8, 1]>>)
  // expected-note @below {{this op uses it}}
  // expected-error @below {{ops of step 0 depend on each other}}
  linalg.fill {memplan.step = 0} ins(%f : f32)
      outs(%right : memref<4x4xf32, strided<[8, 1], offset: 4>>)
  return
}

// -----

memref.global "private" @table : memref<8xi64> = uninitialized
func.func private @write_table(%k: i64) {
  %g = memref.get_global @table : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%g : memref<8xi64>)
  return
}
func.func private @write_deeper(%k: i64) {
  call @write_table(%k) : (i64) -> ()
  return
}
func.func private @read_table(%o: memref<8xi64>) {
  %g = memref.get_global @table : memref<8xi64>
  memref.copy %g, %o : memref<8xi64> to memref<8xi64>
  return
}

func.func @global_in_callees(%k: i64) {
  %o = memref.alloc() : memref<8xi64>
  // expected-note @below {{this op may write the memory}}
  func.call @write_deeper(%k) {memplan.step = 0} : (i64) -> ()
  // expected-error @below {{ops of step 0 depend on each other}}
  // expected-note @below {{this op uses it}}
  // expected-note @below {{the memory is a global's}}
  func.call @read_table(%o) {memplan.step = 0} : (memref<8xi64>) -> ()
  return
}

// The largest number is allowed.
func.func @global_in_callee_and_here(%k: i64) {
  %o = memref.alloc() : memref<8xi64>
  // expected-note @below {{the memory comes from here}}
  %g = memref.get_global @table : memref<8xi64>
  // expected-note @below {{this op may write the memory}}
  linalg.fill {memplan.step = 9223372036854775807} ins(%k : i64) outs(%g : memref<8xi64>)
  // expected-error @below {{ops of step 9223372036854775807 depend on each other}}
  // expected-note @below {{this op uses it}}
  func.call @read_table(%o) {memplan.step = 9223372036854775807} : (memref<8xi64>) -> ()
  return
}

// Both read.
func.func @global_read_twice(%k: i64) {
  %o = memref.alloc() : memref<8xi64>
  %p = memref.alloc() : memref<8xi64>
  func.call @read_table(%o) {memplan.step = 0} : (memref<8xi64>) -> ()
  func.call @read_table(%p) {memplan.step = 0} : (memref<8xi64>) -> ()
  return
}
