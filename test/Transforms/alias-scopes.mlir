// RUN: memplan-opt %s --memplan-alias-scopes --split-input-file | FileCheck %s
// RUN: memplan-opt %s --memplan-alias-scopes --inline --split-input-file | FileCheck %s --check-prefix=INLINE
// RUN: memplan-opt %s --memplan-alias-scopes --convert-func-to-llvm --split-input-file | FileCheck %s --check-prefix=LLVM

// Alias scopes of accesses to slots of one arena: the scopes are the segments
// into which the ends of the slots divide the arena.

// CHECK-DAG: #[[$D0:.*]] = #llvm.alias_scope_domain<id = distinct[0]<>, description = "memplan">
// CHECK-DAG: #[[$OUT:.*]] = #llvm.alias_scope<{{.*}}, domain = #[[$D0]], description = "outside">
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}, domain = #[[$D0]], description = "bytes 0 to 256">
// CHECK-DAG: #[[$MID:.*]] = #llvm.alias_scope<{{.*}}, domain = #[[$D0]], description = "bytes 256 to 512">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}, domain = #[[$D0]], description = "bytes 512 to 768">

// %a and %b share no byte; %wide shares bytes with both.
// CHECK-LABEL: func @overlapping_slots
func.func @overlapping_slots(%in: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<768xi8>
  %a = memref.view %arena[%c0][] : memref<768xi8> to memref<64xf32>
  %b = memref.view %arena[%c512][] : memref<768xi8> to memref<64xf32>
  %wide = memref.view %arena[%c0][] : memref<768xi8> to memref<128xf32>
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: llvm.load {{.*}}alias_scopes = [#[[$OUT]]]
    // CHECK-SAME: noalias_scopes = [#[[$LOW]], #[[$MID]], #[[$HIGH]]]
    %x = memref.load %in[%i] : memref<64xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]]
    // CHECK-SAME: noalias_scopes = [#[[$OUT]], #[[$MID]], #[[$HIGH]]]
    memref.store %x, %a[%i] : memref<64xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$HIGH]]]
    // CHECK-SAME: noalias_scopes = [#[[$OUT]], #[[$LOW]], #[[$MID]]]
    memref.store %x, %b[%i] : memref<64xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]], #[[$MID]]]
    // CHECK-SAME: noalias_scopes = [#[[$OUT]], #[[$HIGH]]]
    memref.store %x, %wide[%i] : memref<128xf32>
  }
  memref.dealloc %arena : memref<768xi8>
  return
}

// -----

// A value that may be in one of two slots has the scopes of both.
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 64">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 64 to 128">
// CHECK-LABEL: func @slots_that_a_loop_carries
func.func @slots_that_a_loop_carries(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<16xf32>, memref<16xf32>) {
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]], #[[$HIGH]]]
    memref.store %x, %p[%c0] : memref<16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]]
    memref.store %x, %a[%c0] : memref<16xf32>
    scf.yield %q, %p : memref<16xf32>, memref<16xf32>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// A view of no constant size ends where the greatest one does, if its size is
// bounded: here by minima, for rows of a stripe. Otherwise it may be any bytes.
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 192">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 192 to 256">
// CHECK-LABEL: func @rows_of_a_stripe
func.func @rows_of_a_stripe(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c192 = arith.constant 192 : index
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  scf.for %i = %c0 to %n step %c1 {
    %few = arith.minsi %c3, %i : index
    %rows = arith.maxsi %few, %c0 : index
    %some = arith.maxsi %i, %c0 : index
    %a = memref.view %arena[%c0][%rows] : memref<256xi8> to memref<?x16xf32>
    %b = memref.view %arena[%c192][] : memref<256xi8> to memref<16xf32>
    %any = memref.view %arena[%c0][%some] : memref<256xi8> to memref<?x16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]]
    // CHECK-SAME: noalias_scopes = [#{{.*}}, #[[$HIGH]]]
    memref.store %x, %a[%c0, %c0] : memref<?x16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$HIGH]]]
    // CHECK-SAME: noalias_scopes = [#{{.*}}, #[[$LOW]]]
    memref.store %x, %b[%c0] : memref<16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]], #[[$HIGH]]]
    memref.store %x, %any[%c0, %c0] : memref<?x16xf32>
  }
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// Here an assertion bounds it.
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 160">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 192 to 256">
// CHECK-LABEL: func @asserted_extent
func.func @asserted_extent(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %c192 = arith.constant 192 : index
  %small = arith.cmpi ule, %n, %c40 : index
  cf.assert %small, "at most 40 elements"
  %arena = memref.alloc() {memplan.arena} : memref<256xi8>
  %a = memref.view %arena[%c0][%n] : memref<256xi8> to memref<?xf32>
  %b = memref.view %arena[%c192][] : memref<256xi8> to memref<16xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]]
  // CHECK-SAME: noalias_scopes = [{{.*}}#[[$HIGH]]]
  memref.store %x, %a[%c0] : memref<?xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$HIGH]]]
  // CHECK-SAME: noalias_scopes = [{{.*}}#[[$LOW]]
  memref.store %x, %b[%c0] : memref<16xf32>
  memref.dealloc %arena : memref<256xi8>
  return
}

// -----

// The result of a call may be any memory, and an arena with a use other than
// views gets no scopes.
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 64">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 64 to 128">
func.func private @pick(memref<16xf32>) -> memref<16xf32>
// CHECK-LABEL: func @unknown_memory
func.func @unknown_memory(%x: f32) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %p = call @pick(%a) : (memref<16xf32>) -> memref<16xf32>
  // CHECK: memref.store
  memref.store %x, %p[%c0] : memref<16xf32>
  %part = memref.subview %arena[64] [64] [1]
      : memref<128xi8> to memref<64xi8, strided<[1], offset: 64>>
  %zero = arith.constant 0 : i8
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]], #[[$HIGH]]]
  memref.store %zero, %part[%c0] : memref<64xi8, strided<[1], offset: 64>>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]], #[[$HIGH]]]
  memref.store %x, %a[%c0] : memref<16xf32>
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// Bytes from the caller that are not marked as an arena may be in the memory of
// another argument; only their own slots are distinguished.
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 64">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 64 to 128">
// CHECK-LABEL: func private @bytes_of_the_caller
func.func private @bytes_of_the_caller(%in: memref<16xf32>,
                                       %arena: memref<128xi8>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  // CHECK: llvm.load
  // CHECK-NOT: noalias_scopes
  // CHECK-SAME: !llvm.ptr
  %x = memref.load %in[%c0] : memref<16xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]], noalias_scopes = [#[[$HIGH]]]
  memref.store %x, %a[%c0] : memref<16xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$HIGH]]], noalias_scopes = [#[[$LOW]]]
  memref.store %x, %b[%c0] : memref<16xf32>
  return
}

// -----

// An arena from the caller is not the memory of another argument.
// CHECK-DAG: #[[$OUT:.*]] = #llvm.alias_scope<{{.*}}description = "outside">
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 64">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 64 to 128">
// CHECK-LABEL: func @arena_of_the_caller
func.func @arena_of_the_caller(%in: memref<16xf32>,
                               %arena: memref<128xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<16xf32>
  // CHECK: llvm.load {{.*}}alias_scopes = [#[[$OUT]]]
  // CHECK-SAME: noalias_scopes = [#[[$LOW]], #[[$HIGH]]]
  %x = memref.load %in[%c0] : memref<16xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]]
  // CHECK-SAME: noalias_scopes = [#[[$OUT]], #[[$HIGH]]]
  memref.store %x, %a[%c0] : memref<16xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$HIGH]]]
  // CHECK-SAME: noalias_scopes = [#[[$OUT]], #[[$LOW]]]
  memref.store %x, %b[%c0] : memref<16xf32>
  return
}

// -----

// The bytes of workers depend on the iteration, so their scope is the whole
// arena.
// CHECK-DAG: #[[$ALL:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 128">
// CHECK-LABEL: func @slots_of_workers
func.func @slots_of_workers(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {memplan.arena} : memref<128xi8>
  scf.parallel (%w) = (%c0) to (%c2) step (%c1) {
    %offset = arith.muli %w, %c64 : index
    %a = memref.view %arena[%offset][] : memref<128xi8> to memref<16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$ALL]]]
    memref.store %x, %a[%c0] : memref<16xf32>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// An element of 96 bits takes 16 bytes.
// CHECK: description = "bytes 0 to 64"
// CHECK-LABEL: func @wide_elements
func.func @wide_elements(%v: i96, %w: i64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %arena = memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<4xi96>
  %b = memref.view %arena[%c64][] : memref<128xi8> to memref<8xi64>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %a[%i] : memref<4xi96>
    memref.store %w, %b[%i] : memref<8xi64>
  }
  memref.dealloc %arena : memref<128xi8>
  return
}

// -----

// A function with a global arena, inlined twice, once into a branch: both names
// are the same bytes, and their accesses stay in program order.
// CHECK-DAG: #[[$OUT:.*]] = #llvm.alias_scope<{{.*}}description = "outside">
// CHECK-DAG: #[[$LOW:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 0 to 64">
// CHECK-DAG: #[[$HIGH:.*]] = #llvm.alias_scope<{{.*}}description = "bytes 64 to 128">
memref.global "private" @arena : memref<128xi8> = uninitialized {alignment = 64 : i64}
// CHECK-LABEL: func @one_global_under_two_names
func.func @one_global_under_two_names(%c: i1, %i: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %first = memref.get_global @arena : memref<128xi8> {memplan.arena}
  %a = memref.view %first[%c0][] : memref<128xi8> to memref<16xf32>
  // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]], noalias_scopes = [#[[$OUT]], #[[$HIGH]]]
  memref.store %x, %a[%i] : memref<16xf32>
  // CHECK: scf.if
  scf.if %c {
    %second = memref.get_global @arena : memref<128xi8> {memplan.arena}
    %b = memref.view %second[%c0][] : memref<128xi8> to memref<16xf32>
    %d = memref.view %second[%c64][] : memref<128xi8> to memref<16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$LOW]]], noalias_scopes = [#[[$OUT]], #[[$HIGH]]]
    memref.store %x, %b[%i] : memref<16xf32>
    // CHECK: llvm.store {{.*}}alias_scopes = [#[[$HIGH]]], noalias_scopes = [#[[$OUT]], #[[$LOW]]]
    memref.store %x, %d[%i] : memref<16xf32>
  }
  %y = memref.load %a[%i] : memref<16xf32>
  return %y : f32
}

// -----

// The argument of one call may be in the arena of the other, so the accesses of
// two copies must not be in the same scopes.
// LLVM-NOT: no_inline
func.func private @callee(%in: memref<16xf32>, %i: index,
    %frame: memref<64xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %a = memref.view %frame[%c0][] : memref<64xi8> to memref<16xf32>
  %x = memref.load %in[%i] : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  return
}
// INLINE-LABEL: func @calls_twice
func.func @calls_twice(%in: memref<16xf32>, %i: index,
    %one: memref<64xi8> {memplan.arena = 64 : i64}) {
  // INLINE: call @callee
  func.call @callee(%in, %i, %one) : (memref<16xf32>, index, memref<64xi8>) -> ()
  %c0 = arith.constant 0 : index
  %a = memref.view %one[%c0][] : memref<64xi8> to memref<16xf32>
  // INLINE: call @callee
  func.call @callee(%a, %i, %one) : (memref<16xf32>, index, memref<64xi8>) -> ()
  return
}
