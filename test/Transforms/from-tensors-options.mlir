// The options of planning are passed to plan-memory.
// RUN: memplan-opt %s --memplan-from-tensors='strategy=naive report=text report-file=-' -o %t | FileCheck %s --check-prefix=NAIVE
// RUN: memplan-opt %s --memplan-from-tensors='strategy=greedy report=json report-file=%t.json' -o %t && FileCheck %s --check-prefix=JSON < %t.json
// RUN: memplan-opt %s --memplan-from-tensors=alignment=256 | FileCheck %s --check-prefix=ALIGN
// RUN: memplan-opt %s --memplan-from-tensors='workers=3 arena=alloca:2K,1:global require=placed,verified scope=module entry-points=chain callee-trust=none' \
// RUN:   --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: memplan-opt %s --memplan-from-tensors --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=DEFAULT
// RUN: not memplan-opt %s --memplan-from-tensors=capacity=100 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not memplan-opt %s --memplan-from-tensors=strategy=magic 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not memplan-opt %s --memplan-from-tensors=workers=-1 2>&1 | FileCheck %s --check-prefix=WORKERS

// Two buffers of 256 bytes are in the arena; the third is returned.
// NAIVE: strategy   naive
// NAIVE: arena      512 bytes
// JSON: "strategy": "greedy-by-size"
// ALIGN: memref.alloc() {alignment = 256 : i64, bufferization.manual_deallocation, memplan.arena}
// ALL: plan-memory{
// ALL-SAME: arena=alloca:2048,1:global
// ALL-SAME: callee-trust=none
// ALL-SAME: entry-points={chain}
// ALL-SAME: require=placed,verified
// ALL-SAME: scope=module
// ALL-SAME: workers=3
// DEFAULT: plan-memory{
// DEFAULT-SAME: arena=alloc callee-trust=boundary
// DEFAULT-SAME: require=none
// DEFAULT-SAME: scope=function
// DEFAULT-SAME: workers=8
// CAPACITY: error: arena of @chain in memory space 0 requires at least 512 bytes, with 256 more that are not planned, but its capacity is 100, 668 too few
// WORKERS: '-1' value invalid for uint argument!
// STRATEGY: 'magic' is not one of auto, naive, linear-scan, greedy,
func.func @chain(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%1, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.matmul ins(%2, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%z : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3 : tensor<8x8xf32>
}
