// Unknown ops: the parser rejects them unless they are allowed; then the
// buffers that they use are not planned, and the reason names the op.

// RUN: not memplan-opt --plan-memory=prepare=false %s 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: memplan-opt --plan-memory=prepare=false --allow-unregistered-dialect %s | FileCheck %s
// RUN: memplan-opt --plan-memory=prepare=false --allow-unregistered-dialect --remarks-filter=plan.* %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REFUSED: error: operation being parsed with an unregistered dialect

// REMARK: b0 not planned: it is used by 'some.op', whose effects are not known
// REMARK: b0 not planned: it is used by 'some.op', whose result may be the same memory
// REMARK: Function=region | Remark="b0 not planned: it is used inside 'some.region'
// REMARK: Function=region | Remark="b1 not planned: it is allocated inside 'some.region'

// CHECK-LABEL: func.func @effects
// CHECK: %[[A:.*]] = memref.alloc() : memref<64xf32>
// CHECK: %[[B:.*]] = memref.view
// CHECK: "some.op"(%[[A]])
// CHECK: linalg.fill {{.*}} outs(%[[B]]
// CHECK: memref.dealloc %[[A]] : memref<64xf32>
func.func @effects() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  "some.op"(%a) : (memref<64xf32>) -> ()
  linalg.fill ins(%c : f32) outs(%b : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  return
}

// CHECK-LABEL: func.func @alias
// CHECK: memref.alloc() : memref<64xf32>
// CHECK-NOT: memref.view
func.func @alias() {
  %a = memref.alloc() : memref<64xf32>
  %r = "some.op"(%a) : (memref<64xf32>) -> memref<64xf32>
  "some.op"(%r) : (memref<64xf32>) -> ()
  return
}

// A region that may run any number of times, or several times at once.
// CHECK-LABEL: func.func @region
// CHECK-COUNT-2: memref.alloc() : memref<64xf32>
// CHECK-NOT: memref.view
func.func @region() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<64xf32>
  "some.region"() ({
    "some.op"(%a) : (memref<64xf32>) -> ()
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%c : f32) outs(%b : memref<64xf32>)
    "some.end"() : () -> ()
  }) : () -> ()
  return
}

// Ops that are not functions are not changed.
// CHECK: "some.function"() ({
// CHECK-NEXT: memref.alloc() : memref<64xf32>
"some.function"() ({
  %b = memref.alloc() : memref<64xf32>
  "some.op"(%b) : (memref<64xf32>) -> ()
  "some.end"() : () -> ()
}) : () -> ()
