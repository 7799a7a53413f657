// Numbers carry no address, and the memref that a call returns is followed. If
// a function leaks the address of its argument, only the call trees with this
// function are not planned.
// RUN: memplan-opt %s --plan-memory="scope=module lower=false" \
// RUN:   -verify-diagnostics | FileCheck %s
// RUN: memplan-opt %s --plan-memory=scope=module --memplan-verify

func.func private @numbers(memref<16xf32>) -> (index, i64, vector<4xf32>, complex<f32>)
func.func private @pointer(memref<16xf32>) -> !llvm.ptr
func.func private @tensor(memref<16xf32>) -> tensor<16xf32>

// The buffer and its deallocation are unchanged.
// CHECK-LABEL: func.func private @hands_out
// CHECK-NOT: memplan
// CHECK: %[[A:.*]] = memref.alloc() : memref<16xf32>
// CHECK: memref.dealloc %[[A]]
func.func private @hands_out(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %p = call @pointer(%a) : (memref<16xf32>) -> !llvm.ptr
  %t = call @tensor(%a) : (memref<16xf32>) -> tensor<16xf32>
  memref.dealloc %a : memref<16xf32>
  return
}
// CHECK-LABEL: func.func @tree_with_pointer
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @tree_with_pointer(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  call @numbers(%a) : (memref<16xf32>) -> (index, i64, vector<4xf32>, complex<f32>)
  call @hands_out(%x, %i) : (f32, index) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}

// CHECK-LABEL: func.func private @leaf
// CHECK-SAME: memref<64xi8> {memplan.arena = 64 : i64}
func.func private @leaf(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  call @numbers(%a) : (memref<16xf32>) -> (index, i64, vector<4xf32>, complex<f32>)
  memref.dealloc %a : memref<16xf32>
  return
}
// CHECK-LABEL: func.func @other_tree
// CHECK: %[[ARENA:.*]] = memplan.arena align(64) : memref<128xi8>
// CHECK: %[[FRAME:.*]] = memplan.view %[[ARENA]][64]
// CHECK: call @leaf(%{{.*}}, %{{.*}}, %[[FRAME]])
func.func @other_tree(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  call @leaf(%x, %i) : (f32, index) -> ()
  call @numbers(%a) : (memref<16xf32>) -> (index, i64, vector<4xf32>, complex<f32>)
  memref.dealloc %a : memref<16xf32>
  return
}
