// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics -allow-unregistered-dialect

// A slot whose address escapes is not verified, and a remark says so; a slot
// that is freed is an error.

func.func @returned() -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  memref.dealloc %arena : memref<1024xi8>
  // expected-error @below {{returns a buffer that lies in an arena; it escapes and cannot be verified}}
  return %a : memref<8xf32>
}

// -----

func.func @stored(%where: memref<1xmemref<8xf32>>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{stores the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  memref.store %a, %where[%c0] : memref<1xmemref<8xf32>>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @address_taken() -> index {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{takes the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf32> -> index
  memref.dealloc %arena : memref<1024xi8>
  return %p : index
}

// -----

func.func @cast_to_other_type() -> i64 {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{takes the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  %p = builtin.unrealized_conversion_cast %a : memref<8xf32> to i64
  memref.dealloc %arena : memref<1024xi8>
  return %p : i64
}

// -----

func.func @made_a_tensor() -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{makes a tensor of a buffer that lies in an arena; it escapes and cannot be verified}}
  %t = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
  memref.dealloc %arena : memref<1024xi8>
  return %t : tensor<8xf32>
}

// -----

func.func @unknown_op() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{has unknown effects on a buffer that lies in an arena; it escapes and cannot be verified}}
  "unknown.op"(%a) : (memref<8xf32>) -> ()
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @asynchronous_without_an_await(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  %t = async.execute {
    // expected-error @below {{uses asynchronously, without an await on every path, a buffer that lies in an arena; it escapes and cannot be verified}}
    memref.store %x, %a[%c0] : memref<8xf32>
    async.yield
  }
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @freed() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{deallocates a buffer that lies in an arena}}
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// The value may be the slot, which would be freed on one path.
func.func @may_be_freed(%c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  %own = memref.alloc() : memref<8xf32>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %r = arith.select %c, %a, %own : memref<8xf32>
  // expected-error @below {{deallocates a buffer that lies in an arena}}
  memref.dealloc %r : memref<8xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @reallocated(%n: index) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{deallocates a buffer that lies in an arena}}
  %r = memref.realloc %a(%n) : memref<8xf32> to memref<?xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @freed_by_ownership(%c: i1) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{deallocates a buffer that lies in an arena}}
  bufferization.dealloc (%a : memref<8xf32>) if (%c)
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

memref.global "private" @kept : memref<1xmemref<8xf32>> = uninitialized

func.func private @keeps(%m: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %g = memref.get_global @kept : memref<1xmemref<8xf32>>
  memref.store %m, %g[%c0] : memref<1xmemref<8xf32>>
  return
}

func.func @kept_by_callee() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @keeps(%a) : (memref<8xf32>) -> ()
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func private @suspends(%m: memref<8xf32>) {
  %id = async.coro.id
  %handle = async.coro.begin %id
  return
}

func.func @kept_by_coroutine() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{calls a function that keeps or frees a buffer that lies in an arena; it escapes and cannot be verified}}
  call @suspends(%a) : (memref<8xf32>) -> ()
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// A call through a value may reach any function of this type whose address is
// taken; one of them frees its argument.
func.func private @frees_it(%m: memref<8xf32>) {
  memref.dealloc %m : memref<8xf32>
  return
}

func.func @called_through_a_value(%f: (memref<8xf32>) -> ()) {
  %taken = constant @frees_it : (memref<8xf32>) -> ()
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{has unknown effects on a buffer that lies in an arena; it escapes and cannot be verified}}
  call_indirect %f(%a) : (memref<8xf32>) -> ()
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// A task may run after the op.
func.func @deferred(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  omp.task {
    // expected-error @below {{uses asynchronously a buffer that lies in an arena; it escapes and cannot be verified}}
    memref.store %x, %a[%c0] : memref<8xf32>
    omp.terminator
  }
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// Control may enter this region at any time, or never.
func.func @placed_in_unknown_region() {
  %arena = memplan.arena align(64) : memref<1024xi8>
  // expected-note @below {{inside this op}}
  "unknown.region"() ({
    // expected-error @below {{is inside an op whose flow of control is not known, cannot be verified}}
    %a = memplan.view %arena[0] align(64) : memref<1024xi8> to memref<8xf32>
    "unknown.end"() : () -> ()
  }) : () -> ()
  memplan.release %arena : memref<1024xi8>
  return
}

// -----

// Bufferization may write to the slot when the tensor is computed.
func.func @destination_of_a_tensor(%t: tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{uses, together with a tensor, a buffer that lies in an arena; it escapes and cannot be verified}}
  bufferization.materialize_in_destination %t in restrict writable %a : (tensor<8xf32>, memref<8xf32>) -> ()
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func private @pointer(memref<8xf32>) -> !llvm.ptr
func.func @address_handed_out() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{calls a function that may hand out the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  %p = call @pointer(%a) : (memref<8xf32>) -> !llvm.ptr
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func @address_handed_out_through_a_value(%f: (memref<8xf32>) -> tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{has unknown effects on a buffer that lies in an arena; it escapes and cannot be verified}}
  %p = call_indirect %f(%a) : (memref<8xf32>) -> tensor<8xf32>
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

func.func private @put(memref<8xf32>, memref<1xmemref<8xf32>>)
func.func @address_put_in_memory(%box: memref<1xmemref<8xf32>>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  // expected-note @below {{the buffer at bytes [0, 32) of the arena}}
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  // expected-error @below {{calls a function that may hand out the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  call @put(%a, %box) : (memref<8xf32>, memref<1xmemref<8xf32>>) -> ()
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// Numbers carry no address.
func.func private @numbers(memref<8xf32>) -> (index, i64, vector<4xf32>, complex<f32>)
func.func @numbers_are_none() {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<1024xi8>
  %a = memref.view %arena[%c0][] : memref<1024xi8> to memref<8xf32>
  %n:4 = call @numbers(%a) : (memref<8xf32>) -> (index, i64, vector<4xf32>, complex<f32>)
  memref.dealloc %arena : memref<1024xi8>
  return
}

// -----

// Buffers that share bytes have equal addresses, unlike those of the original
// program.
func.func @addresses_compared(%x: f32) -> i1 {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{takes the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  %p = memref.extract_aligned_pointer_as_index %a : memref<16xf32> -> index
  // expected-error @below {{takes the address of a buffer that lies in an arena; it escapes and cannot be verified}}
  %q = memref.extract_aligned_pointer_as_index %b : memref<16xf32> -> index
  %same = arith.cmpi eq, %p, %q : index
  memplan.release %arena : memref<64xi8>
  return %same : i1
}

// -----

// LLVM would treat accesses to one as independent of those to the other.
func.func @distinct(%in: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-error @below {{asserts to be distinct a buffer that lies in an arena; it escapes and cannot be verified}}
  %d:2 = memref.distinct_objects %a, %b : memref<16xf32>, memref<16xf32>
  memref.copy %in, %d#0 : memref<16xf32> to memref<16xf32>
  memref.copy %in, %d#1 : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// A clone may be the buffer itself.
func.func @cloned(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at [0, 64) is placed here}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %clone = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  // expected-note @below {{bytes [0, 64) are written here}}
  memref.copy %out, %b : memref<16xf32> to memref<16xf32>
  // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'memref.copy' through the buffer at [0, 64) has overwritten}}
  memref.copy %clone, %out : memref<16xf32> to memref<16xf32>
  memplan.release %arena : memref<64xi8>
  return
}

// -----

// The regions of such an op may still run after the op.
func.func @used_inside_an_unknown_op(%in: memref<16xf32>, %out: memref<16xf32>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
  %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  "foo.spawn"() ({
    // expected-error @below {{uses, inside of an op that is not known, a buffer that lies in an arena}}
    memref.copy %a, %out : memref<16xf32> to memref<16xf32>
    "foo.end"() : () -> ()
  }) : () -> ()
  memplan.release %arena : memref<64xi8>
  return
}
