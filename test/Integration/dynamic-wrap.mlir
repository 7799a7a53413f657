// Sizes of buffers that no memory has, and of which the sum wraps around. The size of
// the arena does not: nobody hands in a small arena for it.
// RUN: memplan-opt %s --plan-memory="arena=argument require=verified" | %execute | FileCheck %s

// Two buffers of 128 and two of 256 bytes, and one of 64 bytes after them.
// CHECK:      768
// Four of 2^62 bytes, which make 2^64, then only two.
// CHECK-NEXT: 1
// CHECK-NEXT: 1
// CHECK-NEXT: 64
func.func @f(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f64
  %n = memref.dim %x, %c0 : memref<?xf64>
  %m = memref.dim %y, %c0 : memref<?xf64>
  %a = memref.alloc(%n) : memref<?xf64>
  %b = memref.alloc(%m) : memref<?xf64>
  %d = memref.alloc(%n) : memref<?xf64>
  %e = memref.alloc(%m) : memref<?xf64>
  %c = memref.alloc() : memref<8xf64>
  linalg.fill ins(%one : f64) outs(%c : memref<8xf64>)
  linalg.exp ins(%x : memref<?xf64>) outs(%a : memref<?xf64>)
  linalg.exp ins(%y : memref<?xf64>) outs(%b : memref<?xf64>)
  linalg.exp ins(%x : memref<?xf64>) outs(%d : memref<?xf64>)
  linalg.exp ins(%y : memref<?xf64>) outs(%e : memref<?xf64>)
  linalg.abs ins(%d : memref<?xf64>) outs(%x : memref<?xf64>)
  linalg.abs ins(%e : memref<?xf64>) outs(%y : memref<?xf64>)
  linalg.abs ins(%a : memref<?xf64>) outs(%x : memref<?xf64>)
  linalg.abs ins(%b : memref<?xf64>) outs(%y : memref<?xf64>)
  %v = memref.load %c[%c0] : memref<8xf64>
  memref.store %v, %x[%c0] : memref<?xf64>
  memref.dealloc %a : memref<?xf64>
  memref.dealloc %b : memref<?xf64>
  memref.dealloc %c : memref<8xf64>
  memref.dealloc %d : memref<?xf64>
  memref.dealloc %e : memref<?xf64>
  return
}

// Planning defines it.
func.func private @f.arena_bytes(index, index) -> index
func.func @main() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %huge = arith.constant 576460752303423488 : index
  %most = arith.constant 281474976710655 : index
  %0 = call @f.arena_bytes(%c16, %c32) : (index, index) -> index
  vector.print %0 : index
  %1 = call @f.arena_bytes(%huge, %huge) : (index, index) -> index
  %2 = arith.cmpi uge, %1, %most : index
  %3 = arith.extui %2 : i1 to i64
  vector.print %3 : i64
  %4 = call @f.arena_bytes(%c16, %huge) : (index, index) -> index
  %5 = arith.cmpi uge, %4, %most : index
  %6 = arith.extui %5 : i1 to i64
  vector.print %6 : i64
  %7 = call @f.arena_bytes(%c0, %c0) : (index, index) -> index
  vector.print %7 : index
  return
}
