// A program whose constants repeat runs the same from the pool, and each constant
// is in it once: 32 bytes of ROM instead of 72.
// RUN: memplan-opt %s --memplan-pool-constants --plan-memory=report=json -o /dev/null 2>&1 | FileCheck %s --check-prefix=ROM
// RUN: memplan-opt %s --memplan-pool-constants --plan-memory --memplan-verify | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-pool-constants --memplan-verify | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory | %execute | FileCheck %s
// CHECK: 78
// ROM: "rom": {"count": 1, "bytes": 32, "unknown": 0}

memref.global "private" constant @a : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
memref.global "private" constant @again : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
memref.global "private" constant @part : memref<2xi32> = dense<[3, 4]>

// The sum of @a (36), @again (36), and of half of the three in @part: 3 + 3.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %a = memref.get_global @a : memref<8xi32>
  %again = memref.get_global @again : memref<8xi32>
  %part = memref.get_global @part : memref<2xi32>
  %sums = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %again[%i] : memref<8xi32>
    %s = arith.addi %x, %y : i32
    memref.store %s, %sums[%i] : memref<8xi32>
  }
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> i32 {
    %x = memref.load %sums[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    scf.yield %next : i32
  }
  %p = memref.load %part[%c0] : memref<2xi32>
  %q = arith.addi %p, %p : i32
  %result = arith.addi %sum, %q : i32
  memref.dealloc %sums : memref<8xi32>
  vector.print %result : i32
  return
}
