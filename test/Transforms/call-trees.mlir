// RUN: memplan-opt %s --plan-memory="scope=module lower=false" | FileCheck %s
// RUN: memplan-opt %s --plan-memory=scope=module | FileCheck %s --check-prefix=LOWERED
// RUN: memplan-opt %s --plan-memory=scope=module -o %t.once
// RUN: memplan-opt %t.once --plan-memory=scope=module | diff %t.once -

// The callee's 64 bytes are an argument, marked with their alignment.
// CHECK-LABEL: func.func private @inner
// CHECK-SAME: [[ARENA:%[a-z0-9]+]]: memref<64xi8> {memplan.arena = 64 : i64}
// CHECK-NOT: memplan.arena align
// CHECK: memplan.view [[ARENA]][0]
// CHECK-NOT: memplan.release
// LOWERED-LABEL: func.func private @inner
// LOWERED-NOT: memref.alloc
func.func private @inner(%in: memref<16xf32>, %out: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  linalg.abs ins(%t : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// The caller provides the memory of the buffer that the function allocates and
// returns.
// CHECK-LABEL: func.func private @fresh
// CHECK-SAME: (%{{.*}}: memref<16xf32>, [[OUT:%[a-z0-9]+]]: memref<16xf32>) {
// CHECK: linalg.abs ins(%{{.*}}) outs([[OUT]] : memref<16xf32>)
func.func private @fresh(%in: memref<16xf32>) -> memref<16xf32> {
  %r = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}

// Three buffers: %a, the result %b and the frame of @inner, which is live only
// in the calls. %a is dead in the second call, so the peak is two of them.
// CHECK-LABEL: func.func @two_calls
// CHECK-SAME: (%{{[a-z0-9]*}}: memref<16xf32>, %{{[a-z0-9]*}}: memref<16xf32>) {
// CHECK: memplan.arena align(64) : memref<128xi8>
// LOWERED-LABEL: func.func @two_calls
// LOWERED-COUNT-1: memref.alloc
// LOWERED-NOT: memref.alloc
// LOWERED: return
func.func @two_calls(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @inner(%in, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = call @fresh(%a) : (memref<16xf32>) -> memref<16xf32>
  call @inner(%b, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %b : memref<16xf32>
  return
}

// A recursive function has an arena for each activation.
// CHECK-LABEL: func.func private @recursive
// CHECK: memplan.arena align(64)
func.func private @recursive(%n: index, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%out : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @recursive(%m, %out) : (index, memref<16xf32>) -> ()
  }
  return
}

// Several iterations call it at once, so no bytes of the caller belong to one
// call.
// CHECK-LABEL: func.func private @in_parallel
// CHECK: memplan.arena align(64)
func.func private @in_parallel(%out: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%out : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  return
}

// Its address is taken, so its signature is kept.
// CHECK-LABEL: func.func private @taken(%{{.*}}: memref<16xf32>) {
// CHECK: memplan.arena align(64)
func.func private @taken(%out: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%out : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  return
}

// CHECK-LABEL: func.func @callers
func.func @callers(%n: index, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @recursive(%n, %out) : (index, memref<16xf32>) -> ()
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @in_parallel(%out) : (memref<16xf32>) -> ()
  }
  %f = constant @taken : (memref<16xf32>) -> ()
  call_indirect %f(%out) : (memref<16xf32>) -> ()
  return
}
