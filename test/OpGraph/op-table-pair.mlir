// The table of a forward and a backward function: the results of the forward
// function after its outputs are the first arguments of the backward function.
// The figures are those of op-table.mlir, where both are one function.
// RUN: memplan-opt %s --memplan-export-graph="function=forward backward=backward output=-" -o /dev/null | memplan-graph table --format=csv > %t.pair
// RUN: memplan-opt %S/op-table.mlir --memplan-export-graph=output=- -o /dev/null | memplan-graph table --format=csv | diff %t.pair -
// RUN: FileCheck %s --match-full-lines < %t.pair
// RUN: not memplan-opt %s --memplan-export-graph="function=forward backward=none" 2>&1 | FileCheck %s --check-prefix=NONE
// CHECK: {{o[0-9]+}},linalg.matmul,net/dense,512,0,0,640,640,128,128,1024,1024
// CHECK: {{o[0-9]+}},linalg.exp,net/exp,0,256,0,0,0,256,0,64,64
// NONE: error: there is no function @none
func.func @forward(%x: tensor<16x8xf32> {memplan.role = "primal"},
                   %w: tensor<8x4xf32> {memplan.role = "primal", memplan.static})
    -> (tensor<16x4xf32>, tensor<16x8xf32>, tensor<16x4xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %h = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x4xf32>)
                     outs(%i : tensor<16x4xf32>) -> tensor<16x4xf32> loc("net/dense")
  %y = linalg.exp ins(%h : tensor<16x4xf32>) outs(%e : tensor<16x4xf32>)
      -> tensor<16x4xf32> loc("net/exp")
  return %y, %x, %y : tensor<16x4xf32>, tensor<16x8xf32>, tensor<16x4xf32>
}
func.func @backward(%x: tensor<16x8xf32>, %y: tensor<16x4xf32>, %t: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %g = linalg.mul ins(%y, %t : tensor<16x4xf32>, tensor<16x4xf32>)
                  outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32> loc("net/exp")
  %et = tensor.empty() : tensor<8x16xf32>
  %xt = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%et : tensor<8x16xf32>)
      permutation = [1, 0] loc("net/dense")
  %ew = tensor.empty() : tensor<8x4xf32>
  %iw = linalg.fill ins(%zero : f32) outs(%ew : tensor<8x4xf32>) -> tensor<8x4xf32> loc("net/dense")
  %dw = linalg.matmul ins(%xt, %g : tensor<8x16xf32>, tensor<16x4xf32>)
                      outs(%iw : tensor<8x4xf32>) -> tensor<8x4xf32> loc("net/dense")
  return %dw : tensor<8x4xf32>
}
