// RUN: memplan-test-opt %s --pass-pipeline='builtin.module(func.func(memplan-prepare-destinations))' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>

// One fill of two matmuls becomes two, each with its own empty tensor.
// CHECK-LABEL: func.func @shared_fill(
func.func @shared_fill(%a: tensor<4x4xf32>, %c0: f32) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[E1:.*]] = tensor.empty()
  // CHECK: %[[Z1:.*]] = linalg.fill {{.*}} outs(%[[E1]]
  // CHECK: %[[M1:.*]] = linalg.matmul {{.*}} outs(%[[Z1]]
  %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[E2:.*]] = tensor.empty()
  // CHECK: %[[Z2:.*]] = linalg.fill {{.*}} outs(%[[E2]]
  // CHECK: linalg.matmul ins(%[[M1]], {{.*}} outs(%[[Z2]]
  %2 = linalg.matmul ins(%1, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// A fill that is read as well stays, and the writer gets another.
// CHECK-LABEL: func.func @read_fill(
func.func @read_fill(%a: tensor<4x4xf32>, %c0: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: %[[Z:.*]] = linalg.fill
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[Z1:.*]] = linalg.fill
  // CHECK: %[[M:.*]] = linalg.matmul {{.*}} outs(%[[Z1]]
  %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: return %[[M]], %[[Z]]
  return %1, %z : tensor<4x4xf32>, tensor<4x4xf32>
}

// The initial value of a loop-carried tensor is written to as well.
// CHECK-LABEL: func.func @loop_carried(
func.func @loop_carried(%a: tensor<4x4xf32>, %c0: f32, %n: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[Z1:.*]] = linalg.fill
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[Z1]])
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %z) -> tensor<4x4xf32> {
    %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%acc : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %m : tensor<4x4xf32>
  }
  // CHECK: %[[Z2:.*]] = linalg.fill
  // CHECK: linalg.matmul {{.*}} outs(%[[Z2]]
  %2 = linalg.matmul ins(%r, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// A loop fills anew in every iteration; there was one fill before it.
// CHECK-LABEL: func.func @filled_in_loop(
func.func @filled_in_loop(%a: tensor<4x4xf32>, %c0: f32, %n: index) -> tensor<4x4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%c0 : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: scf.for
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%x = %a) -> tensor<4x4xf32> {
    // CHECK: tensor.empty()
    // CHECK: linalg.fill
    // CHECK: linalg.matmul
    %m = linalg.matmul ins(%x, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %m : tensor<4x4xf32>
  }
  %2 = linalg.matmul ins(%r, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// A fill of an argument stays one op for both matmuls: only a fill of a
// tensor.empty is duplicated.
// CHECK-LABEL: func.func @fill_of_argument(
// CHECK-SAME:    %[[A:.*]]: tensor<4x4xf32>
func.func @fill_of_argument(%a: tensor<4x4xf32>, %c0: f32) -> tensor<4x4xf32> {
  // CHECK-NEXT: %[[Z:.*]] = linalg.fill {{.*}} outs(%[[A]]
  // CHECK-NEXT: linalg.matmul {{.*}} outs(%[[Z]]
  // CHECK-NEXT: linalg.matmul {{.*}} outs(%[[Z]]
  %z = linalg.fill ins(%c0 : f32) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.matmul ins(%z, %z : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.matmul ins(%1, %1 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// An elementwise op writes over its operand, which dies there, and the empty
// tensor is gone.
// CHECK-LABEL: func.func @dying_operand(
func.func @dying_operand(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NOT: tensor.empty
  // CHECK: %[[M:.*]] = linalg.matmul
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  // CHECK: linalg.exp ins(%[[M]] {{.*}} outs(%[[M]]
  %1 = linalg.exp ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// The same through a reshape that nothing else reads.
// CHECK-LABEL: func.func @reshaped_operand(
func.func @reshaped_operand(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<16xf32> {
  // CHECK-NOT: tensor.empty
  // CHECK: %[[C:.*]] = tensor.collapse_shape
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = tensor.collapse_shape %m [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  // CHECK: linalg.exp ins(%[[C]] {{.*}} outs(%[[C]]
  %1 = linalg.exp ins(%c : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %1 : tensor<16xf32>
}

// What was reshaped is needed again.
// CHECK-LABEL: func.func @reshaped_and_kept(
func.func @reshaped_and_kept(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> (tensor<16xf32>, tensor<4x4xf32>) {
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = tensor.collapse_shape %m [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  // CHECK: %[[E:.*]] = tensor.empty
  %e = tensor.empty() : tensor<16xf32>
  // CHECK: linalg.exp ins(%{{.*}} outs(%[[E]]
  %1 = linalg.exp ins(%c : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %1, %m : tensor<16xf32>, tensor<4x4xf32>
}

// The first operand is used again, so the op writes over the second one.
// CHECK-LABEL: func.func @second_operand(
func.func @second_operand(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[X:.*]] = linalg.matmul
  // CHECK: %[[Y:.*]] = linalg.exp
  // CHECK: linalg.add ins(%[[X]], %[[Y]] {{.*}} outs(%[[Y]]
  %x = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e1 = tensor.empty() : tensor<4x4xf32>
  %y = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e1 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %s = linalg.add ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %s : tensor<4x4xf32>, tensor<4x4xf32>
}

// An op must not write over an argument: the caller owns it.
// CHECK-LABEL: func.func @argument(
func.func @argument(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[E:.*]] = tensor.empty()
  // CHECK: linalg.exp {{.*}} outs(%[[E]]
  %e = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.exp ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// An op must not write over an operand that it reads transposed: it would
// overwrite an element before it reads it.
// CHECK-LABEL: func.func @transposed(
func.func @transposed(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: linalg.matmul
  // CHECK: %[[E:.*]] = tensor.empty()
  // CHECK: linalg.generic {{.*}} outs(%[[E]]
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %unused: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// An op in a loop must not write over an operand from outside: the next
// iteration reads it.
// CHECK-LABEL: func.func @used_by_next_iteration(
func.func @used_by_next_iteration(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: scf.for
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%x = %a) -> tensor<4x4xf32> {
    // CHECK: %[[E:.*]] = tensor.empty()
    // CHECK: linalg.exp {{.*}} outs(%[[E]]
    %e = tensor.empty() : tensor<4x4xf32>
    %1 = linalg.exp ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %1 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// An op must not write over an operand that a later op in a nested region
// reads.
// CHECK-LABEL: func.func @read_in_region(
func.func @read_in_region(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>, %c: i1) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[M:.*]] = linalg.matmul
  // CHECK: %[[E:.*]] = tensor.empty()
  // CHECK: linalg.exp {{.*}} outs(%[[E]]
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.exp ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.if %c -> tensor<4x4xf32> {
    scf.yield %m : tensor<4x4xf32>
  } else {
    scf.yield %a : tensor<4x4xf32>
  }
  return %1, %r : tensor<4x4xf32>, tensor<4x4xf32>
}

// Types must agree: f32 does not go where f16 was.
// CHECK-LABEL: func.func @other_type(
func.func @other_type(%a: tensor<4x4xf16>, %z: tensor<4x4xf16>) -> tensor<4x4xf32> {
  // CHECK: linalg.matmul
  // CHECK: %[[E:.*]] = tensor.empty()
  // CHECK: linalg.generic {{.*}} outs(%[[E]]
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf16>, tensor<4x4xf16>) outs(%z : tensor<4x4xf16>) -> tensor<4x4xf16>
  %e = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<4x4xf16>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f16, %unused: f32):
    %y = arith.extf %x : f16 to f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// A reduction is not elementwise.
// CHECK-LABEL: func.func @reduction(
func.func @reduction(%a: tensor<4x4xf32>, %z: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK: %[[E:.*]] = tensor.empty()
  // CHECK: linalg.matmul {{.*}} outs(%[[E]]
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.matmul ins(%m, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

#row = affine_map<(i, j) -> (j)>

// Two sums begin with one bias: each writes its own rows of it.
// CHECK-LABEL: func.func @shared_bias(
func.func @shared_bias(%a: tensor<4x4xf32>, %bias: tensor<4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %rows = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  // CHECK: %[[E1:.*]] = tensor.empty()
  // CHECK: %[[B1:.*]] = linalg.generic {{.*}} outs(%[[E1]]
  // CHECK: %[[M1:.*]] = linalg.matmul {{.*}} outs(%[[B1]]
  %1 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%rows : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %[[E2:.*]] = tensor.empty()
  // CHECK: %[[B2:.*]] = linalg.generic {{.*}} outs(%[[E2]]
  // CHECK: linalg.matmul ins(%[[M1]], {{.*}} outs(%[[B2]]
  %2 = linalg.matmul ins(%1, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%rows : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// An op that writes over the rows that it reads needs one buffer for both.
// CHECK-LABEL: func.func @reads_and_writes(
func.func @reads_and_writes(%a: tensor<4x4xf32>, %bias: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[B1:.*]] = linalg.generic
  // CHECK: linalg.add ins(%arg0, %[[B1]] {{.*}} outs(%[[B1]]
  // CHECK: %[[B2:.*]] = linalg.generic
  // CHECK: linalg.sub ins(%arg0, %[[B2]] {{.*}} outs(%[[B2]]
  %e = tensor.empty() : tensor<4x4xf32>
  %rows = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%bias : tensor<4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  %1 = linalg.add ins(%a, %rows : tensor<4x4xf32>, tensor<4x4xf32>) outs(%rows : tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = linalg.sub ins(%a, %rows : tensor<4x4xf32>, tensor<4x4xf32>) outs(%rows : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}
