// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-pool-constants --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not memplan-opt %s --split-input-file --allow-unregistered-dialect --memplan-pool-constants=alignment=3 2>&1 | FileCheck %s --check-prefix=ALIGNMENT
// ALIGNMENT: error: alignment 3 is not a power of two
// RUN: not memplan-opt %s --split-input-file --allow-unregistered-dialect --memplan-pool-constants=alignment=1T 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: error: alignment 1099511627776 is more than 1073741824

// Equal constants are one, and a part of another constant is that part.
// CHECK-LABEL: module @equal_and_part
// CHECK: memref.global "private" constant @memplan_constants : memref<32xi8> = dense<{{.*}}> {alignment = 8 : i64}
// CHECK-NOT: memref.global
module @equal_and_part {
  memref.global "private" constant @a : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 8 : i64}
  memref.global "private" constant @b : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
  memref.global "private" constant @part : memref<2xi32> = dense<[3, 4]>
  memref.global "private" constant @other : memref<4xi32> = dense<7>
  // CHECK-LABEL: func.func @read
  func.func @read(%out: memref<4xi32>) {
    // CHECK: %[[POOL:.*]] = memref.get_global @memplan_constants : memref<32xi8>
    // CHECK: %[[AT:.*]] = arith.constant 0 : index
    // CHECK: memref.view %[[POOL]][%[[AT]]][] : memref<32xi8> to memref<4xi32>
    %a = memref.get_global @a : memref<4xi32>
    // CHECK: %[[AT_B:.*]] = arith.constant 0 : index
    // CHECK: memref.view %{{.*}}[%[[AT_B]]][] : memref<32xi8> to memref<2x2xi32>
    %b = memref.get_global @b : memref<2x2xi32>
    // CHECK: %[[AT_PART:.*]] = arith.constant 8 : index
    // CHECK: memref.view %{{.*}}[%[[AT_PART]]][] : memref<32xi8> to memref<2xi32>
    %part = memref.get_global @part : memref<2xi32>
    // CHECK: %[[AT_OTHER:.*]] = arith.constant 16 : index
    // CHECK: memref.view %{{.*}}[%[[AT_OTHER]]][] : memref<32xi8> to memref<4xi32>
    %other = memref.get_global @other : memref<4xi32>
    memref.copy %a, %out : memref<4xi32> to memref<4xi32>
    "test.read"(%b, %part, %other) : (memref<2x2xi32>, memref<2xi32>, memref<4xi32>) -> ()
    return
  }
}

// -----

// Each memory space has a pool; resources stay resources; i1 takes a byte.
// CHECK-LABEL: module @spaces
// CHECK-DAG: memref.global "private" constant @memplan_constants : memref<10xi8> = dense_resource<memplan_constants>
// CHECK-DAG: memref.global "private" constant @memplan_constants_1 : memref<8xi8, 1> = dense<{{.*}}>
module @spaces {
  memref.global "private" constant @blob : memref<2xf32> = dense_resource<weights>
  memref.global "private" constant @bits : memref<2xi1> = dense<[true, false]>
  memref.global "private" constant @far : memref<2xf32, 1> = dense<1.0>
  func.func @read() {
    // CHECK: memref.view {{.*}} : memref<10xi8> to memref<2xf32>
    %blob = memref.get_global @blob : memref<2xf32>
    // CHECK: memref.view {{.*}} : memref<10xi8> to memref<2xi1>
    %bits = memref.get_global @bits : memref<2xi1>
    // CHECK: memref.view {{.*}} : memref<8xi8, 1> to memref<2xf32, 1>
    %far = memref.get_global @far : memref<2xf32, 1>
    "test.read"(%blob, %bits, %far) : (memref<2xf32>, memref<2xi1>, memref<2xf32, 1>) -> ()
    return
  }
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}

// -----

// What is not pooled, and why.
// CHECK-LABEL: module @unchanged
// CHECK-NOT: memplan_constants
module @unchanged {
  // expected-remark @below {{the constant @visible is not pooled: other modules may read it}}
  memref.global constant @visible : memref<2xf32> = dense<1.0>
  // expected-remark @below {{the constant @nibbles is not pooled: its elements are not bytes, or a power of two of them}}
  memref.global "private" constant @nibbles : memref<2xi4> = dense<1>
  memref.global "private" @variable : memref<2xf32> = dense<1.0>
  memref.global "private" constant @unread : memref<2xf32> = dense<1.0>
  func.func @read() {
    %visible = memref.get_global @visible : memref<2xf32>
    %nibbles = memref.get_global @nibbles : memref<2xi4>
    %variable = memref.get_global @variable : memref<2xf32>
    "test.read"(%visible, %nibbles, %variable) : (memref<2xf32>, memref<2xi4>, memref<2xf32>) -> ()
    return
  }
}

// -----

// Without a need for it, nothing is between two constants.
// CHECK-LABEL: module @dense
// CHECK: @memplan_constants : memref<5xi8>
module @dense {
  memref.global "private" constant @word : memref<i32> = dense<5>
  memref.global "private" constant @byte : memref<i8> = dense<6>
  func.func @read() {
    %byte = memref.get_global @byte : memref<i8>
    %word = memref.get_global @word : memref<i32>
    "test.read"(%byte, %word) : (memref<i8>, memref<i32>) -> ()
    return
  }
}

// -----

// A write to a constant is an error, also through views.
module @written {
  // expected-note @below {{the constant}}
  memref.global "private" constant @c : memref<4xf32> = dense<1.0>
  func.func @write(%f: f32, %i: index) {
    %c = memref.get_global @c : memref<4xf32>
    %part = memref.subview %c[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
    // expected-error @below {{writes to the constant @c}}
    memref.store %f, %part[%i] : memref<2xf32, strided<[1], offset: 2>>
    return
  }
}

// -----

// What would make the pool much larger than its constants.
// CHECK-LABEL: module @large
// CHECK: @memplan_constants : memref<65536xi8>
module @large {
  // expected-remark @below {{the constant @overflow is not pooled: its size does not fit into 64 bits}}
  memref.global "private" constant @overflow : memref<4611686018427387904xf32> = dense<1.0>
  // expected-remark @below {{the constant @splat is not pooled: it is one value, of more than 65536 bytes}}
  memref.global "private" constant @splat : memref<1000000000xf32> = dense<1.0>
  // expected-remark @below {{the constant @bits is not pooled: it is one value, of more than 65536 bytes}}
  memref.global "private" constant @bits : memref<65537xi1> = dense<true>
  memref.global "private" constant @most : memref<16384xf32> = dense<1.0>
  // expected-remark @below {{the constant @sector is not pooled: its alignment is more than 4096 and than its size}}
  memref.global "private" constant @sector : memref<2xi8> = dense<[1, 2]> {alignment = 1099511627776 : i64}
  func.func @read() {
    %overflow = memref.get_global @overflow : memref<4611686018427387904xf32>
    %splat = memref.get_global @splat : memref<1000000000xf32>
    %bits = memref.get_global @bits : memref<65537xi1>
    %most = memref.get_global @most : memref<16384xf32>
    %sector = memref.get_global @sector : memref<2xi8>
    "test.read"(%overflow, %splat, %bits, %most, %sector) : (memref<4611686018427387904xf32>, memref<1000000000xf32>, memref<65537xi1>, memref<16384xf32>, memref<2xi8>) -> ()
    return
  }
}
