// A call with an extent out of its bounds ends with a message, before any buffer
// is used. Within the bounds the program computes the same as unplanned.
// RUN: sed 's/SIZE/8/' %s | %execute | FileCheck %s
// RUN: sed 's/SIZE/8/' %s | memplan-opt --plan-memory | %execute | FileCheck %s
// RUN: sed 's/SIZE/8/' %s | memplan-opt --plan-memory="dynamic=bounded arena=global require=planned,placed" | %execute | FileCheck %s
// RUN: sed 's/SIZE/9/' %s | memplan-opt --plan-memory --memplan-to-llvm > %t.runtime
// RUN: not --crash stdbuf -oL mlir-runner -O2 -e main -entry-point-result=void -shared-libs=%runner_libs %t.runtime 2>&1 | FileCheck %s --check-prefix=ABORT
// RUN: sed 's/SIZE/9/' %s | memplan-opt --plan-memory="dynamic=bounded arena=global" --memplan-to-llvm > %t.bounded
// RUN: not --crash stdbuf -oL mlir-runner -O2 -e main -entry-point-result=void -shared-libs=%runner_libs %t.bounded 2>&1 | FileCheck %s --check-prefix=ABORT
// RUN: sed 's/SIZE/4611686018427387904/' %s | memplan-opt --plan-memory --memplan-to-llvm > %t.huge
// RUN: not --crash stdbuf -oL mlir-runner -O2 -e main -entry-point-result=void -shared-libs=%runner_libs %t.huge 2>&1 | FileCheck %s --check-prefix=ABORT

// CHECK: 24
// ABORT-NOT: {{^}}27
// ABORT: @f: dimension 0 of argument 0 (S) must be at most 8
// ABORT-NOT: {{^}}27

func.func @f(%x: memref<?xf32> {memplan.dim_names = ["S"],
                                memplan.dim_bounds = array<i64: 0, 8, 1>}) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<?xf32>)
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %u = memref.load %a[%i] : memref<?xf32>
    %v = memref.load %b[%i] : memref<?xf32>
    %w = arith.addf %u, %v : f32
    %t = arith.addf %s, %w : f32
    scf.yield %t : f32
  }
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return %sum : f32
}

func.func private @printF32(f32)
func.func @main() {
  %n = arith.constant SIZE : index
  %c16 = arith.constant 16 : index
  %memory = memref.alloc(%c16) : memref<?xf32>
  %x = memref.reinterpret_cast %memory to offset: [0], sizes: [%n], strides: [1]
      : memref<?xf32> to memref<?xf32>
  %y = call @f(%x) : (memref<?xf32>) -> f32
  call @printF32(%y) : (f32) -> ()
  memref.dealloc %memory : memref<?xf32>
  return
}
