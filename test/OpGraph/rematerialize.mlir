// RUN: memplan-opt %s --memplan-rematerialize="budget=256 output=%t.txt" --mlir-print-debuginfo | FileCheck %s
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REPORT
// RUN: memplan-opt %s --memplan-rematerialize="budget=320 output=%t.txt" | FileCheck %s --check-prefix=ENOUGH
// RUN: memplan-opt %s --memplan-rematerialize="budget=1K output=%t.txt" | FileCheck %s --check-prefix=ENOUGH
// RUN: not memplan-opt %s --memplan-rematerialize="budget=255" 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not memplan-opt %s --memplan-rematerialize="budget=256 steps=-1" 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: error: steps -1 is less than 0
// RUN: not memplan-opt %s --memplan-rematerialize 2>&1 | FileCheck %s --check-prefix=NONE

// Each tensor has 64 bytes. %x is held; %a, %b, %c and %m would be live at
// once, 320 bytes with %x. No order has a lower peak, as %b and %c are computed
// from %a. %a is recomputed after %m.
// CHECK-LABEL: func.func @f
// CHECK: %[[A:.*]] = math.exp %[[X:[^ ]*]]
// CHECK-DAG: %[[B:.*]] = math.sin %[[A]]
// CHECK-DAG: %[[C:.*]] = math.cos %[[A]]
// CHECK: %[[M:.*]] = arith.addf %[[B]], %[[C]]
// CHECK: %[[AGAIN:.*]] = math.exp %[[X]] {memplan.recomputed = 1 : i64} : tensor<16xf32> loc(#[[LOC:.*]])
// CHECK: arith.addf %[[M]], %[[AGAIN]]
// CHECK: #[[NAME:.*]] = loc("recomputed")
// CHECK: #[[LOC]] = loc(fused[{{.*}}, #[[NAME]]])
// REPORT: @f: peak 256 bytes of 256, 1 ops recomputed, 16 FLOPs more
// ENOUGH: math.exp
// ENOUGH-NOT: math.exp
// LESS: error: @f cannot run in 255 bytes: {{no schedule needs less than 256|an exhaustive search found no schedule}}
// NONE: error: budget must be given in bytes, at least 0
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %a = math.exp %x : tensor<16xf32>
  %b = math.sin %a : tensor<16xf32>
  %c = math.cos %a : tensor<16xf32>
  %m = arith.addf %b, %c : tensor<16xf32>
  %d = arith.addf %m, %a : tensor<16xf32>
  return %d : tensor<16xf32>
}
