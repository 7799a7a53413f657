// RUN: memplan-opt %s --memplan-rematerialize="budget=256 in-place=false output=%t.txt" --cse | FileCheck %s
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REPORT

// Ops with regions are recomputed with their regions, and CSE does not merge
// them. 64 bytes each: %x is held, and %a, %b, %c and %m would be live at once.
// CHECK-LABEL: func.func @f
// CHECK: %[[A:.*]] = linalg.exp ins(%[[X:[^ ]*]] :
// CHECK: linalg.generic {{.*}}ins(%[[A]] :
// CHECK: %[[AGAIN:.*]] = linalg.exp {memplan.recomputed = 1 : i64} ins(%[[X]] :
// CHECK: linalg.add ins({{.*}}, %[[AGAIN]] :
// REPORT: @f: peak 256 bytes of 256, 1 ops recomputed
#id = affine_map<(i) -> (i)>
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) {
    ^bb0(%in: f32, %unused: f32):
      %s = math.sin %in : f32
      linalg.yield %s : f32
  } -> tensor<16xf32>
  %c = linalg.abs ins(%a : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["reduction"]}
      ins(%b, %c : tensor<16xf32>, tensor<16xf32>) outs(%b : tensor<16xf32>) {
    ^bb0(%p: f32, %q: f32, %out: f32):
      %s = arith.addf %p, %q : f32
      linalg.yield %s : f32
  } -> tensor<16xf32>
  %d = linalg.add ins(%g, %a : tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
}
