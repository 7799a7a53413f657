// RUN: memplan-opt %s --plan-memory=lower=false --memplan-verify=quiet=true | FileCheck %s --check-prefix=SLOTS
// RUN: memplan-opt %s --plan-memory | FileCheck %s
// RUN: memplan-opt %s --memplan-extract --memplan-solve --memplan-materialize --memplan-verify=quiet=true --memplan-lower > %t
// RUN: memplan-opt %s --plan-memory | diff %t -
// RUN: memplan-opt %s --plan-memory --plan-memory | diff %t -

// Two buffers that are not live together share the greater of their sizes.
// SLOTS-LABEL: func.func @disjoint(
// SLOTS-DAG:     %[[S0:.*]] = memplan.slot size(%{{.*}}) align(64)
// SLOTS-DAG:     %[[S1:.*]] = memplan.slot size(%{{.*}}) align(64)
// SLOTS:         memplan.arena of(%{{.*}}, %{{.*}}) align(64) : memref<?xi8>
// CHECK-LABEL: func.func @disjoint(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<?x8192xf32>, %[[Y:[a-z0-9]*]]: memref<?x4096xf32>
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 281474976710655 : index
// CHECK-DAG:     %[[A:.*]] = arith.minui %{{.*}}, %[[MOST]]
// CHECK-DAG:     %[[B:.*]] = arith.minui %{{.*}}, %[[MOST]]
// CHECK:         %[[ALL:.*]] = arith.maxui
// CHECK-NEXT:    memref.alloc(%[[ALL]])
func.func @disjoint(%x: memref<?x8192xf32>, %y: memref<?x4096xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x8192xf32>
  %m = memref.dim %y, %c0 : memref<?x4096xf32>
  %a = memref.alloc(%n) : memref<?x8192xf32>
  linalg.exp ins(%x : memref<?x8192xf32>) outs(%a : memref<?x8192xf32>)
  linalg.abs ins(%a : memref<?x8192xf32>) outs(%x : memref<?x8192xf32>)
  memref.dealloc %a : memref<?x8192xf32>
  %b = memref.alloc(%m) : memref<?x4096xf32>
  linalg.exp ins(%y : memref<?x4096xf32>) outs(%b : memref<?x4096xf32>)
  linalg.abs ins(%b : memref<?x4096xf32>) outs(%y : memref<?x4096xf32>)
  memref.dealloc %b : memref<?x4096xf32>
  return
}

// Two halves that are live together lie in the bytes of a whole that is dead:
// 32768 * n bytes are enough, which the sum of the halves is.
// CHECK-LABEL: func.func @halves_in_a_whole(
// CHECK:         %[[N:.*]] = memref.dim
// CHECK-DAG:     %[[WHOLE:.*]] = arith.muli %[[N]], %c32768
// CHECK-DAG:     %[[HALF:.*]] = arith.muli %[[N]], %c16384
// CHECK-NOT:     arith.maxui
// CHECK:         memref.alloc(
func.func @halves_in_a_whole(%x: memref<?x8192xf32>, %y: memref<?x4096xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x8192xf32>
  %a = memref.alloc(%n) : memref<?x8192xf32>
  linalg.exp ins(%x : memref<?x8192xf32>) outs(%a : memref<?x8192xf32>)
  linalg.abs ins(%a : memref<?x8192xf32>) outs(%x : memref<?x8192xf32>)
  memref.dealloc %a : memref<?x8192xf32>
  %b = memref.alloc(%n) : memref<?x4096xf32>
  %c = memref.alloc(%n) : memref<?x4096xf32>
  linalg.exp ins(%y : memref<?x4096xf32>) outs(%b : memref<?x4096xf32>)
  linalg.abs ins(%y : memref<?x4096xf32>) outs(%c : memref<?x4096xf32>)
  linalg.add ins(%b, %c : memref<?x4096xf32>, memref<?x4096xf32>) outs(%y : memref<?x4096xf32>)
  memref.dealloc %b : memref<?x4096xf32>
  memref.dealloc %c : memref<?x4096xf32>
  return
}

// 40000 bytes and 4 * n bytes that are not live together share max(40000, 4 * n).
// CHECK-LABEL: func.func @static_and_dynamic(
// CHECK:         %[[SIZE:.*]] = arith.minui
// CHECK:         %[[ALL:.*]] = arith.maxui %c40000{{[a-z0-9_]*}}, %[[SIZE]]
// CHECK-NEXT:    memref.alloc(%[[ALL]])
func.func @static_and_dynamic(%x: memref<?xf32>, %k: memref<10000xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc() : memref<10000xf32>
  linalg.exp ins(%k : memref<10000xf32>) outs(%a : memref<10000xf32>)
  linalg.abs ins(%a : memref<10000xf32>) outs(%k : memref<10000xf32>)
  memref.dealloc %a : memref<10000xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.abs ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  memref.dealloc %b : memref<?xf32>
  return
}

// The program makes m at least n, so both share m.
// CHECK-LABEL: func.func @one_is_greater(
// CHECK-NOT:     arith.maxui
// CHECK:         memref.alloc(
func.func @one_is_greater(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %m = arith.muli %n, %c3 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  linalg.exp ins(%y : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.abs ins(%b : memref<?xf32>) outs(%y : memref<?xf32>)
  memref.dealloc %b : memref<?xf32>
  return
}

// The buffer below is constant, and so is its place; only the one above needs a
// slot.
// SLOTS-LABEL: func.func @constant_below(
// SLOTS:         %[[S:.*]] = memplan.slot least(1024) size(%{{.*}}) align(64)
// SLOTS-NEXT:    %[[ARENA:.*]] = memplan.arena least(1024) of(%[[S]]) align(64)
// SLOTS-DAG:     memplan.view %[[ARENA]][0] align(64) : memref<?xi8> to memref<256xf32>
// SLOTS-DAG:     memplan.view %[[ARENA]][%[[S]]](%{{.*}}) align(64) : memref<?xi8> to memref<?xf32>
func.func @constant_below(%x: memref<?xf32>, %k: memref<256xf32>) attributes {} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%k : memref<256xf32>) outs(%a : memref<256xf32>)
  linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.abs ins(%a : memref<256xf32>) outs(%k : memref<256xf32>)
  linalg.abs ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  memref.dealloc %a : memref<256xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// The contents of %a are dead while %b is live, because an op overwrites all of
// them. So neither is above the other.
// SLOTS-LABEL: func.func @overwritten(
// SLOTS-NOT:     above
// SLOTS:         memplan.arena of(
func.func @overwritten(%x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.abs ins(%a : memref<?x?xf32>) outs(%x : memref<?x?xf32>)
  %b = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
  linalg.transpose ins(%b : memref<?x?xf32>) outs(%x : memref<?x?xf32>) permutation = [1, 0]
  %flat = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %source = memref.collapse_shape %x [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  linalg.exp ins(%source : memref<?xf32>) outs(%flat : memref<?xf32>)
  linalg.abs ins(%a : memref<?x?xf32>) outs(%x : memref<?x?xf32>)
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?x?xf32>
  return
}

// The size is computed at the entry, outside of the steps.
// SLOTS-LABEL: func.func @steps
// SLOTS:         arith.divui %{{[a-z0-9]+}}, %{{[a-z0-9_]+}} : index
// SLOTS:         linalg.fill {memplan.step = 0 : i64}
func.func @steps(%n: index, %x: memref<?xf32>, %out: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %b = memref.alloc() {memplan.step = 0 : i64} : memref<4xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill {memplan.step = 0 : i64} ins(%z : f32) outs(%b : memref<4xf32>)
  %m = arith.divui %n, %c2 {memplan.step = 1 : i64} : index
  %a = memref.alloc(%m) {memplan.step = 1 : i64} : memref<?xf32>
  linalg.exp {memplan.step = 1 : i64} ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs {memplan.step = 2 : i64} ins(%a : memref<?xf32>) outs(%out : memref<?xf32>)
  linalg.abs {memplan.step = 2 : i64} ins(%b : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// An extent of 0 that only a cast hides: the allocation of 0 - 3 elements stands
// where control does not go, and its slot is empty.
// SLOTS-LABEL: func.func @negative_constant(
// SLOTS:         memplan.slot size(%{{.*}}) align(64)
// SLOTS:         memplan.view {{.*}} to memref<0x?xf32>
// SLOTS:         memplan.view {{.*}} to memref<?xf32>
// CHECK-LABEL: func.func @negative_constant(
// CHECK:         memref.view {{.*}} to memref<0x?xf32>
// CHECK:         memref.view {{.*}} to memref<?xf32>
func.func @negative_constant(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %empty = memref.alloc(%n) : memref<0x?xf32>
  %any = memref.cast %empty : memref<0x?xf32> to memref<?x?xf32>
  %none = memref.dim %any, %c0 : memref<?x?xf32>
  %isMore = arith.cmpi sgt, %none, %c3 : index
  scf.if %isMore {
    %less = arith.subi %none, %c3 : index
    %a = memref.alloc(%less) : memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
    linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  }
  return
}

// A slice that takes steps and leaves out one of two dimensions of one element:
// upstream's getDroppedDims ends the program. Its last extent is that of %half.
// SLOTS-LABEL: func.func @stepped(
// SLOTS:         %[[HALF:.*]] = arith.divui
// SLOTS:         %[[BYTES:.*]] = arith.muli %[[HALF]],
// SLOTS:         memplan.slot size(%[[BYTES]])
func.func @stepped(%x: memref<4x2x?xf32, strided<[64, 32, 1]>>, %out: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = arith.constant 1.0 : f32
  %n = memref.dim %x, %c2 : memref<4x2x?xf32, strided<[64, 32, 1]>>
  %half = arith.divui %n, %c2 : index
  %s = memref.subview %x[0, 0, 0] [1, 1, %half] [2, 1, 1]
    : memref<4x2x?xf32, strided<[64, 32, 1]>> to memref<1x?xf32, strided<[128, 1]>>
  %m = memref.dim %s, %c1 : memref<1x?xf32, strided<[128, 1]>>
  %a = memref.alloc(%m) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%out : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return
}

// The cast says how many bytes the buffer has: the copy to it overwrites all of
// them, so that another buffer may be in their place before.
// SLOTS-LABEL: func.func @overwritten_through_a_cast(
// SLOTS:         %[[S:.*]] = memplan.slot size(%{{.*}}) align(64)
// SLOTS:         memplan.arena least(128) of(%[[S]]) align(64) : memref<?xi8>
func.func @overwritten_through_a_cast(%x: index, %from: memref<24xi8>, %in: memref<128xi8>, %i: index) -> i8 {
  %c0 = arith.constant 0 : index
  %c24 = arith.constant 24 : index
  %c1_i8 = arith.constant 1 : i8
  %more = arith.maxsi %x, %c0 : index
  %n = arith.addi %more, %c24 : index
  %a = memref.alloc(%n) : memref<?xi8>
  %cast = memref.cast %a : memref<?xi8> to memref<24xi8>
  memref.store %c1_i8, %a[%c0] : memref<?xi8>
  %b = memref.alloc() : memref<128xi8>
  memref.copy %in, %b : memref<128xi8> to memref<128xi8>
  %first = memref.load %b[%i] : memref<128xi8>
  memref.copy %from, %cast : memref<24xi8> to memref<24xi8>
  %last = memref.load %a[%i] : memref<?xi8>
  %sum = arith.addi %first, %last : i8
  return %sum : i8
}

// A memref without a rank between two casts: the outer type has another rank.
// SLOTS-LABEL: func.func @other_rank(
// SLOTS:         memplan.arena
// SLOTS:         memref.load %{{.*}} : memref<?x?xf32>
func.func @other_rank(%i: index, %j: index) -> f32 {
  %a = memref.alloc() : memref<4x4x4xf32>
  %u = memref.cast %a : memref<4x4x4xf32> to memref<*xf32>
  %r = memref.cast %u : memref<*xf32> to memref<?x?xf32>
  %v = memref.load %r[%i, %j] : memref<?x?xf32>
  return %v : f32
}
