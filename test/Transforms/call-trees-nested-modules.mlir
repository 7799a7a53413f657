// A module in the body of a function has separate call trees.
// RUN: memplan-opt %s --plan-memory=scope=module --memplan-verify | FileCheck %s
// RUN: memplan-opt %s --plan-memory="scope=module lower=false" --memplan-lower --memplan-verify | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify | FileCheck %s --check-prefix=FUNCTIONS

// CHECK-LABEL: func.func private @leaf
// CHECK-SAME: %[[FRAME:arg[0-9]+]]: memref<64xi8> {memplan.arena = 64 : i64})
// CHECK: memref.view %[[FRAME]]
func.func private @leaf(%x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  return
}

// FUNCTIONS-LABEL: func.func @outer
// CHECK-LABEL: func.func @outer
func.func @outer(%x: f32, %i: index) {
  // CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
  %o = memref.alloc() : memref<32xf32>
  memref.store %x, %o[%i] : memref<32xf32>
  // CHECK: call @leaf(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, index, memref<64xi8>)
  func.call @leaf(%x, %i) : (f32, index) -> ()
  builtin.module {
    // The constants of @inner are its own.
    // CHECK-LABEL: func.func private @inner
    // CHECK-SAME: %[[R:arg[0-9]+]]: memref<16xf32>, %[[FRAME:arg[0-9]+]]: memref<128xi8> {memplan.arena = 64 : i64})
    // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
    // CHECK: memref.view %[[FRAME]][%[[ZERO]]][]
    // FUNCTIONS-LABEL: func.func private @inner
    // FUNCTIONS: %[[ZERO:.*]] = arith.constant 0 : index
    // FUNCTIONS: memref.view %{{.*}}[%[[ZERO]]][]
    func.func private @inner(%y: f32, %j: index) -> memref<16xf32> {
      %a = memref.alloc() : memref<16xf32>
      %t = memref.alloc() : memref<32xf32>
      memref.store %y, %a[%j] : memref<16xf32>
      memref.store %y, %t[%j] : memref<32xf32>
      return %a : memref<16xf32>
    }
    // CHECK-LABEL: func.func @calls
    // CHECK: memref.alloc() {{.*}}memplan.arena} : memref<192xi8>
    func.func @calls(%y: f32, %j: index) {
      %r = func.call @inner(%y, %j) : (f32, index) -> memref<16xf32>
      memref.store %y, %r[%j] : memref<16xf32>
      memref.dealloc %r : memref<16xf32>
      return
    }
  }
  return
}
