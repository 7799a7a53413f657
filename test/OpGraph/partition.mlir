// RUN: memplan-opt %s --split-input-file --memplan-partition="output=%t.txt" --mlir-print-debuginfo | FileCheck %s
// RUN: memplan-opt %s --split-input-file --memplan-partition="strategy=default output=%t.txt" | FileCheck %s --check-prefix=DEFAULT
// RUN: memplan-opt %s --split-input-file --memplan-partition="keep-joint output=%t.txt" | FileCheck %s --check-prefix=KEEP

// It suffices to save %a or %y, as the other is computed from it; the one that
// is computed last costs less to recompute.
// CHECK-LABEL: func.func @f_fwd(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32> {memplan.role = "primal"}
// CHECK-SAME: -> (tensor<4xf32>, tensor<4xf32>) attributes {memplan.num_fwd_outputs = 1 : i64}
// CHECK: %[[A:.*]] = math.exp %[[X]]
// CHECK: %[[Y:.*]] = math.exp %[[A]]
// CHECK: %[[Z:.*]] = arith.negf %[[Y]]
// CHECK: return %[[Z]], %[[A]]
// CHECK-LABEL: func.func @f_bwd(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32> {memplan.donated}
// CHECK-SAME: %[[DY:.*]]: tensor<4xf32> {memplan.role = "tangent"}
// CHECK: %[[Y:.*]] = math.exp %[[A]] : tensor<4xf32> loc(#[[LOC:.*]])
// CHECK: %[[G:.*]] = arith.mulf %[[DY]], %[[Y]]
// CHECK: %[[DX:.*]] = arith.mulf %[[G]], %[[A]]
// CHECK: return %[[DX]]
// CHECK: #[[NAME:.*]] = loc("recomputed")
// CHECK: #[[LOC]] = loc(fused[{{.*}}, #[[NAME]]])
// DEFAULT-LABEL: func.func @f_fwd(
// DEFAULT: return %{{.*}}, %{{.*}}, %{{.*}} :
// DEFAULT-LABEL: func.func @f_bwd(
// DEFAULT-NOT: math.exp
// DEFAULT: return
// KEEP: func.func @f_fwd
// KEEP: func.func @f_bwd
// KEEP: func.func @f(
func.func @f(%x: tensor<4xf32> {memplan.role = "primal"}, %dy: tensor<4xf32> {memplan.role = "tangent"})
    -> (tensor<4xf32>, tensor<4xf32>) attributes {memplan.num_fwd_outputs = 1 : i64} {
  %a = math.exp %x : tensor<4xf32>
  %y = math.exp %a : tensor<4xf32>
  %z = arith.negf %y : tensor<4xf32>
  %g = arith.mulf %dy, %y : tensor<4xf32>
  %dx = arith.mulf %g, %a : tensor<4xf32>
  return %z, %dx : tensor<4xf32>, tensor<4xf32>
}

// -----

// The caller holds a forward output, so saving it is free, and its memory is
// not donated.
// CHECK-LABEL: func.func @returned_fwd(
// CHECK: return %[[Y:.*]], %{{.*}}, %[[Y]] :
// CHECK-LABEL: func.func @returned_bwd(
// CHECK-SAME: {memplan.donated} loc({{[^)]*}}), %{{[^:]*}}: tensor<4xf32> loc(
// CHECK-NOT: math.exp
// CHECK: return
func.func @returned(%x: tensor<4xf32> {memplan.role = "primal"}, %dy: tensor<4xf32> {memplan.role = "tangent"})
    -> (tensor<4xf32>, tensor<4xf32>) attributes {memplan.num_fwd_outputs = 1 : i64} {
  %a = math.exp %x : tensor<4xf32>
  %y = math.exp %a : tensor<4xf32>
  %g = arith.mulf %dy, %y : tensor<4xf32>
  %dx = arith.mulf %g, %a : tensor<4xf32>
  return %y, %dx : tensor<4xf32>, tensor<4xf32>
}

// -----

// Saving a weight costs nothing; an option tells which primals are weights.
// Constants and empty tensors are in both functions; a destination that is not
// read is not saved.
// CHECK-LABEL: func.func @weights_fwd(
// CHECK: return %{{.*}}, %{{.*}} : tensor<4x4xf32>, tensor<4x4xf32>
// CHECK-LABEL: func.func @weights_bwd(
// CHECK-SAME: %[[W:.*]]: tensor<4x4xf32> {memplan.arg_index = 1 : i64, memplan.role = "primal", memplan.static}
// CHECK-SAME: %[[DY:.*]]: tensor<4x4xf32> {memplan.role = "tangent"}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-DAG: %[[E:.*]] = tensor.empty()
// CHECK: %[[Z:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[E]]
// CHECK: linalg.matmul ins(%[[DY]], %[[W]]
func.func @weights(%x: tensor<4x4xf32> {memplan.role = "primal"}, %w: tensor<4x4xf32> {memplan.role = "primal", memplan.static},
    %dy: tensor<4x4xf32> {memplan.role = "tangent"}) -> (tensor<4x4xf32>, tensor<4x4xf32>) attributes {memplan.num_fwd_outputs = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  %dx = linalg.matmul ins(%dy, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %dx : tensor<4x4xf32>, tensor<4x4xf32>
}
