// Callers hand in an arena of no constant size and ask a function how large it
// must be.
// RUN: memplan-opt %s --plan-memory="arena=argument lower=false" --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s --plan-memory=arena=argument --memplan-verify=quiet=true --memplan-check-arena-arguments | FileCheck %s --check-prefix=CHECKED

// The arguments are the extents of %x, and %k.
// CHECK-LABEL: func.func @f.arena_bytes(
// CHECK-SAME:    %[[N:.*]]: index, %[[M:.*]]: index, %[[K:.*]]: index) -> index
// CHECK:         %[[S0:.*]] = memplan.slot
// CHECK:         %[[ALL:.*]] = memplan.slot above(%{{.*}}) size(%{{.*}}) align(1)
// CHECK:         return %[[ALL]] : index
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[ARENA:[a-z0-9]*]]: memref<?xi8> {memplan.arena = 64 : i64}
// CHECK:         memplan.view %[[ARENA]][
// CHECK-NOT:     memplan.release

// CHECKED-LABEL: func.func @f(
// CHECKED:         %[[WANTED:.*]] = call @f.arena_bytes(
// CHECKED:         %[[HOLDS:.*]] = arith.cmpi uge, %{{.*}}, %[[WANTED]]
// CHECKED:         cf.assert %[[HOLDS]], "the arena of @f has fewer bytes than @f.arena_bytes returns"
func.func @f(%x: memref<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  %b = memref.alloc(%k) : memref<?xf32>
  %f = arith.constant 1.0 : f32
  linalg.fill ins(%f : f32) outs(%b : memref<?xf32>)
  linalg.exp ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.abs ins(%a : memref<?x?xf32>) outs(%x : memref<?x?xf32>)
  %e = memref.load %b[%c0] : memref<?xf32>
  memref.store %e, %x[%c0, %c0] : memref<?x?xf32>
  memref.dealloc %a : memref<?x?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// Arenas of two memory spaces have a function each, and one of constant size has none.
// CHECK:       func.func @two.arena_bytes.1(
// CHECK:       func.func @two.arena_bytes(
// CHECK-LABEL: func.func @two(
// CHECK-SAME:    memref<?xi8, 1> {memplan.arena
// CHECK-SAME:    memref<?xi8> {memplan.arena
// CHECK-SAME:    memref<32xi8, 2> {memplan.arena
// CHECKED-LABEL: func.func @two(
// CHECKED-DAG:     call @two.arena_bytes(%{{.*}}, %{{.*}}) : (index, index) -> index
// CHECKED-DAG:     call @two.arena_bytes.1(%{{.*}}, %{{.*}}) : (index, index) -> index
func.func @two(%x: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32, 1>
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc() : memref<8xf32, 2>
  %d = memref.cast %c : memref<8xf32, 2> to memref<?xf32, 2>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32, 1>)
  linalg.exp ins(%a : memref<?xf32, 1>) outs(%b : memref<?xf32>)
  linalg.exp ins(%a : memref<?xf32, 1>) outs(%d : memref<?xf32, 2>)
  linalg.add ins(%b, %d : memref<?xf32>, memref<?xf32, 2>) outs(%out : memref<?xf32>)
  memref.dealloc %a : memref<?xf32, 1>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<8xf32, 2>
  return
}
