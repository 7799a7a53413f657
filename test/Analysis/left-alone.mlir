// Buffers that are not planned, with their reasons. Every remark is at the
// allocation, and these functions do not change.
// RUN: memplan-opt %s --plan-memory --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics > %t
// RUN: sed s/expected-// %s | memplan-opt --split-input-file | diff %t -

func.func @dynamic_shape(%sizes: memref<index>, %f: f32) {
  %n = memref.load %sizes[] : memref<index>
  // expected-remark@+1 {{b0 not planned: it has a dynamic shape}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %f, %a[%n] : memref<?xf32>
  return
}

// -----

func.func @layouts(%n: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it has a layout other than the identity}}
  %a = memref.alloc() : memref<4x4xf32, strided<[8, 1]>>
  memref.store %f, %a[%n, %n] : memref<4x4xf32, strided<[8, 1]>>
  // expected-remark@+1 {{b1 not planned: it has a layout other than the identity}}
  %b = memref.alloc() : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  memref.store %f, %b[%n, %n] : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  // expected-remark@+1 {{b2 not planned: it has a layout other than the identity}}
  %c = memref.alloc()[%n] : memref<16xf32, affine_map<(i)[s] -> (i + s)>>
  memref.store %f, %c[%n] : memref<16xf32, affine_map<(i)[s] -> (i + s)>>
  return
}

// -----

// Every product overflows 64 bits, or the 48 bits of an address space.
func.func @absurd_shapes(%n: index, %f: f32, %v: vector<4611686018427387904x8xi8>) {
  // expected-remark@+1 {{b0 not planned: it needs more than 2^48 bytes}}
  %a = memref.alloc() : memref<4294967296x4294967296x8xf32>
  memref.store %f, %a[%n, %n, %n] : memref<4294967296x4294967296x8xf32>
  // expected-remark@+1 {{b1 not planned: it needs more than 2^48 bytes}}
  %b = memref.alloc() : memref<9223372036854775807xf32>
  memref.store %f, %b[%n] : memref<9223372036854775807xf32>
  // expected-remark@+1 {{b2 not planned: it has elements of a type whose size is not known}}
  %c = memref.alloc() : memref<2xvector<4611686018427387904x8xi8>>
  memref.store %v, %c[%n] : memref<2xvector<4611686018427387904x8xi8>>
  return
}

// -----

func.func @element_types(%n: index, %v: vector<[4]xf32>, %m: memref<4xf32>) {
  // expected-remark@+1 {{b0 not planned: it has elements of a type whose size is not known}}
  %a = memref.alloc() : memref<16xvector<[4]xf32>>
  memref.store %v, %a[%n] : memref<16xvector<[4]xf32>>
  // expected-remark@+1 {{b1 not planned: it has elements of a type whose size is not known}}
  %b = memref.alloc() : memref<16xmemref<4xf32>>
  memref.store %m, %b[%n] : memref<16xmemref<4xf32>>
  return
}

// -----

func.func @huge_alignment(%n: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it has alignment 4611686018427387904, which is more than 1073741824}}
  %a = memref.alloc() {alignment = 4611686018427387904} : memref<16xf32>
  memref.store %f, %a[%n] : memref<16xf32>
  return
}

// -----

// The memory space of the stack may have no heap.
func.func @stack_of_another_memory_space(%n: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it is on the stack of a memory space of its own}}
  %a = memref.alloca() : memref<16xf32, 5>
  memref.store %f, %a[%n] : memref<16xf32, 5>
  return
}

// -----

func.func @returned(%c: i1, %n: index, %f: f32) -> memref<?xf32> {
  // expected-remark@+1 {{b0 not planned: it is returned}}
  %a = memref.alloc() : memref<16xf32>
  %v = memref.cast %a : memref<16xf32> to memref<?xf32>
  return %v : memref<?xf32>
}

// -----

// Realloc may free its operand, and the program must free its result.
func.func @reallocated(%n: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it is reallocated}}
  %a = memref.alloc() : memref<16xf32>
  %b = memref.realloc %a : memref<16xf32> to memref<32xf32>
  memref.store %f, %b[%n] : memref<32xf32>
  memref.dealloc %b : memref<32xf32>
  return
}

// -----

func.func @stored(%n: index, %p: memref<memref<16xf32>>) {
  // expected-remark@+1 {{b0 not planned: it is used by 'memref.store', which may keep it}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %a, %p[] : memref<memref<16xf32>>
  return
}

// -----

func.func @pointer_taken(%n: index, %f: f32) -> index {
  // expected-remark@+1 {{b0 not planned: it has its pointer taken by 'memref.extract_aligned_pointer_as_index'}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%n] : memref<16xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  return %p : index
}

// -----

func.func @becomes_a_tensor(%n: index, %f: f32) -> tensor<16xf32> {
  // expected-remark@+1 {{b0 not planned: it becomes the result of 'bufferization.to_tensor'}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%n] : memref<16xf32>
  %t = bufferization.to_tensor %a restrict : memref<16xf32> to tensor<16xf32>
  return %t : tensor<16xf32>
}

// -----

// Buffers in one arena are not distinct objects, so code that relies on this
// claim would be miscompiled.
func.func @claimed_to_be_distinct(%n: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it is used by 'memref.distinct_objects'}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark@+1 {{b1 not planned: it is used by 'memref.distinct_objects'}}
  %b = memref.alloc() : memref<16xf32>
  %d:2 = memref.distinct_objects %a, %b : memref<16xf32>, memref<16xf32>
  memref.store %f, %d#0[%n] : memref<16xf32>
  memref.store %f, %d#1[%n] : memref<16xf32>
  return
}

// -----

// Each worker would need a slot, and there are too many workers or their number
// is unknown.
func.func @allocated_in_parallel(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%k) = (%c0) to (%n) step (%c1) {
    // expected-remark@+1 {{b0 not planned: it is allocated inside 'scf.parallel', whose iterations may run at the same time; their number is not known}}
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%k] : memref<16xf32>
  }
  scf.forall (%k) in (%n) {
    scf.for %l = %c0 to %n step %c1 {
      // expected-remark@+1 {{b1 not planned: it is allocated inside 'scf.forall'}}
      %b = memref.alloc() : memref<16xf32>
      memref.store %f, %b[%l] : memref<16xf32>
    }
  }
  affine.parallel (%k) = (0) to (9) {
    // expected-remark@+1 {{b2 not planned: it is allocated inside 'affine.parallel', whose iterations may run at the same time; there are 9 of them and workers is 8}}
    %c = memref.alloc() : memref<16xf32>
    affine.store %f, %c[%k] : memref<16xf32>
  }
  return
}

// -----

// It is awaited on one of two paths.
func.func @used_asynchronously(%n: index, %f: f32, %c: i1) {
  // expected-remark@+1 {{b0 not planned: it is used by 'async.execute', which is not awaited on every path}}
  %a = memref.alloc() : memref<16xf32>
  %t = async.execute {
    memref.store %f, %a[%n] : memref<16xf32>
    async.yield
  }
  scf.if %c {
    async.await %t : !async.token
  }
  return
}

// -----

// The owner of the token may await it or not.
func.func @token_returned(%n: index, %f: f32) -> !async.token {
  // expected-remark@+1 {{b0 not planned: it is used by 'async.execute', which is not awaited on every path}}
  %a = memref.alloc() : memref<16xf32>
  %t = async.execute {
    memref.store %f, %a[%n] : memref<16xf32>
    async.yield
  }
  return %t : !async.token
}

// -----

// The loop may have no iteration, and drops all tokens but the last.
func.func @awaited_in_a_loop(%n: index, %f: f32, %one: index) {
  // expected-remark@+1 {{b0 not planned: it is used by 'async.execute', which is not awaited on every path}}
  %a = memref.alloc() : memref<16xf32>
  %t = async.execute {
    memref.store %f, %a[%n] : memref<16xf32>
    async.yield
  }
  scf.for %k = %one to %n step %one {
    async.await %t : !async.token
  }
  // expected-remark@+1 {{b1 not planned: it is used by 'async.execute', which is not awaited on every path}}
  %b = memref.alloc() : memref<16xf32>
  %l = scf.for %k = %one to %n step %one iter_args(%last = %t) -> !async.token {
    %u = async.execute {
      memref.store %f, %b[%k] : memref<16xf32>
      async.yield
    }
    scf.yield %u : !async.token
  }
  async.await %l : !async.token
  return
}

// -----

// Only the last task is awaited.
func.func @awaited_after_blocks(%n: index, %f: f32, %c: i1) {
  // expected-remark@+1 {{b0 not planned: it is used by 'async.execute', which is not awaited on every path}}
  %a = memref.alloc() : memref<16xf32>
  cf.br ^loop
^loop:
  %t = async.execute {
    memref.store %f, %a[%n] : memref<16xf32>
    async.yield
  }
  cf.cond_br %c, ^loop, ^exit
^exit:
  async.await %t : !async.token
  return
}

// -----

// The group of the tasks that a task starts is awaited outside of it.
func.func @awaited_outside(%n: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it is used by 'async.execute', which is not awaited on every path}}
  %a = memref.alloc() : memref<16xf32>
  %g = async.create_group %n : !async.group
  %t = async.execute {
    %u = async.execute {
      memref.store %f, %a[%n] : memref<16xf32>
      async.yield
    }
    %p = async.add_to_group %u, %g : !async.token
    async.yield
  }
  async.await %t : !async.token
  async.await_all %g
  return
}

// -----

// The work of an iteration is awaited in the next one, after the buffer was
// allocated again.
func.func @awaited_too_late(%n: index, %f: f32, %one: index,
                            %t0: !async.token) {
  %l = scf.for %k = %one to %n step %one
      iter_args(%before = %t0) -> !async.token {
    // expected-remark@+1 {{b0 not planned: it may still be live when it is allocated again in a loop}}
    %a = memref.alloc() : memref<16xf32>
    %t = async.execute {
      memref.store %f, %a[%k] : memref<16xf32>
      async.yield
    }
    async.await %before : !async.token
    scf.yield %t : !async.token
  }
  async.await %l : !async.token
  return
}

// -----

// The await of the value returns the buffer.
func.func @given_asynchronously(%n: index, %f: f32) -> f32 {
  // expected-remark@+1 {{b0 not planned: it is forwarded by 'async.yield' to an unknown value}}
  %a = memref.alloc() : memref<16xf32>
  %t, %v = async.execute -> !async.value<memref<16xf32>> {
    memref.store %f, %a[%n] : memref<16xf32>
    async.yield %a : memref<16xf32>
  }
  %b = async.await %v : !async.value<memref<16xf32>>
  %x = memref.load %b[%n] : memref<16xf32>
  return %x : f32
}

// -----

func.func @transferred_asynchronously(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{b0 not planned: it is used by 'memref.dma_start', which may be asynchronous}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark@+1 {{b1 not planned: it is used by 'memref.dma_start', which may be asynchronous}}
  %b = memref.alloc() : memref<16xf32, 1>
  // expected-remark@+1 {{b2 not planned: it is used by 'memref.dma_wait'}}
  %t = memref.alloc() : memref<1xi32>
  memref.dma_start %a[%c0], %b[%c0], %n, %t[%c0]
      : memref<16xf32>, memref<16xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%c0], %n : memref<1xi32>
  return
}

// -----

func.func @on_a_stream(%n: index, %f: f32, %m: memref<16xf32>) {
  // expected-remark@+1 {{b0 not planned: it is used by 'gpu.memcpy', which is not awaited on every path}}
  %a = memref.alloc() : memref<16xf32>
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %m : memref<16xf32>, memref<16xf32>
  gpu.wait [%t0]
  return
}

// -----

// A coroutine returns when it is first suspended; the buffers that it uses stay
// live.
func.func @coroutine(%i: index, %f: f32) -> f32 {
  // expected-remark@+1 {{b0 not planned: it is in a coroutine}}
  %a = memref.alloc() : memref<16xf32>
  %id = async.coro.id
  %handle = async.coro.begin %id
  memref.store %f, %a[%i] : memref<16xf32>
  %state = async.coro.save %handle
  async.coro.suspend %state, ^suspend, ^resume, ^cleanup
^resume:
  %x = memref.load %a[%i] : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return %f : f32
}

// -----

// One instance continues by three names. When the first of them ends, one
// select does not determine which of the other two has its slot.
func.func @carried_under_three_names(%c: i1, %i: index, %f: f32) {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  cf.br ^head(%a, %a, %a : memref<16xf32>, memref<16xf32>, memref<16xf32>)
^head(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>):
  // expected-remark@+1 {{b1 not planned: it is carried around the loop it is allocated in}}
  %n = memref.alloc() : memref<16xf32>
  %v = memref.load %x[%i] : memref<16xf32>
  memref.store %v, %n[%i] : memref<16xf32>
  memref.store %v, %y[%i] : memref<16xf32>
  memref.store %v, %z[%i] : memref<16xf32>
  memref.dealloc %x : memref<16xf32>
  cf.cond_br %c, ^head(%n, %n, %n : memref<16xf32>, memref<16xf32>, memref<16xf32>), ^exit
^exit:
  return
}

// -----

// Device memory is listed although it is not planned.
func.func @device_memory(%f: f32, %n: index) {
  // expected-remark@+1 {{b0 not planned: it is allocated on a device by 'gpu.alloc'}}
  %a = gpu.alloc () : memref<16xf32>
  gpu.memset %a, %f : memref<16xf32>, f32
  gpu.dealloc %a : memref<16xf32>
  %t = gpu.wait async
  // expected-remark@+1 {{b1 not planned: it is allocated on a device by 'gpu.alloc'}}
  %b, %u = gpu.alloc async [%t] (%n) : memref<?xf32>
  %v = gpu.dealloc async [%u] %b : memref<?xf32>
  gpu.wait [%v]
  return
}
