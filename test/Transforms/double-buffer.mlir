// With prefetch, a loop copies the tile of its next iteration in before it uses its own.
// RUN: memplan-opt %s --memplan-assign-spaces="capacity=192 prefetch=1" -verify-diagnostics -o %t
// RUN: FileCheck %s --input-file=%t
// RUN: memplan-opt %t --plan-memory="capacity=1:192 report=text" --memplan-verify -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: memplan-opt %s --memplan-assign-spaces="capacity=192" | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: iter_args(%{{.*}}memref

// The tile is assigned to the fast space, and has two slots there, which %b comes
// behind.
// CHECK-LABEL: func.func @tiles
// CHECK:       %[[FIRST:.*]] = memref.alloc() : memref<16xf32, 1>
// CHECK:       memref.copy %{{.*}}, %[[FIRST]]
// CHECK-NEXT:  scf.for %[[I:.*]] = {{.*}} iter_args(%[[TILE:.*]] = %[[FIRST]]) -> (memref<16xf32, 1>)
// CHECK-NEXT:    %[[NEXT:.*]] = memref.alloc() : memref<16xf32, 1>
// CHECK-NEXT:    %[[J:.*]] = arith.addi %[[I]], %[[STEP:.*]] : index
// CHECK-NEXT:    %[[INSIDE:.*]] = arith.cmpi slt, %[[J]], %{{.*}} : index
// CHECK-NEXT:    scf.if %[[INSIDE]] {
// CHECK-NEXT:      %[[S:.*]] = memref.subview %{{.*}}[%[[J]]] [16] [1]
// CHECK-NEXT:      memref.copy %[[S]], %[[NEXT]]
// CHECK-NEXT:    }
// CHECK-NOT:     memref.copy
// CHECK:         linalg.exp ins(%[[TILE]] : memref<16xf32, 1>)
// CHECK:         memref.dealloc %[[TILE]]
// CHECK:         scf.yield %[[NEXT]]
// CHECK:       memref.dealloc %{{.*}} : memref<16xf32, 1>
// PLAN-LABEL:  arena of @tiles in memory space 1
// PLAN:          arena      192 bytes
// PLAN:          b0  64 bytes at offset {{[0-9]+}}: b0 [{{.*}}), b1 [{{.*}})
// PLAN:          b1  64 bytes at offset {{[0-9]+}}: b0 [{{.*}}), b1 [{{.*}})
func.func @tiles(%x: memref<64xf32> {llvm.noalias}, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c16 {
    // expected-remark @below {{the tile is copied in one iteration ahead}}
    %t = memref.alloc() : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    %s = memref.subview %x[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32>
    linalg.exp ins(%t : memref<16xf32>) outs(%b : memref<16xf32>)
    %o = memref.subview %out[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.add ins(%b, %t : memref<16xf32>, memref<16xf32>) outs(%o : memref<16xf32, strided<[1], offset: ?>>)
    memref.dealloc %t : memref<16xf32>
    memref.dealloc %b : memref<16xf32>
  }
  return
}

// The arguments may be the same memory.
// CHECK-LABEL: func.func @may_alias
// CHECK-NOT:     iter_args
func.func @may_alias(%x: memref<64xf32>, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c16 {
    // expected-remark @below {{the tile is not copied in ahead: its source may be written in the loop}}
    %t = memref.alloc() : memref<16xf32, 1>
    %s = memref.subview %x[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32, 1>
    %o = memref.subview %out[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    // expected-note @below {{by this op}}
    linalg.exp ins(%t : memref<16xf32, 1>) outs(%o : memref<16xf32, strided<[1], offset: ?>>)
  }
  return
}

// Two tiles of 128 bytes do not fit.
// CHECK-LABEL: func.func @too_large
// CHECK-NOT:     iter_args
func.func @too_large(%x: memref<64xf32> {llvm.noalias}, %out: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c32 {
    // expected-remark @below {{the tile is not copied in ahead: two of them do not fit into the 192 bytes of the fast space}}
    %t = memref.alloc() : memref<32xf32, 1>
    %s = memref.subview %x[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<32xf32, strided<[1], offset: ?>> to memref<32xf32, 1>
    %o = memref.subview %out[%i] [32] [1] : memref<64xf32> to memref<32xf32, strided<[1], offset: ?>>
    linalg.exp ins(%t : memref<32xf32, 1>) outs(%o : memref<32xf32, strided<[1], offset: ?>>)
  }
  return
}

// The source may be the memory that the loop writes by another name.
// CHECK-LABEL: func.func @selected
// CHECK-NOT:     iter_args({{.*}}memref
func.func @selected(%c: i1, %out: memref<64xf32>, %k: f32) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  // expected-remark@+1 {{keeps its memory space}}
  %v = memref.alloc() : memref<64xf32>
  // expected-remark@+1 {{keeps its memory space}}
  %w = memref.alloc() : memref<64xf32>
  linalg.fill ins(%k : f32) outs(%v : memref<64xf32>)
  linalg.fill ins(%k : f32) outs(%w : memref<64xf32>)
  // expected-note@+1 {{by this op}}
  %x = arith.select %c, %v, %w : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c16 {
    // expected-remark@+1 {{its source may be written in the loop}}
    %t = memref.alloc() : memref<16xf32, 1>
    %s = memref.subview %x[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    // expected-note@+1 {{by this op}}
    memref.copy %s, %t : memref<16xf32, strided<[1], offset: ?>> to memref<16xf32, 1>
    %o = memref.subview %out[%i] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.exp ins(%t : memref<16xf32, 1>) outs(%o : memref<16xf32, strided<[1], offset: ?>>)
    linalg.exp ins(%v : memref<64xf32>) outs(%v : memref<64xf32>)
  }
  return
}

// What is copied depends on a value that the loop carries, or on memory; the number of
// iterations is unknown; only a part of the tile is copied.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     iter_args({{.*}}memref
func.func @others(%x: memref<64xf32> {llvm.noalias}, %at: memref<4xindex>, %out: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %c0) -> (index) {
    %t = memref.alloc() : memref<8xf32, 1>
    %s = memref.subview %x[%k] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, 1>
    %o = memref.subview %out[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    linalg.exp ins(%t : memref<8xf32, 1>) outs(%o : memref<8xf32, strided<[1], offset: ?>>)
    %l = arith.addi %k, %c4 : index
    scf.yield %l : index
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %t = memref.alloc() : memref<8xf32, 1>
    %k = memref.load %at[%i] : memref<4xindex>
    %s = memref.subview %x[%k] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, 1>
    linalg.exp ins(%t : memref<8xf32, 1>) outs(%t : memref<8xf32, 1>)
  }
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<8xf32, 1>
    %s = memref.subview %x[%i] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, 1>
    linalg.exp ins(%t : memref<8xf32, 1>) outs(%t : memref<8xf32, 1>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %t = memref.alloc() : memref<8xf32, 1>
    %h = memref.subview %t[4] [4] [1] : memref<8xf32, 1> to memref<4xf32, strided<[1], offset: 4>, 1>
    %s = memref.subview %x[%i] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %s, %h : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: 4>, 1>
    linalg.exp ins(%t : memref<8xf32, 1>) outs(%t : memref<8xf32, 1>)
  }
  return
}
