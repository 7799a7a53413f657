// Sizes that overflow: the buffer is not planned, with a reason, and the
// buffers beside it are planned.

// RUN: memplan-opt --plan-memory=prepare=false %s | FileCheck %s
// RUN: memplan-opt --plan-memory=prepare=false --remarks-filter=plan.* %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// REMARK: Function=product_of_sizes | Remark="b0 not planned: it needs more than 2^48 bytes"
// REMARK: Function=size_times_element | Remark="b0 not planned: it needs more than 2^48 bytes"
// REMARK: Function=sum_of_sizes | Remark="b0 not planned: it needs more than 2^48 bytes"
// REMARK: Function=sum_of_sizes | Remark="b1 not planned: it needs more than 2^48 bytes"
// REMARK: Function=rounded_up | Remark="b0 not planned: it needs more than 2^48 bytes"

// The product of the sizes is 2^67, which as 64 bits is 0.
// CHECK-LABEL: func.func @product_of_sizes
// CHECK: memref.alloc() : memref<4294967296x4294967296x8xf32>
// CHECK: memref.view {{.*}} to memref<4xf32>
func.func @product_of_sizes() {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4294967296x4294967296x8xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.store %c, %a[%c0, %c0, %c0] : memref<4294967296x4294967296x8xf32>
  memref.store %c, %b[%c0] : memref<4xf32>
  return
}

// 2^62 elements fit in 64 bits, their 2^64 bytes do not.
// CHECK-LABEL: func.func @size_times_element
// CHECK: memref.alloc() : memref<4611686018427387904xf32>
func.func @size_times_element() {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4611686018427387904xf32>
  memref.store %c, %a[%c0] : memref<4611686018427387904xf32>
  return
}

// Each fits, but both together do not.
// CHECK-LABEL: func.func @sum_of_sizes
// CHECK-COUNT-2: memref.alloc() : memref<6917529027641081856xi8>
func.func @sum_of_sizes() {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1 : i8
  %a = memref.alloc() : memref<6917529027641081856xi8>
  %b = memref.alloc() : memref<6917529027641081856xi8>
  memref.store %c, %a[%c0] : memref<6917529027641081856xi8>
  %x = memref.load %a[%c0] : memref<6917529027641081856xi8>
  memref.store %x, %b[%c0] : memref<6917529027641081856xi8>
  return
}

// The largest size; its next multiple of the alignment overflows.
// CHECK-LABEL: func.func @rounded_up
// CHECK: memref.alloc() : memref<9223372036854775807xi8>
func.func @rounded_up() {
  %c0 = arith.constant 0 : index
  %c = arith.constant 1 : i8
  %a = memref.alloc() : memref<9223372036854775807xi8>
  memref.store %c, %a[%c0] : memref<9223372036854775807xi8>
  return
}

// An alignment that no arena can have.
// CHECK-LABEL: func.func @alignment
// CHECK: memref.alloc() {alignment = 4611686018427387904 : i64} : memref<4xf32>
func.func @alignment() {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() {alignment = 4611686018427387904} : memref<4xf32>
  linalg.fill ins(%c : f32) outs(%a : memref<4xf32>)
  return
}
