// The rounding of quantized networks, which TOSA leaves in the bodies of linalg
// ops: 100 and 101 times 2^30, shifted by 31.
// RUN: memplan-opt %s --memplan-from-tensors | %execute | FileCheck %s
// CHECK: 50
// CHECK-NEXT: 51
func.func @main() {
  %i = arith.constant 0 : index
  %j = arith.constant 1 : index
  %factor = arith.constant 1073741824 : i32
  %shift = arith.constant 31 : i8
  %x = arith.constant dense<[100, 101]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>],
                       iterator_types = ["parallel"]}
      ins(%x : tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%a: i32, %b: i32):
    %s = tosa.apply_scale %a, %factor, %shift {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    linalg.yield %s : i32
  } -> tensor<2xi32>
  %a = tensor.extract %0[%i] : tensor<2xi32>
  %b = tensor.extract %0[%j] : tensor<2xi32>
  vector.print %a : i32
  vector.print %b : i32
  return
}
