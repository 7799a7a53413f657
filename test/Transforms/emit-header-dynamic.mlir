// The header declares the function that returns the size of the arena. Its name is
// no identifier of C.
// RUN: memplan-opt %s --plan-memory=arena=argument --memplan-emit-header=file=%t.h -o /dev/null
// RUN: FileCheck %s --input-file=%t.h
// RUN: memplan-opt %s --plan-memory="arena=argument dynamic=bounded" --memplan-emit-header=file=%t.b.h -o /dev/null
// RUN: FileCheck %s --input-file=%t.b.h --check-prefix=BOUNDED

// CHECK:      #include <stdint.h>
// CHECK:      extern "C" {
// CHECK:      /* argument 3 */
// CHECK-NEXT: /* its bytes: what f.arena_bytes returns for the same call */
// CHECK-NEXT: int64_t f_arena_bytes(int64_t argument0_size0, int64_t argument1, int32_t argument2) __asm__("f.arena_bytes");
// The most that it returns for extents that the entry accepts.
// CHECK-NEXT: #define F_ARENA_BYTES_MAX 256
// CHECK-NEXT: #define F_ARENA_ALIGNMENT 64
// CHECK-NOT:  F_ARENA_BYTES
// BOUNDED-NOT: stdint
// BOUNDED:    #define F_ARENA_BYTES 256
func.func @f(%x: memref<?x4xf32> {memplan.dim_bounds = array<i64: 0, 16, 1, 4, 4, 1>}, %k: index, %i: i32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %a = memref.alloc(%n) : memref<?x4xf32>
  linalg.exp ins(%x : memref<?x4xf32>) outs(%a : memref<?x4xf32>)
  linalg.abs ins(%a : memref<?x4xf32>) outs(%x : memref<?x4xf32>)
  memref.dealloc %a : memref<?x4xf32>
  return
}
