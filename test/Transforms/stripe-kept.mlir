// Nothing here is computed in stripes: slices would have other elements, or be
// computed from other memory.
// RUN: memplan-opt %s -o %t.before
// RUN: memplan-opt %s --memplan-stripe="only-sums output=-" -o %t.after | count 0
// RUN: cmp %t.before %t.after
// RUN: memplan-opt %s --memplan-stripe="max-extra-flops=1000 output=-" -o %t.after | count 0
// RUN: cmp %t.before %t.after

#rows = affine_map<(d0) -> (d0)>
#sums = affine_map<(d0, d1) -> (d0)>
#both = affine_map<(d0, d1) -> (d0, d1)>

// Rows 3, 4 and 5 need elements 0, 1 and 1; rows 0, 1 and 2 of a stripe 0, 0 and 0.
func.func @divided(%x: tensor<4096x2xi32>, %y: tensor<1024xi8>) -> tensor<4096xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %s = linalg.generic {indexing_maps = [#both, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x2xi32>) outs(%z : tensor<4096xi32>) {
  ^bb0(%a: i32, %o: i32):
    %t = arith.addi %a, %o : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  %re = tensor.empty() : tensor<4096xi8>
  %r = linalg.generic {indexing_maps = [#rows, affine_map<(d0) -> (d0 floordiv 4)>, #rows], iterator_types = ["parallel"]} ins(%s, %y : tensor<4096xi32>, tensor<1024xi8>) outs(%re : tensor<4096xi8>) {
  ^bb0(%a: i32, %b: i8, %o: i8):
    %n = arith.trunci %a : i32 to i8
    %t = arith.addi %n, %b : i8
    linalg.yield %t : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}

// The sum reads its operand from the end.
func.func @backwards(%x: tensor<4096x2xi32>) -> tensor<4096xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 4095, d1)>, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x2xi32>) outs(%z : tensor<4096xi32>) {
  ^bb0(%a: i32, %o: i32):
    %t = arith.addi %a, %o : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  %re = tensor.empty() : tensor<4096xi8>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<4096xi32>) outs(%re : tensor<4096xi8>) {
  ^bb0(%a: i32, %o: i8):
    %t = arith.trunci %a : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}

// The sum reads memory that is written before the sum is rounded.
func.func @reads_memory(%x: tensor<4096x2xi32>, %m: memref<2xi32>, %c: i32) -> tensor<4096xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %s = linalg.generic {indexing_maps = [#both, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x2xi32>) outs(%z : tensor<4096xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 1 : index
    %k = memref.load %m[%i] : memref<2xi32>
    %p = arith.muli %a, %k : i32
    %t = arith.addi %p, %o : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  linalg.fill ins(%c : i32) outs(%m : memref<2xi32>)
  %re = tensor.empty() : tensor<4096xi8>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<4096xi32>) outs(%re : tensor<4096xi8>) {
  ^bb0(%a: i32, %o: i8):
    %t = arith.trunci %a : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}

// The same, through a tensor.
func.func @tensor_of_memory(%m: memref<4096x2xi32>, %c: i32) -> tensor<4096xi8> {
  %x = bufferization.to_tensor %m restrict : memref<4096x2xi32> to tensor<4096x2xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %s = linalg.generic {indexing_maps = [#both, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x2xi32>) outs(%z : tensor<4096xi32>) {
  ^bb0(%a: i32, %o: i32):
    %t = arith.addi %a, %o : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  linalg.fill ins(%c : i32) outs(%m : memref<4096x2xi32>)
  %re = tensor.empty() : tensor<4096xi8>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<4096xi32>) outs(%re : tensor<4096xi8>) {
  ^bb0(%a: i32, %o: i8):
    %t = arith.trunci %a : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}

// Where the value is written may be the memory of the tensor.
func.func @tensor_of_selected_memory(%m: memref<4096x2xi32>, %n: memref<4096x2xi32>, %y: tensor<4096x2xi32>, %c: i1) -> tensor<4096xi8> {
  %d = arith.select %c, %m, %n : memref<4096x2xi32>
  %x = bufferization.to_tensor %m restrict : memref<4096x2xi32> to tensor<4096x2xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %s = linalg.generic {indexing_maps = [#both, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x2xi32>) outs(%z : tensor<4096xi32>) {
  ^bb0(%a: i32, %o: i32):
    %t = arith.addi %a, %o : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  bufferization.materialize_in_destination %y in writable %d : (tensor<4096x2xi32>, memref<4096x2xi32>) -> ()
  %re = tensor.empty() : tensor<4096xi8>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<4096xi32>) outs(%re : tensor<4096xi8>) {
  ^bb0(%a: i32, %o: i8):
    %t = arith.trunci %a : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}

// Sums of nothing, with a fill that no op uses.
func.func @nothing_to_add(%x: tensor<4096x0xi32>) -> tensor<4096xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4096xi32>
  %unused = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4096xi32>) -> tensor<4096xi32>
  %s = linalg.generic {indexing_maps = [#both, #sums], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4096x0xi32>) outs(%z : tensor<4096xi32>) {
  ^bb0(%a: i32, %o: i32):
    %t = arith.addi %a, %o : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  %re = tensor.empty() : tensor<4096xi8>
  %r = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel"]} ins(%s : tensor<4096xi32>) outs(%re : tensor<4096xi8>) {
  ^bb0(%a: i32, %o: i8):
    %t = arith.trunci %a : i32 to i8
    linalg.yield %t : i8
  } -> tensor<4096xi8>
  return %r : tensor<4096xi8>
}
