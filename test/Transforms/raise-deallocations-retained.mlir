// RUN: mlir-opt %s --bufferization-lower-deallocations | memplan-opt --memplan-raise-deallocations --canonicalize="region-simplify=disabled" | FileCheck %s

// A retained memref with the name of the freed one is not freed.
// CHECK-LABEL: func.func @nothing_left
// CHECK-NOT: dealloc
// CHECK: return
func.func @nothing_left(%m: memref<8xi64>, %c: i1) -> memref<8xi64> {
  bufferization.dealloc (%m : memref<8xi64>) if (%c) retain (%m : memref<8xi64>)
  return %m : memref<8xi64>
}

// Others are still freed, or have the ownership of that name.
// CHECK-LABEL: func.func @others_left
// CHECK-SAME: [[M:%[a-z0-9]+]]: memref<8xi64>, [[N:%[a-z0-9]+]]: memref<8xi64>, [[C:%[a-z0-9]+]]: i1, [[D:%[a-z0-9]+]]: i1
// CHECK: [[O:%.*]] = bufferization.dealloc ([[N]] : memref<8xi64>) if ([[D]]) retain ([[M]] : memref<8xi64>)
// CHECK: [[R:%.*]] = arith.ori [[O]], [[C]]
// CHECK: return [[R]]
func.func @others_left(%m: memref<8xi64>, %n: memref<8xi64>, %c: i1, %d: i1) -> i1 {
  %o = bufferization.dealloc (%m, %n : memref<8xi64>, memref<8xi64>) if (%c, %d) retain (%m : memref<8xi64>)
  return %o : i1
}

// %n may be %m, and then is owned as well.
// CHECK-LABEL: func.func @asked_by_another_name
// CHECK-SAME: [[M:%[a-z0-9]+]]: memref<8xi64>, [[N:%[a-z0-9]+]]: memref<8xi64>, [[C:%[a-z0-9]+]]: i1
// CHECK: bufferization.dealloc ([[M]], %{{.*}}) if ([[C]], %{{.*}}) retain ([[M]], [[N]] :
func.func @asked_by_another_name(%m: memref<8xi64>, %n: memref<8xi64>, %c: i1, %d: i1, %x: memref<8xi64>) -> i1 {
  %o:2 = bufferization.dealloc (%m, %x : memref<8xi64>, memref<8xi64>) if (%c, %d) retain (%m, %n : memref<8xi64>, memref<8xi64>)
  return %o#1 : i1
}
