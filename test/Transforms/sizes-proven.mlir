// Sizes that the planner derives and the verifier derives again. Each function is
// planned; with the fault of test/tools/mutate_analysis.py that has its name the
// verifier refuses it.
// RUN: memplan-opt %s -split-input-file \
// RUN:   -plan-memory="require=verified lower=false alignment=64" | FileCheck %s
// RUN: memplan-opt %s -split-input-file \
// RUN:   -plan-memory="require=verified lower=false dynamic=bounded" \
// RUN:   | FileCheck %s --check-prefix=BOUNDED

// CHECK-LABEL: func @size_extents
// CHECK: memplan.slot size({{.*}}) align(64)
// CHECK: memplan.view {{.*}} to memref<?x8xf32>
func.func @size_extents(%x: memref<?x8xf32>, %out: memref<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  memref.copy %x, %a : memref<?x8xf32> to memref<?x8xf32>
  memref.copy %a, %out : memref<?x8xf32> to memref<?x8xf32>
  return
}

// -----

// CHECK-LABEL: func @size_product
// CHECK: memplan.view {{.*}} to memref<?x?xf32>
func.func @size_product(%x: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  memref.copy %x, %a : memref<?x?xf32> to memref<?x?xf32>
  memref.copy %a, %out : memref<?x?xf32> to memref<?x?xf32>
  return
}

// -----

// CHECK-LABEL: func @size_dimension
// CHECK: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @size_dimension(%x: memref<?x?xf32>) {
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%m) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @size_divisor
// CHECK: arith.maxui
// CHECK: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @size_divisor(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = arith.divui %n, %k : index
  %a = memref.alloc(%m) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// Two sizes with one formula, computed in two ways, in one slot.
// CHECK-LABEL: func @size_maximum
// CHECK: arith.maxsi
// CHECK: memplan.view {{.*}} to memref<?xf32>
// CHECK: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @size_maximum(%x: memref<?xf32>, %bit: i1) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %half = arith.divui %n, %c2 : index
  %other = affine.apply affine_map<()[s0] -> (s0 floordiv 2)>()[%n]
  %always = memref.alloc(%half) : memref<?xf32>
  call @use(%always) : (memref<?xf32>) -> ()
  %r = scf.if %bit -> memref<?xf32> {
    %a = memref.alloc(%half) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    scf.yield %a : memref<?xf32>
  } else {
    %b = memref.alloc(%other) : memref<?xf32>
    func.call @use(%b) : (memref<?xf32>) -> ()
    scf.yield %b : memref<?xf32>
  }
  call @use(%r) : (memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @size_alignment
// CHECK: memplan.slot {{.*}} align(64)
func.func private @use(memref<?xi8>, memref<?xi8>)
func.func @size_alignment(%x: memref<?xi8>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xi8>
  %a = memref.alloc(%n) : memref<?xi8>
  %b = memref.alloc(%n) : memref<?xi8>
  call @use(%a, %b) : (memref<?xi8>, memref<?xi8>) -> ()
  return
}

// -----

// CHECK-LABEL: func @size_order
// CHECK: memplan.slot above(
func.func private @use(memref<?xf32>, memref<?xf32>)
func.func @size_order(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%k) : memref<?xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  call @use(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// CHECK-LABEL: func @size_least
// CHECK: memplan.slot least(
func.func private @use(memref<256xf32>, memref<?xf32>)
func.func @size_least(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%a : memref<256xf32>)
  linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
  call @use(%a, %b) : (memref<256xf32>, memref<?xf32>) -> ()
  return
}

// -----

// BOUNDED-LABEL: func @bound_greatest
// BOUNDED: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @bound_greatest(
    %x: memref<?xf32> {memplan.dim_bounds = array<i64: 2, 64, 1>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// The index may be negative: nothing bounds 20 - k from above.
// BOUNDED-LABEL: func @bound_signed
// BOUNDED: memref.alloc
func.func private @use(memref<?xf32>)
func.func @bound_signed(%k: index) {
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %ok = arith.cmpi sle, %k, %c10 : index
  cf.assert %ok, "k is at most 10"
  %n = arith.subi %c20, %k : index
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// BOUNDED-LABEL: func @bound_dimension
// BOUNDED: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @bound_dimension(
    %x: memref<?x?xf32> {memplan.dim_bounds = array<i64: 0, 4, 1, 0, 64, 1>}) {
  %c1 = arith.constant 1 : index
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%m) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// What is asserted behind an access does not hold there.
// BOUNDED-LABEL: func @bound_behind
// BOUNDED: memref.alloc
func.func private @use(memref<?xf32>)
func.func @bound_behind(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  %ok = arith.cmpi sle, %n, %c64 : index
  cf.assert %ok, "n is at most 64"
  return
}

// -----

// BOUNDED-LABEL: func @bound_sum
// BOUNDED: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @bound_sum(
    %x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>}) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = arith.addi %n, %c8 : index
  %a = memref.alloc(%m) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// The op adds n x m elements of a and writes them into b, which is m x n. It is
// not known that n is m: not in place.
// CHECK-LABEL: func @extents_shape
// CHECK: memplan.slot above(
func.func @extents_shape(%x: memref<?x?xf32>, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  memref.copy %x, %a : memref<?x?xf32> to memref<?x?xf32>
  %b = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.map { arith.addf } ins(%a, %a : memref<?x?xf32>, memref<?x?xf32>)
    outs(%b : memref<?x?xf32>)
  memref.copy %b, %out : memref<?x?xf32> to memref<?x?xf32>
  return
}

// -----

// The loop carries buffers of n / 2 elements only where all are as large.
// CHECK-LABEL: func @extents_operands
// CHECK-NOT: memplan.renew
// CHECK: return
func.func private @use(memref<?xf32>, memref<?xf32>)
func.func @extents_operands(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %half = arith.divui %n, %c2 : index
  %quarter = arith.divui %n, %c4 : index
  %a = memref.alloc(%half) : memref<?xf32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%p = %a) -> memref<?xf32> {
    %t = memref.alloc(%quarter) : memref<?xf32>
    func.call @use(%p, %t) : (memref<?xf32>, memref<?xf32>) -> ()
    scf.yield %t : memref<?xf32>
  }
  call @use(%r, %r) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

// (n + 1) * m and n * m + m are equal, but the proof follows no sums in products:
// not in place.
// CHECK-LABEL: func @extents_equal
// CHECK: memplan.slot above(
func.func @extents_equal(%x: memref<?x?xf32>, %in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %more = arith.addi %n, %c1 : index
  %product = arith.muli %more, %m : index
  %nm = arith.muli %n, %m : index
  %sum = arith.addi %nm, %m : index
  %a = memref.alloc(%product) : memref<?xf32>
  memref.copy %in, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%sum) : memref<?xf32>
  linalg.map { arith.addf } ins(%a, %a : memref<?xf32>, memref<?xf32>)
    outs(%b : memref<?xf32>)
  memref.copy %b, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// The extent of what the loop carries is not that of the first buffer.
// CHECK-LABEL: func @extents_carried
// CHECK: memref.dim
func.func private @use(memref<?xf32>)
func.func @extents_carried(%x: memref<?xf32>, %y: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%p = %x) -> memref<?xf32> {
    func.call @use(%p) : (memref<?xf32>) -> ()
    scf.yield %y : memref<?xf32>
  }
  %n = memref.dim %r, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// BOUNDED-LABEL: func @ops_maximum
// BOUNDED: memplan.view {{.*}} to memref<?xf32>
func.func private @use(memref<?xf32>)
func.func @ops_maximum(
    %x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = affine.max affine_map<()[s0] -> (s0, 8)>()[%n]
  %a = memref.alloc(%m) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// As a number without a sign, a negative k is greater than 8.
// BOUNDED-LABEL: func @ops_unsigned
// BOUNDED: memref.alloc
func.func private @use(memref<?xf32>)
func.func @ops_unsigned(%k: index) {
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %least = arith.constant -5 : index
  %above = arith.cmpi sge, %k, %least : index
  cf.assert %above, "k is at least -5"
  %ok = arith.cmpi sle, %k, %c10 : index
  cf.assert %ok, "k is at most 10"
  %n = arith.maxui %k, %c8 : index
  %a = memref.alloc(%n) : memref<?xf32>
  call @use(%a) : (memref<?xf32>) -> ()
  return
}

// -----

// b has other extents than a: not in place.
// CHECK-LABEL: func @ops_difference
// CHECK: memplan.slot above(
func.func @ops_difference(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %more = arith.addi %n, %c8 : index
  %less = arith.subi %n, %c8 : index
  %a = memref.alloc(%more) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%less) : memref<?xf32>
  linalg.map { arith.addf } ins(%a, %a : memref<?xf32>, memref<?xf32>)
    outs(%b : memref<?xf32>)
  memref.copy %b, %out : memref<?xf32> to memref<?xf32>
  return
}

// -----

// With an index of 32 bits, offsets that are computed may wrap.
// CHECK-LABEL: func @narrow_index
// CHECK: memref.alloc
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  func.func private @use(memref<?xf32>)
  func.func @narrow_index(%x: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    return
  }
}
