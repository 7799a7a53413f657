// The table of ColossalAI's profiler for a training function as IR: its op
// graph is exported, and memplan-graph prints the memory that each op saves and
// its backward ops need. Named locations are the scopes by which backward ops
// are assigned to forward ops.
// RUN: memplan-opt %s --memplan-export-graph=output=%t.json -o /dev/null
// RUN: memplan-graph table --format=csv %t.json | FileCheck %s --match-full-lines

// The dense layer saves %x (512 bytes). Its backward op makes a transposed copy
// of it in addition to %iw (128), and returns the gradient of the weights. exp
// saves its own result, 16x4 floats, and its backward op makes the gradient
// that the dense layer uses.
// CHECK: op,name,scope,fwd_mem_in,fwd_mem_tmp,fwd_mem_out,bwd_mem_tmp,bwd_mem_tmp_net,bwd_mem_out,parameter_bytes,fwd_flops,bwd_flops
// CHECK: {{o[0-9]+}},linalg.matmul,net/dense,512,0,0,640,640,128,128,1024,1024
// CHECK: {{o[0-9]+}},linalg.exp,net/exp,0,256,0,0,0,256,0,64,64
func.func @train(%x: tensor<16x8xf32> {memplan.role = "primal"},
                 %w: tensor<8x4xf32> {memplan.role = "primal", memplan.static},
                 %t: tensor<16x4xf32> {memplan.role = "tangent"})
    -> (tensor<16x4xf32>, tensor<8x4xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x4xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32>
  %h = linalg.matmul ins(%x, %w : tensor<16x8xf32>, tensor<8x4xf32>)
                     outs(%i : tensor<16x4xf32>) -> tensor<16x4xf32> loc("net/dense")
  %y = linalg.exp ins(%h : tensor<16x4xf32>) outs(%e : tensor<16x4xf32>)
      -> tensor<16x4xf32> loc("net/exp")
  %g = linalg.mul ins(%y, %t : tensor<16x4xf32>, tensor<16x4xf32>)
                  outs(%e : tensor<16x4xf32>) -> tensor<16x4xf32> loc("net/exp")
  %et = tensor.empty() : tensor<8x16xf32>
  %xt = linalg.transpose ins(%x : tensor<16x8xf32>) outs(%et : tensor<8x16xf32>)
      permutation = [1, 0] loc("net/dense")
  %ew = tensor.empty() : tensor<8x4xf32>
  %iw = linalg.fill ins(%zero : f32) outs(%ew : tensor<8x4xf32>) -> tensor<8x4xf32> loc("net/dense")
  %dw = linalg.matmul ins(%xt, %g : tensor<8x16xf32>, tensor<16x4xf32>)
                      outs(%iw : tensor<8x4xf32>) -> tensor<8x4xf32> loc("net/dense")
  return %y, %dw : tensor<16x4xf32>, tensor<8x4xf32>
}
