// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

// Plans with asynchronous work, each broken by hand in one way; the first of
// each kind is correct.

func.func @sound(%x: f32, %i: index) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<16xf32>
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  async.await %t : !async.token
  %b = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<16xf32>
  memref.store %x, %b[%i] : memref<16xf32>
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The same without markers.
func.func @awaited_late_lowered(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  memref.store %x, %b[%i] : memref<16xf32>
  async.await %t : !async.token
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// Work that only reads conflicts with writers, but not with other readers.
func.func @read_beside(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    %y = memref.load %a[%i] : memref<16xf32>
    async.yield
  }
  %z = memref.load %b[%i] : memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
  async.await %t : !async.token
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// A write by the asynchronous work is visible to a concurrent reader.
func.func @written_beside(%x: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  // expected-error @below {{reads a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  %z = memref.load %b[%i] : memref<16xf32>
  async.await %t : !async.token
  memref.dealloc %arena : memref<1024xi8>
  return %z : f32
}

// -----

// Two tasks run at once.
func.func @beside_another_task(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  %u = async.execute {
    memref.store %x, %b[%i] : memref<16xf32>
    async.yield
  }
  async.await %t : !async.token
  async.await %u : !async.token
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// One after the other: the second depends on the first, but is awaited only by
// its own await.
func.func @behind_another_task(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  // expected-note @below {{started here}}
  %u = async.execute [%t] {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  async.await %t : !async.token
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
  // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  memref.store %x, %b[%i] : memref<16xf32>
  async.await %u : !async.token
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @released_early(%x: f32, %i: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  // expected-note @below {{started here}}
  %t = async.execute {
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  // expected-error @below {{releases the arena while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
  memref.dealloc %arena : memref<1024xi8>
  async.await %t : !async.token
  return
}

// -----

func.func @not_awaited_on_a_path(%x: f32, %i: index, %c: i1) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<16xf32>
  %t = async.execute {
    // expected-error @below {{uses asynchronously, without an await on every path, a buffer that lies in an arena; it escapes and cannot be verified}}
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  scf.if %c {
    async.await %t : !async.token
  }
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// Only the task that was started last is awaited.
func.func @last_one_awaited(%x: f32, %i: index, %c: i1) {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<16xf32>
  cf.br ^loop
^loop:
  %t = async.execute {
    // expected-error @below {{uses asynchronously, without an await on every path, a buffer that lies in an arena; it escapes and cannot be verified}}
    memref.store %x, %a[%i] : memref<16xf32>
    async.yield
  }
  cf.cond_br %c, ^loop, ^exit
^exit:
  async.await %t : !async.token
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// The loop carries the token. %b would be correct only in the last line.
func.func @round_a_loop(%x: f32, %i: index, %n: index, %one: index,
                        %t0: !async.token) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
  %l = scf.for %k = %i to %n step %one
      iter_args(%before = %t0) -> !async.token {
    %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
    // expected-note @below {{bytes [32, 96) are written here}}
    // expected-error @below {{writes a buffer that shares bytes while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
    memref.store %x, %b[%k] : memref<16xf32>
    async.await %before : !async.token
    // expected-error @below {{writes buffer at bytes [0, 64) of the arena, which 'memref.store' through the buffer at [32, 96) has overwritten}}
    // expected-note @below {{started here}}
    %t = async.execute {
      memref.store %x, %a[%k] : memref<16xf32>
      async.yield
    }
    scf.yield %t : !async.token
  }
  async.await %l : !async.token
  %b = memref.view %arena[%c32][] : memref<1024xi8> to memref<16xf32>
  memref.store %x, %b[%i] : memref<16xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// The work of the previous iteration may still use the buffer that begins
// again.
func.func @begun_anew(%x: f32, %i: index, %n: index, %one: index,
                      %t0: !async.token) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %l = scf.for %k = %i to %n step %one
      iter_args(%before = %t0) -> !async.token {
    // expected-error @below {{places a buffer anew while 'async.execute', which has not been awaited, may use the buffer at bytes [0, 64) of the arena}}
    %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<16xf32>
    // expected-note @below {{started here}}
    %t = async.execute {
      memref.store %x, %a[%k] : memref<16xf32>
      async.yield
    }
    async.await %before : !async.token
    scf.yield %t : !async.token
  }
  async.await %l : !async.token
  memref.dealloc %arena : memref<1024xi8>
  return
}

