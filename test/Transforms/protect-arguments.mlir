// What bufferization may write in place of arguments, and what it may not.
// RUN: memplan-test-opt %s --pass-pipeline='builtin.module(memplan-protect-arguments)' | FileCheck %s
// RUN: memplan-opt %s --memplan-bufferize | FileCheck %s --check-prefix=MEMREF

// The argument is returned: it may have the final value.
// CHECK-LABEL: func.func @cache(
// CHECK-SAME:    %arg0: tensor<8x4xf32>, %arg1: tensor<1x4xf32>
// MEMREF-LABEL: func.func @cache(
// MEMREF-NOT: memref.alloc
// MEMREF: return %arg0
func.func @cache(%a: tensor<8x4xf32>, %x: tensor<1x4xf32>, %i: index) -> tensor<8x4xf32> {
  %0 = tensor.insert_slice %x into %a[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// A value that is not returned has memory of its own.
// CHECK-LABEL: func.func @scratch(
// CHECK-SAME:    %arg0: tensor<4xf32> {bufferization.writable = false})
// MEMREF-LABEL: func.func @scratch(
// MEMREF-NOT: outs(%arg0
// MEMREF: return
func.func @scratch(%a: tensor<4xf32>) -> f32 {
  %i = arith.constant 0 : index
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// Nobody outside of the module sees this argument.
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:    %arg0: tensor<4xf32>)
func.func private @callee(%a: tensor<4xf32>) -> f32 {
  %i = arith.constant 0 : index
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}

// The new value of %a in the memory of %b, and the other way round.
// CHECK-LABEL: func.func @swap(
// CHECK-SAME:    %arg0: tensor<4xf32> {bufferization.writable = false}, %arg1: tensor<4xf32> {bufferization.writable = false})
// MEMREF-LABEL: func.func @swap(
// MEMREF-COUNT-2: memref.alloc
func.func @swap(%a: tensor<4xf32> {memplan.new_value = 0 : i64},
                %b: tensor<4xf32> {memplan.new_value = 1 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.exp ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Each in its own memory.
// CHECK-LABEL: func.func @apart(
// CHECK-SAME:    %arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
func.func @apart(%a: tensor<4xf32> {memplan.new_value = 1 : i64},
                 %b: tensor<4xf32> {memplan.new_value = 0 : i64}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = linalg.exp ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.abs ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A memref that is written back from its own tensor is not copied; one that is
// read afterwards is.
// CHECK-LABEL: func.func @memrefs(
// CHECK: %[[A:.*]] = bufferization.to_tensor %arg0
// CHECK: bufferization.alloc_tensor() copy(%[[A]])
// CHECK: bufferization.to_tensor %arg1
// CHECK-NOT: alloc_tensor
func.func @memrefs(%x: memref<4xf32>, %y: memref<4xf32>) {
  %a = bufferization.to_tensor %x restrict writable : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_tensor %y restrict writable : memref<4xf32> to tensor<4xf32>
  %c = linalg.exp ins(%b : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %c in writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %c in writable %x : (tensor<4xf32>, memref<4xf32>) -> ()
  %i = arith.constant 0 : index
  %f = tensor.extract %a[%i] : tensor<4xf32>
  memref.store %f, %y[%i] : memref<4xf32>
  return
}

// A copy behind the write has what was written.
// CHECK-LABEL: func.func @copied_late(
// MEMREF-LABEL: func.func @copied_late(
// MEMREF: memref.copy %arg0, %[[OLD:.*]] :
// MEMREF: memref.copy %arg1, %arg0 :
// MEMREF: memref.copy %[[OLD]], %{{.*}} :
func.func @copied_late(%m: memref<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  bufferization.materialize_in_destination %x in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %c = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  return %c : tensor<4xf32>
}

// What a loop carries is overwritten by the next iteration.
// MEMREF-LABEL: func.func @carried(
// MEMREF: scf.for
// MEMREF: memref.copy %arg2, %arg0 :
// MEMREF: memref.copy %arg0, %[[OLD:.*]] :
// MEMREF: scf.yield %[[OLD]] :
func.func @carried(%m: memref<4xf32>, %x: tensor<4xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%former = %x) -> tensor<4xf32> {
    bufferization.materialize_in_destination %y in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.exp ins(%former : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %f = tensor.extract %s[%c0] : tensor<4xf32>
    vector.print %f : f32
    %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// The memref that is chosen may be the one that the tensor is made of.
// MEMREF-LABEL: func.func @chosen(
// MEMREF: memref.copy %arg1, %[[OLD:.*]] :
// MEMREF: memref.copy %arg3, %{{.*}} :
// MEMREF: linalg.exp ins(%[[OLD]] :
func.func @chosen(%c: i1, %m: memref<4xf32>, %n: memref<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %d = arith.select %c, %m, %n : memref<4xf32>
  bufferization.materialize_in_destination %x in writable %d : (tensor<4xf32>, memref<4xf32>) -> ()
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.exp ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
