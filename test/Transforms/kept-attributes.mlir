// Attributes of other passes on an allocation are kept on the op that replaces
// it.
// RUN: memplan-opt %s --plan-memory=lower=false | FileCheck %s --check-prefixes=CHECK,VIEWS
// RUN: memplan-opt %s --plan-memory --memplan-verify | FileCheck %s --check-prefixes=CHECK,LOWERED

// CHECK-LABEL: func.func @straight
func.func @straight(%x: f32, %i: index, %j: index) {
  // VIEWS: memplan.view {{.*}} {test.name = "a"} : memref<{{[0-9]+}}xi8> to memref<16xf32>
  // LOWERED: memref.view {{.*}} {test.name = "a"} : memref<{{[0-9]+}}xi8> to memref<16xf32>
  %a = memref.alloc() {alignment = 128 : i64, test.name = "a"} : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  // VIEWS: memplan.view {{.*}} {test.bank = 3 : i64, unnamed} :
  // LOWERED: memref.view {{.*}} {test.bank = 3 : i64, unnamed} :
  %b = memref.alloca() {test.bank = 3, unnamed} : memref<16xf32>
  memref.store %x, %b[%i] : memref<16xf32>
  // VIEWS: memplan.view {{.*}} {test.name = "w"} :
  // LOWERED: memref.view {{.*}} {test.name = "w"} :
  %w = memplan.workspace shared align(16) {test.name = "w"} : memref<16xf32>
  memref.store %x, %w[%i] : memref<16xf32>
  // Without attributes, none are added.
  // VIEWS: memplan.view {{.*}} align(64) : memref
  // LOWERED: memref.view %{{.*}}[%{{.*}}][] : memref
  %c = memref.alloc() : memref<16xf32>
  memref.store %x, %c[%i] : memref<16xf32>
  return
}

// Two allocations in one slot, each with its own attributes.
// CHECK-LABEL: func.func @joined
func.func @joined(%c: i1, %x: f32, %i: index) {
  // VIEWS: memplan.view {{.*}} {test.name = "then"} :
  // LOWERED: memref.view {{.*}} {test.name = "then"} :
  // VIEWS: memplan.view {{.*}} {test.name = "else"} :
  // LOWERED: memref.view {{.*}} {test.name = "else"} :
  %r = scf.if %c -> memref<16xf32> {
    %a = memref.alloc() {test.name = "then"} : memref<16xf32>
    scf.yield %a : memref<16xf32>
  } else {
    %a = memref.alloc() {test.name = "else"} : memref<16xf32>
    scf.yield %a : memref<16xf32>
  }
  memref.store %x, %r[%i] : memref<16xf32>
  return
}

// The slots through which the buffers of a loop move.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // VIEWS-DAG: memplan.view {{.*}} {test.name = "init"} :
  // VIEWS-DAG: memplan.view {{.*}} {test.name = "next"} :
  // LOWERED-DAG: memref.view {{.*}} {test.name = "init"} :
  // LOWERED-DAG: memref.view {{.*}} {test.name = "next"} :
  %a = memref.alloc() {test.name = "init"} : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  // CHECK: scf.for
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> memref<16xf32> {
    %next = memref.alloc() {test.name = "next"} : memref<16xf32>
    linalg.transpose ins(%b : memref<16xf32>) outs(%next : memref<16xf32>) permutation = [0]
    scf.yield %next : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}
