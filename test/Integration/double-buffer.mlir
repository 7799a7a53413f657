// Tiles that are copied in one iteration ahead: the program computes the same, in two
// slots that alternate. The source ends with the last tile.
// The host has no memory space 1.
// RUN: memplan-opt %s --memplan-assign-spaces="capacity=128 prefetch=1" --plan-memory="capacity=1:128 report=text report-file=%t" --memplan-verify | sed "s/, 1>/>/g" | %execute | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t
// RUN: memplan-opt %s --memplan-assign-spaces="capacity=128 prefetch=1" | sed "s/, 1>/>/g" | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory | sed "s/, 1>/>/g" | %execute | FileCheck %s
// REPORT: arena of @main in memory space 1
// REPORT: arena      128 bytes
// CHECK: 2016
// CHECK-NEXT: 2016

memref.global "private" constant @numbers : memref<64xi32> = dense<[
   0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15,
  16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
  32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
  48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]>

// The source of the first loop is a constant, that of the second a buffer.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %numbers = memref.get_global @numbers : memref<64xi32>
  %sum = scf.for %i = %c0 to %c64 step %c16 iter_args(%all = %zero) -> (i32) {
    %t = memref.alloc() : memref<16xi32, 1>
    %s = memref.subview %numbers[%i] [16] [1] : memref<64xi32> to memref<16xi32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<16xi32, strided<[1], offset: ?>> to memref<16xi32, 1>
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%so_far = %all) -> (i32) {
      %v = memref.load %t[%k] : memref<16xi32, 1>
      %next = arith.addi %so_far, %v : i32
      scf.yield %next : i32
    }
    memref.dealloc %t : memref<16xi32, 1>
    scf.yield %part : i32
  }
  vector.print %sum : i32
  %x = memref.alloc() : memref<64xi32>
  memref.copy %numbers, %x : memref<64xi32> to memref<64xi32>
  %same = scf.for %i = %c0 to %c64 step %c16 iter_args(%all = %zero) -> (i32) {
    %t = memref.alloc() : memref<16xi32, 1>
    %s = memref.subview %x[%i] [16] [1] : memref<64xi32> to memref<16xi32, strided<[1], offset: ?>>
    memref.copy %s, %t : memref<16xi32, strided<[1], offset: ?>> to memref<16xi32, 1>
    %part = scf.for %k = %c0 to %c16 step %c1 iter_args(%so_far = %all) -> (i32) {
      %v = memref.load %t[%k] : memref<16xi32, 1>
      %next = arith.addi %so_far, %v : i32
      scf.yield %next : i32
    }
    memref.dealloc %t : memref<16xi32, 1>
    scf.yield %part : i32
  }
  vector.print %same : i32
  memref.dealloc %x : memref<64xi32>
  return
}
