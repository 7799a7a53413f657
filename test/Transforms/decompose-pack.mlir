// RUN: memplan-test-opt %s --pass-pipeline='builtin.module(func.func(memplan-decompose-pack))' | FileCheck %s
// RUN: sed '/^func.func private/,/^}/d' %s | memplan-opt --memplan-from-tensors=require=verified | %execute | FileCheck %s --check-prefix=PRINTS

// CHECK-LABEL: func.func @packed(
// CHECK-NOT: linalg.pack
// CHECK: tensor.pad
// CHECK: tensor.expand_shape
// CHECK: linalg.transpose
// CHECK-NOT: linalg.unpack
// CHECK: tensor.extract_slice
func.func @packed(%in: tensor<5x6xf32>) -> (tensor<3x2x2x4xf32>, tensor<5x6xf32>) {
  %minus = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<3x2x2x4xf32>
  %p = linalg.pack %in padding_value(%minus : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 4]
      into %e : tensor<5x6xf32> -> tensor<3x2x2x4xf32>
  %n = linalg.negf ins(%p : tensor<3x2x2x4xf32>) outs(%e : tensor<3x2x2x4xf32>) -> tensor<3x2x2x4xf32>
  %u = tensor.empty() : tensor<5x6xf32>
  %q = linalg.unpack %n inner_dims_pos = [0, 1] inner_tiles = [2, 4]
      into %u : tensor<3x2x2x4xf32> -> tensor<5x6xf32>
  return %n, %q : tensor<3x2x2x4xf32>, tensor<5x6xf32>
}

// Tiles that are not constants stay as they are.
// CHECK-LABEL: func.func private @unknown_tiles(
// CHECK: linalg.pack
func.func private @unknown_tiles(%in: tensor<?x6xf32>, %e: tensor<?x6x?xf32>, %n: index) -> tensor<?x6x?xf32> {
  %minus = arith.constant -1.0 : f32
  %p = linalg.pack %in padding_value(%minus : f32) inner_dims_pos = [0] inner_tiles = [%n]
      into %e : tensor<?x6xf32> -> tensor<?x6x?xf32>
  return %p : tensor<?x6x?xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %in = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c10 = arith.constant 10 : index
    %a = arith.muli %i, %c10 : index
    %b = arith.addi %a, %j : index
    %k = arith.index_cast %b : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<5x6xf32>
  %r:2 = call @packed(%in) : (tensor<5x6xf32>) -> (tensor<3x2x2x4xf32>, tensor<5x6xf32>)
  // Row 4 and column 5, in the tiles 2 and 1; and the padding below.
  // PRINTS: -45
  %x = tensor.extract %r#0[%c2, %c1, %c0, %c1] : tensor<3x2x2x4xf32>
  vector.print %x : f32
  // PRINTS-NEXT: 1
  %y = tensor.extract %r#0[%c2, %c1, %c1, %c1] : tensor<3x2x2x4xf32>
  vector.print %y : f32
  // PRINTS-NEXT: -42
  %z = tensor.extract %r#1[%c4, %c2] : tensor<5x6xf32>
  vector.print %z : f32
  return
}
