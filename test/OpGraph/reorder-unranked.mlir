// Bufferization assumes that a callee without a body writes its arguments, and it
// cannot copy a tensor without a rank. So nothing that reads the tensor before
// such a call moves behind the call, nor is it computed again there.
// RUN: memplan-opt %s --memplan-reorder --memplan-from-tensors | FileCheck %s
// RUN: memplan-opt %s --memplan-reorder --memplan-from-tensors | %execute | FileCheck %s --check-prefix=PRINTS
// RUN: memplan-opt %s --memplan-from-tensors | %execute | FileCheck %s --check-prefix=PRINTS
// RUN: memplan-opt %s --memplan-export-graph="function=main output=-" -o /dev/null | FileCheck %s --check-prefix=GRAPH

// CHECK: func.func @main
// CHECK: call @f
// CHECK: call @printMemrefF32
// PRINTS: [2,  2,  2,  2,  2,  2,  2,  2]
// GRAPH: "pure": false
func.func private @printMemrefF32(tensor<*xf32>) attributes {llvm.emit_c_interface}
func.func private @f(%a: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<8xf32>) {
    %v = tensor.extract %x[%i] : tensor<8xf32>
    %w = arith.addf %v, %one : f32
    %y = tensor.insert %w into %x[%i] : tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %a, %r : tensor<8xf32>, tensor<8xf32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%two : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r:2 = call @f(%x, %c5) : (tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>)
  %s:2 = call @f(%r#1, %c0) : (tensor<8xf32>, index) -> (tensor<8xf32>, tensor<8xf32>)
  %p = tensor.cast %x : tensor<8xf32> to tensor<*xf32>
  call @printMemrefF32(%p) : (tensor<*xf32>) -> ()
  return
}
