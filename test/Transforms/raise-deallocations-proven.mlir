// The verifier proves what is raised. With each fault `raise_*` of
// test/tools/mutate_analysis.py it refuses to raise these deallocations.
// RUN: memplan-opt %s --bufferization-lower-deallocations --memplan-raise-deallocations -verify-diagnostics | FileCheck %s
// RUN: memplan-opt %s --bufferization-lower-deallocations --canonicalize --cse --memplan-raise-deallocations -verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @several(
// CHECK: bufferization.dealloc (%{{.*}}, %{{.*}} : memref<8xi64>, memref<8xi64>) if (%{{.*}}, %{{.*}}) retain (%{{.*}}, %{{.*}} :
func.func @several(%a: memref<8xi64>, %b: memref<8xi64>, %r: memref<8xi64>,
                   %s: memref<8xi64>, %c: i1, %d: i1) -> (i1, i1) {
  %o:2 = bufferization.dealloc (%a, %b : memref<8xi64>, memref<8xi64>) if (%c, %d) retain (%r, %s : memref<8xi64>, memref<8xi64>)
  return %o#0, %o#1 : i1, i1
}

// CHECK-LABEL: func.func @before_a_call(
// CHECK: bufferization.dealloc (%{{.*}}, %{{.*}} : memref<8xi64>, memref<8xi64>) if (%{{.*}}, %{{.*}}) retain (%{{.*}} :
// CHECK: call @use
func.func private @use(memref<8xi64>)
func.func @before_a_call(%a: memref<8xi64>, %b: memref<8xi64>,
                         %r: memref<8xi64>, %c: i1, %d: i1) {
  bufferization.dealloc (%a, %b : memref<8xi64>, memref<8xi64>) if (%c, %d) retain (%r : memref<8xi64>)
  call @use(%r) : (memref<8xi64>) -> ()
  return
}

// CHECK-LABEL: func.func @compared(
// CHECK: bufferization.dealloc (%{{.*}} : memref<8xi64>) if (%{{.*}}) retain (%{{.*}}, %{{.*}} :
func.func @compared(%a: memref<8xi64>, %r: memref<8xi64>, %s: memref<8xi64>,
                    %c: i1) -> (i1, i1) {
  %o:2 = bufferization.dealloc (%a : memref<8xi64>) if (%c) retain (%r, %s : memref<8xi64>, memref<8xi64>)
  return %o#0, %o#1 : i1, i1
}

// What is retained by its own name is owned if its condition holds.
// CHECK-LABEL: func.func @retained(
// CHECK: arith.ori
func.func @retained(%m: memref<8xi64>, %n: memref<8xi64>, %c: i1, %d: i1) -> i1 {
  %o = bufferization.dealloc (%m, %n : memref<8xi64>, memref<8xi64>) if (%c, %d) retain (%m : memref<8xi64>)
  return %o : i1
}

// CHECK-LABEL: func.func @asked_by_another_name(
// CHECK: bufferization.dealloc (%{{.*}}, %{{.*}} : memref<8xi64>, memref<8xi64>) if
func.func @asked_by_another_name(%m: memref<8xi64>, %n: memref<8xi64>, %c: i1,
                                 %d: i1, %x: memref<8xi64>) -> i1 {
  %o:2 = bufferization.dealloc (%m, %x : memref<8xi64>, memref<8xi64>) if (%c, %d) retain (%m, %n : memref<8xi64>, memref<8xi64>)
  return %o#1 : i1
}

// CHECK-LABEL: func.func @cloned(
// CHECK: memref.alloc
// CHECK: memref.copy
func.func @cloned(%a: memref<8xi64>) -> memref<8xi64> {
  %b = bufferization.clone %a : memref<8xi64> to memref<8xi64>
  call @use(%b) : (memref<8xi64>) -> ()
  return %b : memref<8xi64>
}
