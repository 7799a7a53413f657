// A small classifier: three layers, the first two with a rectifier.

func.func private @layer(%x: tensor<1x16xf32>, %w: tensor<16x16xf32>)
    -> tensor<1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16xf32>)
      -> tensor<1x16xf32>
  %y = linalg.matmul
      ins(%x, %w : tensor<1x16xf32>, tensor<16x16xf32>)
      outs(%z : tensor<1x16xf32>) -> tensor<1x16xf32>
  %r = linalg.max
      ins(%y, %z : tensor<1x16xf32>, tensor<1x16xf32>)
      outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

func.func @classify(%x: tensor<1x16xf32>, %w1: tensor<16x16xf32>,
                    %w2: tensor<16x16xf32>, %w3: tensor<16x4xf32>)
    -> tensor<1x4xf32> {
  %h1 = call @layer(%x, %w1)
      : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
  %h2 = call @layer(%h1, %w2)
      : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4xf32>)
      -> tensor<1x4xf32>
  %y = linalg.matmul
      ins(%h2, %w3 : tensor<1x16xf32>, tensor<16x4xf32>)
      outs(%z : tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
