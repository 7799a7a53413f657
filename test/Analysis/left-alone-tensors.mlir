// Memrefs that tensor ops use: bufferization may access them where the tensor
// is computed or used, earlier or later than the op.
// RUN: memplan-opt %s --plan-memory --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics > %t
// RUN: sed s/expected-// %s | memplan-opt --split-input-file | diff %t -

// Bufferization may compute %t in %buf while %other has a later read: if the
// two shared bytes, the sum would be that of %t and %t.
func.func @destination(%x: f32, %out: memref<16xf32>) {
  %i = arith.constant 3 : index
  // expected-remark@+1 {{b0 not planned: it is used by 'bufferization.materialize_in_destination' together with a tensor}}
  %buf = memref.alloc() : memref<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  bufferization.materialize_in_destination %t in restrict writable %buf
      : (tensor<16xf32>, memref<16xf32>) -> ()
  memref.copy %buf, %out : memref<16xf32> to memref<16xf32>
  return
}

// -----

// The memory matters, not the name.
func.func @destination_is_a_view(%x: f32, %out: memref<8xf32>) {
  // expected-remark@+1 {{b0 not planned: it is used by 'bufferization.materialize_in_destination' together with a tensor}}
  %buf = memref.alloc() : memref<16xf32>
  %view = memref.subview %buf[4] [8] [1]
      : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %t in restrict writable %view
      : (tensor<8xf32>, memref<8xf32, strided<[1], offset: 4>>) -> ()
  memref.copy %view, %out : memref<8xf32, strided<[1], offset: 4>> to memref<8xf32>
  return
}

// -----

// The same in a callee.
func.func private @put(%t: tensor<16xf32>, %m: memref<16xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %m
      : (tensor<16xf32>, memref<16xf32>) -> ()
  return
}
func.func @destination_in_callee(%t: tensor<16xf32>, %out: memref<16xf32>) {
  // expected-remark@+1 {{b0 not planned: it is passed to @put, which lets it escape: there it is used by 'bufferization.materialize_in_destination'}}
  %buf = memref.alloc() : memref<16xf32>
  call @put(%t, %buf) : (tensor<16xf32>, memref<16xf32>) -> ()
  memref.copy %buf, %out : memref<16xf32> to memref<16xf32>
  return
}
