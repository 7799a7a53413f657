// RUN: memplan-opt %s --plan-memory=lower=false --remarks-filter='plan.*' -verify-diagnostics | FileCheck %s
// RUN: memplan-opt %s --plan-memory=callee-trust=none | FileCheck %s --check-prefix=NONE

func.func private @outside(memref<16xf32>)
func.func private @outside_returns(memref<16xf32>) -> memref<16xf32>

func.func private @reads(%m: memref<16xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<16xf32>
  return %v : f32
}

func.func private @frees(%m: memref<16xf32>) {
  memref.dealloc %m : memref<16xf32>
  return
}

// A callee without a body keeps no argument, so both buffers share their bytes.
// CHECK-LABEL: func.func @external
// CHECK: memplan.arena align(64) : memref<64xi8>
// NONE-LABEL: func.func @external
// NONE: memref.alloc() : memref<16xf32>
// NONE: memref.alloc() : memref<16xf32>
// expected-remark@+1 {{Remark=arena}}
func.func @external(%f: f32, %i: index) {
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call @outside(%a) : (memref<16xf32>) -> ()
  // expected-remark@+1 {{b1 planned at offset 0}}
  %b = memref.alloc() : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  call @outside(%b) : (memref<16xf32>) -> ()
  return
}

// Its result may be the argument, which is live as long as the result.
// CHECK-LABEL: func.func @external_result
// CHECK: memplan.arena align(64) : memref<128xi8>
// expected-remark@+1 {{Remark=arena}}
func.func @external_result(%f: f32, %i: index) -> f32 {
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %r = call @outside_returns(%a) : (memref<16xf32>) -> memref<16xf32>
  // expected-remark@+1 {{b1 planned at offset 64}}
  %b = memref.alloc() : memref<16xf32>
  memref.store %f, %b[%i] : memref<16xf32>
  call @outside(%b) : (memref<16xf32>) -> ()
  %v = memref.load %r[%i] : memref<16xf32>
  return %v : f32
}

// A call through a value may reach the functions of its type whose address is
// taken: here one that only reads.
// CHECK-LABEL: func.func @indirect
// CHECK: memplan.arena align(64) : memref<64xi8>
// NONE-LABEL: func.func @indirect
// NONE: memref.alloc() : memref<16xf32>
// expected-remark@+1 {{Remark=arena}}
func.func @indirect(%f: f32, %i: index) -> f32 {
  %reads = constant @reads : (memref<16xf32>, index) -> f32
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %v = call_indirect %reads(%a, %i) : (memref<16xf32>, index) -> f32
  return %v : f32
}

// One of them frees its argument.
// CHECK-LABEL: func.func @indirect_free
// CHECK: memref.alloc() : memref<16xf32>
func.func @indirect_free(%f: f32, %i: index) {
  %frees = constant @frees : (memref<16xf32>) -> ()
  // expected-remark@+1 {{b0 not planned: it may be passed to @frees, which frees it}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call_indirect %frees(%a) : (memref<16xf32>) -> ()
  return
}

// The called function may be this one, which reads its argument; each
// activation has its own arena.
// CHECK-LABEL: func.func @indirect_recursion
// CHECK: memplan.arena align(64) : memref<64xi8>
// expected-remark@+1 {{Remark=arena}}
func.func @indirect_recursion(%m: memref<16xf32>, %i: index, %c: i1) {
  %self = constant @indirect_recursion : (memref<16xf32>, index, i1) -> ()
  // expected-remark@+1 {{b0 planned at offset 0}}
  %a = memref.alloc() : memref<16xf32>
  memref.copy %m, %a : memref<16xf32> to memref<16xf32>
  scf.if %c {
    func.call_indirect %self(%a, %i, %c) : (memref<16xf32>, index, i1) -> ()
  }
  return
}
