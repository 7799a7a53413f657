// memplan-extract writes problems before the functions and changes the program
// only by naming its buffers.
// RUN: memplan-opt %s --memplan-extract | FileCheck %s
// RUN: memplan-opt %s --memplan-extract="alignment=16 capacity=4096" \
// RUN:   | FileCheck %s --check-prefix=OPTIONS

// A problem for each memory space, in the order in which the spaces occur;
// numbers count all allocations of the function.
// CHECK-LABEL: memplan.problem @two_spaces align(256) {
// CHECK-NEXT: memplan.buffer @b0 size(64) align(64)
// CHECK-NEXT: memplan.buffer @b2 size(128) align(256)
// CHECK-NEXT: }
// CHECK-NEXT: memplan.problem @two_spaces space(1 : i64) align(64) {
// CHECK-NEXT: memplan.buffer @b1 size(32) align(64)
// CHECK-NEXT: }
// CHECK-NEXT: func.func @two_spaces
// OPTIONS-LABEL: memplan.problem @two_spaces align(256) capacity(4096) attributes {options = {alignment = 16 : i64, iteration_arenas = false}} {
// OPTIONS-NEXT: memplan.buffer @b0 size(64) align(16)
// OPTIONS-NEXT: memplan.buffer @b2 size(128) align(256)
// OPTIONS: memplan.problem @two_spaces space(1 : i64) align(16) capacity(4096)
func.func @two_spaces(%f: f32, %i: index) {
  // CHECK: memref.alloc() {memplan.buffer = "b0"} : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  // CHECK: memref.alloc() {memplan.buffer = "b1"} : memref<8xf32, 1>
  %b = memref.alloc() : memref<8xf32, 1>
  // The arena has the largest alignment of its buffers.
  // CHECK: memref.alloc() {alignment = 256 : i64, memplan.buffer = "b2"}
  %c = memref.alloc() {alignment = 256} : memref<32xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.store %f, %b[%i] : memref<8xf32, 1>
  memref.store %f, %c[%i] : memref<32xf32>
  // Deallocations stay, as nothing is rewritten.
  // CHECK: memref.dealloc
  memref.dealloc %a : memref<16xf32>
  return
}

// Buffers that are not planned are neither named nor counted.
// CHECK-NOT: memplan.problem @nothing_to_plan
// CHECK-LABEL: func.func @nothing_to_plan
// CHECK-NEXT: arith.divsi
// CHECK-NEXT: memref.alloc(%{{.*}}) : memref<?xf32>
func.func @nothing_to_plan(%n: index) {
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %a = memref.alloc(%unknown) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// CHECK: module @nested
// CHECK-NEXT: memplan.problem @in_a_module align(64) {
// CHECK: func.func @in_a_module
module @nested {
  func.func @in_a_module(%f: f32, %i: index) {
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    return
  }
}
