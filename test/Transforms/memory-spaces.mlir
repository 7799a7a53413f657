// Arenas of memory spaces other than the default one are released only if the
// program frees a buffer there; otherwise a deallocation may have no lowering.
// RUN: memplan-opt %s --plan-memory="lower=false" --split-input-file | FileCheck %s
// RUN: memplan-opt %s --plan-memory --split-input-file | \
// RUN:   memplan-opt --memplan-verify --split-input-file
// RUN: memplan-opt %s --plan-memory="scope=module lower=false" --split-input-file | \
// RUN:   FileCheck %s --check-prefix=TREES

// CHECK-LABEL: func.func @never_freed
// CHECK: memplan.arena align(64) : memref<32xi8, 1>
// CHECK-NOT: memplan.release %{{.*}} : memref<32xi8, 1>
// CHECK: memplan.release %{{.*}} : memref<64xi8>
// CHECK-NOT: memplan.release %{{.*}} : memref<32xi8, 1>
func.func @never_freed(%f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %b = memref.alloc() : memref<8xf32, 1>
  memref.store %f, %b[%i] : memref<8xf32, 1>
  return
}

// One of the buffers is freed in space 1, none in space 2.
// CHECK-LABEL: func.func @freed
// CHECK-DAG: %[[ONE:.*]] = memplan.arena align(64) : memref<96xi8, 1>
// CHECK-DAG: memplan.arena align(64) : memref<32xi8, 2>
// CHECK-NOT: dealloc
// CHECK: memplan.release %[[ONE]]
// CHECK-NEXT: return
func.func @freed(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32, 1>
  memref.store %f, %a[%i] : memref<8xf32, 1>
  %b = memref.alloc() : memref<8xf32, 1>
  memref.store %f, %b[%i] : memref<8xf32, 1>
  memref.store %f, %a[%i] : memref<8xf32, 1>
  memref.dealloc %b : memref<8xf32, 1>
  %c = memref.alloc() : memref<8xf32, 2>
  memref.store %f, %c[%i] : memref<8xf32, 2>
  return
}

// -----

// With call trees, the function with the arena releases it, although only the
// callee frees.
// TREES-LABEL: func.func private @frees
// TREES-NOT: memplan.release
// TREES: return
func.func private @frees(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32, 1>
  memref.store %f, %a[%i] : memref<8xf32, 1>
  memref.dealloc %a : memref<8xf32, 1>
  return
}
func.func private @keeps(%f: f32, %i: index) {
  %a = memref.alloc() : memref<8xf32, 2>
  memref.store %f, %a[%i] : memref<8xf32, 2>
  return
}
// TREES-LABEL: func.func @calls
// TREES: %[[ONE:.*]] = memplan.arena align(64) : memref<32xi8, 1>
// TREES-NOT: memplan.release %{{.*}} : memref<32xi8, 2>
// TREES: memplan.release %[[ONE]]
// TREES-NEXT: return
func.func @calls(%f: f32, %i: index) {
  call @frees(%f, %i) : (f32, index) -> ()
  call @keeps(%f, %i) : (f32, index) -> ()
  return
}
