// RUN: memplan-opt %s --plan-memory="scope=module entry-points=main" | FileCheck %s
// RUN: memplan-opt %s --plan-memory=scope=module | FileCheck %s --check-prefix=PUBLIC
// RUN: not memplan-opt %s --plan-memory="scope=module entry-points=main,none" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: error: entry point @none is not a function with a body in this module

// Only @main is called from outside, so @helper gets its memory from @main: the
// frame (64 bytes) is beside %a, which the call reads.
// CHECK-LABEL: func.func private @helper
// CHECK-SAME: memref<64xi8> {memplan.arena = 64 : i64}
// CHECK-NOT: memref.alloc
// PUBLIC-LABEL: func.func @helper(%{{.*}}: memref<16xf32>, %{{.*}}: index) -> f32
// PUBLIC: memref.alloc
func.func @helper(%m: memref<16xf32>, %i: index) -> f32 {
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%m : memref<16xf32>) outs(%t : memref<16xf32>)
  %v = memref.load %t[%i] : memref<16xf32>
  return %v : f32
}

// CHECK-LABEL: func.func @main
// CHECK: memref.alloc() {{.*}}memplan.arena} : memref<128xi8>
// CHECK-NOT: memref.alloc
// PUBLIC-LABEL: func.func @main
// PUBLIC: memref.alloc() {{.*}}memplan.arena} : memref<64xi8>
func.func @main(%m: memref<16xf32>, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%m : memref<16xf32>) outs(%a : memref<16xf32>)
  %v = call @helper(%a, %i) : (memref<16xf32>, index) -> f32
  return %v : f32
}
