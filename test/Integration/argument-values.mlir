// What calls leave in the memory of their arguments: the old value or the final
// one, never half of it.
// RUN: memplan-opt %s --memplan-bufferize | %execute | FileCheck %s
// RUN: memplan-opt %s --memplan-from-tensors=require=verified | %execute | FileCheck %s

func.func private @printMemrefI32(memref<*xi32>)

// Two buffers that swap.
// CHECK: data =
// CHECK-NEXT: [5, 6, 7, 8]
// CHECK: data =
// CHECK-NEXT: [1, 2, 3, 4]
func.func @swap(%x: memref<4xi32>, %y: memref<4xi32>) {
  %a = bufferization.to_tensor %x restrict writable : memref<4xi32> to tensor<4xi32>
  %b = bufferization.to_tensor %y restrict writable : memref<4xi32> to tensor<4xi32>
  bufferization.materialize_in_destination %b in restrict writable %x : (tensor<4xi32>, memref<4xi32>) -> ()
  bufferization.materialize_in_destination %a in restrict writable %y : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// A shift register.
// CHECK: data =
// CHECK-NEXT: [9, 5, 6, 7]
func.func @shift(%x: memref<4xi32>) {
  %nine = arith.constant dense<9> : tensor<1xi32>
  %a = bufferization.to_tensor %x restrict writable : memref<4xi32> to tensor<4xi32>
  %s = tensor.extract_slice %a[0] [3] [1] : tensor<4xi32> to tensor<3xi32>
  %rest = memref.subview %x[1] [3] [1] : memref<4xi32> to memref<3xi32, strided<[1], offset: 1>>
  %first = memref.subview %x[0] [1] [1] : memref<4xi32> to memref<1xi32, strided<[1]>>
  bufferization.materialize_in_destination %s in writable %rest : (tensor<3xi32>, memref<3xi32, strided<[1], offset: 1>>) -> ()
  bufferization.materialize_in_destination %nine in writable %first : (tensor<1xi32>, memref<1xi32, strided<[1]>>) -> ()
  return
}

// A state that a product overwrites.
// CHECK: data =
// CHECK-NEXT: {{\[}}[4, 6],
// CHECK-NEXT: [3, 4]]
func.func @product(%x: memref<2x2xi32>) {
  %zero = arith.constant 0 : i32
  %m = arith.constant dense<[[1, 1], [0, 1]]> : tensor<2x2xi32>
  %a = bufferization.to_tensor %x restrict writable : memref<2x2xi32> to tensor<2x2xi32>
  %e = tensor.empty() : tensor<2x2xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<2x2xi32>) -> tensor<2x2xi32>
  %p = linalg.matmul ins(%m, %a : tensor<2x2xi32>, tensor<2x2xi32>) outs(%z : tensor<2x2xi32>) -> tensor<2x2xi32>
  bufferization.materialize_in_destination %p in restrict writable %x : (tensor<2x2xi32>, memref<2x2xi32>) -> ()
  return
}

// A value that is computed over an argument and not returned: the old value.
// CHECK: data =
// CHECK-NEXT: [1, 2, 3, 4]
func.func @scratch(%a: tensor<4xi32>) -> i32 {
  %i = arith.constant 0 : index
  %0 = linalg.add ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) -> tensor<4xi32>
  %1 = tensor.extract %0[%i] : tensor<4xi32>
  return %1 : i32
}

// A cache: the final value.
// CHECK: data =
// CHECK-NEXT: [1, 2, 9, 4]
func.func @cache(%a: tensor<4xi32>, %i: index) -> tensor<4xi32> {
  %nine = arith.constant 9 : i32
  %0 = tensor.insert %nine into %a[%i] : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// Each becomes twice the other: not the new value of one in the other. Both are
// old here.
// CHECK: data =
// CHECK-NEXT: [1, 2, 3, 4]
// CHECK: data =
// CHECK-NEXT: [5, 6, 7, 8]
func.func @exchange(%a: tensor<4xi32> {memplan.new_value = 0 : i64},
                    %b: tensor<4xi32> {memplan.new_value = 1 : i64}) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = linalg.add ins(%b, %b : tensor<4xi32>, tensor<4xi32>) outs(%b : tensor<4xi32>) -> tensor<4xi32>
  %1 = linalg.add ins(%a, %a : tensor<4xi32>, tensor<4xi32>) outs(%a : tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

func.func private @fill(%m: memref<4xi32>, %first: i32) {
  linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      outs(%m : memref<4xi32>) {
  ^bb0(%x: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %s = arith.addi %n, %first : i32
    linalg.yield %s : i32
  }
  return
}

func.func private @print(%m: memref<4xi32>) {
  %u = memref.cast %m : memref<4xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}

// CHECK: data =
// CHECK-NEXT: [1, 2, 3, 4]
func.func @copied_late(%m: memref<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xi32> to tensor<4xi32>
  bufferization.materialize_in_destination %x in writable %m : (tensor<4xi32>, memref<4xi32>) -> ()
  %c = bufferization.alloc_tensor() copy(%t) : tensor<4xi32>
  return %c : tensor<4xi32>
}

// CHECK: data =
// CHECK-NEXT: [1, 2, 3, 4]
func.func @selected(%m: memref<4xi32>, %n: memref<4xi32>, %x: tensor<4xi32>, %c: i1) -> tensor<4xi32> {
  %d = arith.select %c, %m, %n : memref<4xi32>
  %t = bufferization.to_tensor %m restrict : memref<4xi32> to tensor<4xi32>
  bufferization.materialize_in_destination %x in writable %d : (tensor<4xi32>, memref<4xi32>) -> ()
  return %t : tensor<4xi32>
}

// Each iteration writes twice what the one before has read: 10, 2, 20.
// CHECK: data =
// CHECK-NEXT: [2, 4, 6, 8]
// CHECK: data =
// CHECK-NEXT: [20, 24, 28, 32]
func.func @carried(%m: memref<4xi32>, %x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %r = scf.for %i = %zero to %three step %one iter_args(%prev = %x) -> tensor<4xi32> {
    %e = tensor.empty() : tensor<4xi32>
    %s = linalg.add ins(%prev, %prev : tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<4xi32>) -> tensor<4xi32>
    %t = bufferization.to_tensor %m restrict : memref<4xi32> to tensor<4xi32>
    bufferization.materialize_in_destination %s in writable %m : (tensor<4xi32>, memref<4xi32>) -> ()
    scf.yield %t : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

func.func @main() {
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %two = arith.constant 2 : index
  %x = memref.alloc() : memref<4xi32>
  %y = memref.alloc() : memref<4xi32>
  call @fill(%x, %one) : (memref<4xi32>, i32) -> ()
  call @fill(%y, %five) : (memref<4xi32>, i32) -> ()
  call @swap(%x, %y) : (memref<4xi32>, memref<4xi32>) -> ()
  call @print(%x) : (memref<4xi32>) -> ()
  call @print(%y) : (memref<4xi32>) -> ()
  call @shift(%x) : (memref<4xi32>) -> ()
  call @print(%x) : (memref<4xi32>) -> ()
  %q = memref.expand_shape %y [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
  call @product(%q) : (memref<2x2xi32>) -> ()
  %u = memref.cast %q : memref<2x2xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()

  call @fill(%x, %one) : (memref<4xi32>, i32) -> ()
  %s = bufferization.to_tensor %x restrict writable : memref<4xi32> to tensor<4xi32>
  %0 = call @scratch(%s) : (tensor<4xi32>) -> i32
  call @print(%x) : (memref<4xi32>) -> ()
  %z = memref.alloc() : memref<4xi32>
  call @fill(%z, %one) : (memref<4xi32>, i32) -> ()
  %c = bufferization.to_tensor %z restrict writable : memref<4xi32> to tensor<4xi32>
  %1 = call @cache(%c, %two) : (tensor<4xi32>, index) -> tensor<4xi32>
  call @print(%z) : (memref<4xi32>) -> ()
  %v = memref.alloc() : memref<4xi32>
  %w = memref.alloc() : memref<4xi32>
  call @fill(%v, %one) : (memref<4xi32>, i32) -> ()
  call @fill(%w, %five) : (memref<4xi32>, i32) -> ()
  %a = bufferization.to_tensor %v restrict writable : memref<4xi32> to tensor<4xi32>
  %b = bufferization.to_tensor %w restrict writable : memref<4xi32> to tensor<4xi32>
  %2:2 = call @exchange(%a, %b) : (tensor<4xi32>, tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>)
  call @print(%v) : (memref<4xi32>) -> ()
  call @print(%w) : (memref<4xi32>) -> ()

  %k = arith.constant dense<[5, 6, 7, 8]> : tensor<4xi32>
  %true = arith.constant true
  call @fill(%x, %one) : (memref<4xi32>, i32) -> ()
  %3 = call @copied_late(%x, %k) : (memref<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %late = bufferization.to_buffer %3 : tensor<4xi32> to memref<4xi32>
  call @print(%late) : (memref<4xi32>) -> ()
  call @fill(%x, %one) : (memref<4xi32>, i32) -> ()
  %4 = call @selected(%x, %y, %k, %true) : (memref<4xi32>, memref<4xi32>, tensor<4xi32>, i1) -> tensor<4xi32>
  %old = bufferization.to_buffer %4 : tensor<4xi32> to memref<4xi32>
  call @print(%old) : (memref<4xi32>) -> ()
  call @fill(%x, %one) : (memref<4xi32>, i32) -> ()
  %5 = call @carried(%x, %k) : (memref<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %last = bufferization.to_buffer %5 : tensor<4xi32> to memref<4xi32>
  call @print(%last) : (memref<4xi32>) -> ()
  call @print(%x) : (memref<4xi32>) -> ()
  return
}
