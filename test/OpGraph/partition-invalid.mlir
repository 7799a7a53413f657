// RUN: memplan-opt %s --split-input-file --verify-diagnostics --memplan-partition

// expected-error@+1 {{@no_count does not say how many of its 2 results are forward outputs: attribute 'memplan.num_fwd_outputs'}}
func.func @no_count(%x: tensor<4xf32> {memplan.role = "primal"}) -> (tensor<4xf32>, tensor<4xf32>) {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error@+1 {{argument 1 of @no_role has no attribute 'memplan.role'}}
func.func @no_role(%x: tensor<4xf32> {memplan.role = "primal"}, %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  return %x, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error@+1 {{@mixed is no joint function}}
func.func @mixed(%x: tensor<4xf32> {memplan.role = "primal"}, %t: tensor<4xf32> {memplan.role = "tangent"}) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  %y = arith.addf %x, %t : tensor<4xf32>
  return %y, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error@+1 {{argument 0 of @buffers has the type 'memref<4xf32>': only functions on tensors are partitioned}}
func.func @buffers(%x: memref<4xf32> {memplan.role = "primal"}, %t: tensor<4xf32> {memplan.role = "tangent"}) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  return %t, %t : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error@+1 {{@there_fwd is there already}}
func.func @there(%x: tensor<4xf32> {memplan.role = "primal"}, %t: tensor<4xf32> {memplan.role = "tangent"}) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {memplan.num_fwd_outputs = 1 : i64} {
  return %x, %t : tensor<4xf32>, tensor<4xf32>
}
func.func private @there_fwd()
