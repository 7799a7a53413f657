// The bytes of seven elements in the LLVM lowering are equal to those that
// memplan counts. The lowering adds bytes for malloc's alignment.
// RUN: memplan-opt %s --memplan-extract=alignment=1 | FileCheck %s
// RUN: memplan-opt %s --convert-func-to-llvm --finalize-memref-to-llvm \
// RUN:   --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -S -passes=instsimplify | FileCheck %s --check-prefix=LLVM

module attributes {llvm.data_layout =
    "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128"} {

// A byte for each element, not a bit.
// CHECK-LABEL: memplan.problem @i1
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @i1(
// LLVM: call ptr @malloc(i64 7)
func.func @i1() {
  %a = memref.alloc() : memref<7xi1>
  return
}

// CHECK-LABEL: memplan.problem @i4
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @i4(
// LLVM: call ptr @malloc(i64 7)
func.func @i4() {
  %a = memref.alloc() : memref<7xi4>
  return
}

// CHECK-LABEL: memplan.problem @i8
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @i8(
// LLVM: call ptr @malloc(i64 7)
func.func @i8() {
  %a = memref.alloc() : memref<7xi8>
  return
}

// CHECK-LABEL: memplan.problem @i16
// CHECK-NEXT: memplan.buffer @b0 size(14)
// LLVM-LABEL: define void @i16(
// LLVM: call ptr @malloc(i64 14)
func.func @i16() {
  %a = memref.alloc() : memref<7xi16>
  return
}

// Each element is rounded up to 4 bytes.
// CHECK-LABEL: memplan.problem @i24
// CHECK-NEXT: memplan.buffer @b0 size(28)
// LLVM-LABEL: define void @i24(
// LLVM: call ptr @malloc(i64 28)
func.func @i24() {
  %a = memref.alloc() : memref<7xi24>
  return
}

// CHECK-LABEL: memplan.problem @i32
// CHECK-NEXT: memplan.buffer @b0 size(28)
// LLVM-LABEL: define void @i32(
// LLVM: call ptr @malloc(i64 28)
func.func @i32() {
  %a = memref.alloc() : memref<7xi32>
  return
}

// CHECK-LABEL: memplan.problem @i48
// CHECK-NEXT: memplan.buffer @b0 size(56)
// LLVM-LABEL: define void @i48(
// LLVM: call ptr @malloc(i64 56)
func.func @i48() {
  %a = memref.alloc() : memref<7xi48>
  return
}

// CHECK-LABEL: memplan.problem @i64
// CHECK-NEXT: memplan.buffer @b0 size(56)
// LLVM-LABEL: define void @i64(
// LLVM: call ptr @malloc(i64 56)
func.func @i64() {
  %a = memref.alloc() : memref<7xi64>
  return
}

// 16 bytes each, which the builtin data layout reports as 12.
// CHECK-LABEL: memplan.problem @i65
// CHECK-NEXT: memplan.buffer @b0 size(112)
// LLVM-LABEL: define void @i65(
// LLVM: call ptr @malloc(i64 112)
func.func @i65() {
  %a = memref.alloc() : memref<7xi65>
  return
}

// CHECK-LABEL: memplan.problem @i128
// CHECK-NEXT: memplan.buffer @b0 size(112)
// LLVM-LABEL: define void @i128(
// LLVM: call ptr @malloc(i64 112)
func.func @i128() {
  %a = memref.alloc() : memref<7xi128>
  return
}

// 32 bytes each: from 65 bits on a power of two, which is never less than in
// LLVM.
// CHECK-LABEL: memplan.problem @i129
// CHECK-NEXT: memplan.buffer @b0 size(224)
// LLVM-LABEL: define void @i129(
// LLVM: call ptr @malloc(i64 224)
func.func @i129() {
  %a = memref.alloc() : memref<7xi129>
  return
}

// CHECK-LABEL: memplan.problem @f16
// CHECK-NEXT: memplan.buffer @b0 size(14)
// LLVM-LABEL: define void @f16(
// LLVM: call ptr @malloc(i64 14)
func.func @f16() {
  %a = memref.alloc() : memref<7xf16>
  return
}

// CHECK-LABEL: memplan.problem @bf16
// CHECK-NEXT: memplan.buffer @b0 size(14)
// LLVM-LABEL: define void @bf16(
// LLVM: call ptr @malloc(i64 14)
func.func @bf16() {
  %a = memref.alloc() : memref<7xbf16>
  return
}

// CHECK-LABEL: memplan.problem @f32
// CHECK-NEXT: memplan.buffer @b0 size(28)
// LLVM-LABEL: define void @f32(
// LLVM: call ptr @malloc(i64 28)
func.func @f32() {
  %a = memref.alloc() : memref<7xf32>
  return
}

// CHECK-LABEL: memplan.problem @f64
// CHECK-NEXT: memplan.buffer @b0 size(56)
// LLVM-LABEL: define void @f64(
// LLVM: call ptr @malloc(i64 56)
func.func @f64() {
  %a = memref.alloc() : memref<7xf64>
  return
}

// 10 bytes, padded to 16.
// CHECK-LABEL: memplan.problem @f80
// CHECK-NEXT: memplan.buffer @b0 size(112)
// LLVM-LABEL: define void @f80(
// LLVM: call ptr @malloc(i64 112)
func.func @f80() {
  %a = memref.alloc() : memref<7xf80>
  return
}

// CHECK-LABEL: memplan.problem @f128
// CHECK-NEXT: memplan.buffer @b0 size(112)
// LLVM-LABEL: define void @f128(
// LLVM: call ptr @malloc(i64 112)
func.func @f128() {
  %a = memref.alloc() : memref<7xf128>
  return
}

// CHECK-LABEL: memplan.problem @f8e4m3fn
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @f8e4m3fn(
// LLVM: call ptr @malloc(i64 7)
func.func @f8e4m3fn() {
  %a = memref.alloc() : memref<7xf8E4M3FN>
  return
}

// CHECK-LABEL: memplan.problem @f8e5m2
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @f8e5m2(
// LLVM: call ptr @malloc(i64 7)
func.func @f8e5m2() {
  %a = memref.alloc() : memref<7xf8E5M2>
  return
}

// CHECK-LABEL: memplan.problem @f4e2m1fn
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @f4e2m1fn(
// LLVM: call ptr @malloc(i64 7)
func.func @f4e2m1fn() {
  %a = memref.alloc() : memref<7xf4E2M1FN>
  return
}

// CHECK-LABEL: memplan.problem @index
// CHECK-NEXT: memplan.buffer @b0 size(56)
// LLVM-LABEL: define void @index(
// LLVM: call ptr @malloc(i64 56)
func.func @index() {
  %a = memref.alloc() : memref<7xindex>
  return
}

// For elements that are not scalars, the lowering allocates one more to align
// the base: eight instead of seven.

// CHECK-LABEL: memplan.problem @complex_f32
// CHECK-NEXT: memplan.buffer @b0 size(56)
// LLVM-LABEL: define void @complex_f32(
// LLVM: call ptr @malloc(i64 64)
func.func @complex_f32() {
  %a = memref.alloc() : memref<7xcomplex<f32>>
  return
}

// CHECK-LABEL: memplan.problem @complex_i8
// CHECK-NEXT: memplan.buffer @b0 size(14)
// LLVM-LABEL: define void @complex_i8(
// LLVM: call ptr @malloc(i64 16)
func.func @complex_i8() {
  %a = memref.alloc() : memref<7xcomplex<i8>>
  return
}

// CHECK-LABEL: memplan.problem @complex_f80
// CHECK-NEXT: memplan.buffer @b0 size(224)
// LLVM-LABEL: define void @complex_f80(
// LLVM: call ptr @malloc(i64 256)
func.func @complex_f80() {
  %a = memref.alloc() : memref<7xcomplex<f80>>
  return
}

// Padded to a power of two.
// CHECK-LABEL: memplan.problem @vector_3xf32
// CHECK-NEXT: memplan.buffer @b0 size(112)
// LLVM-LABEL: define void @vector_3xf32(
// LLVM: call ptr @malloc(i64 128)
func.func @vector_3xf32() {
  %a = memref.alloc() : memref<7xvector<3xf32>>
  return
}

// An array of padded vectors.
// CHECK-LABEL: memplan.problem @vector_2x3xf32
// CHECK-NEXT: memplan.buffer @b0 size(224)
// LLVM-LABEL: define void @vector_2x3xf32(
// LLVM: call ptr @malloc(i64 256)
func.func @vector_2x3xf32() {
  %a = memref.alloc() : memref<7xvector<2x3xf32>>
  return
}

// CHECK-LABEL: memplan.problem @vector_f32
// CHECK-NEXT: memplan.buffer @b0 size(28)
// LLVM-LABEL: define void @vector_f32(
// LLVM: call ptr @malloc(i64 32)
func.func @vector_f32() {
  %a = memref.alloc() : memref<7xvector<f32>>
  return
}

// A vector has a bit for each element.
// CHECK-LABEL: memplan.problem @vector_3xi1
// CHECK-NEXT: memplan.buffer @b0 size(7)
// LLVM-LABEL: define void @vector_3xi1(
// LLVM: call ptr @malloc(i64 8)
func.func @vector_3xi1() {
  %a = memref.alloc() : memref<7xvector<3xi1>>
  return
}

// CHECK-LABEL: memplan.problem @vector_9xi1
// CHECK-NEXT: memplan.buffer @b0 size(14)
// LLVM-LABEL: define void @vector_9xi1(
// LLVM: call ptr @malloc(i64 16)
func.func @vector_9xi1() {
  %a = memref.alloc() : memref<7xvector<9xi1>>
  return
}

// CHECK-LABEL: memplan.problem @vector_4xi4
// CHECK-NEXT: memplan.buffer @b0 size(14)
// LLVM-LABEL: define void @vector_4xi4(
// LLVM: call ptr @malloc(i64 16)
func.func @vector_4xi4() {
  %a = memref.alloc() : memref<7xvector<4xi4>>
  return
}

// CHECK-LABEL: memplan.problem @vector_2x3xi4
// CHECK-NEXT: memplan.buffer @b0 size(28)
// LLVM-LABEL: define void @vector_2x3xi4(
// LLVM: call ptr @malloc(i64 32)
func.func @vector_2x3xi4() {
  %a = memref.alloc() : memref<7xvector<2x3xi4>>
  return
}

// CHECK-LABEL: memplan.problem @vector_5xi24
// CHECK-NEXT: memplan.buffer @b0 size(112)
// LLVM-LABEL: define void @vector_5xi24(
// LLVM: call ptr @malloc(i64 128)
func.func @vector_5xi24() {
  %a = memref.alloc() : memref<7xvector<5xi24>>
  return
}

// CHECK-LABEL: memplan.problem @i257
// CHECK-NEXT: memplan.buffer @b0 size(336)
// LLVM-LABEL: define void @i257(
// LLVM: call ptr @malloc(i64 336)
func.func @i257() {
  %a = memref.alloc() : memref<7xi257>
  return
}

// CHECK-LABEL: memplan.problem @vector_4xindex
// CHECK-NEXT: memplan.buffer @b0 size(224)
// LLVM-LABEL: define void @vector_4xindex(
// LLVM: call ptr @malloc(i64 256)
func.func @vector_4xindex() {
  %a = memref.alloc() : memref<7xvector<4xindex>>
  return
}

// CHECK-LABEL: memplan.problem @vector_3x5xbf16
// CHECK-NEXT: memplan.buffer @b0 size(336)
// LLVM-LABEL: define void @vector_3x5xbf16(
// LLVM: call ptr @malloc(i64 384)
func.func @vector_3x5xbf16() {
  %a = memref.alloc() : memref<7xvector<3x5xbf16>>
  return
}

// CHECK-LABEL: memplan.problem @vector_4xf80
// CHECK-NEXT: memplan.buffer @b0 size(448)
// LLVM-LABEL: define void @vector_4xf80(
// LLVM: call ptr @malloc(i64 512)
func.func @vector_4xf80() {
  %a = memref.alloc() : memref<7xvector<4xf80>>
  return
}

}
