// Names of memory spaces that would be one identifier in C get different
// numbers.
// RUN: memplan-opt %s --plan-memory=arena=argument --memplan-emit-header -o /dev/null | FileCheck %s
// CHECK: #define F_ARENA_SPACE_A_B_BYTES 8192
// CHECK: #define F_ARENA_SPACE_A_B_2_BYTES 4096
func.func @f(%x: memref<2048xf32>, %y: memref<1024xf32>) {
  %a = memref.alloc() : memref<2048xf32, "a b">
  %b = memref.alloc() : memref<1024xf32, "a_b">
  linalg.exp ins(%x : memref<2048xf32>) outs(%a : memref<2048xf32, "a b">)
  linalg.exp ins(%y : memref<1024xf32>) outs(%b : memref<1024xf32, "a_b">)
  linalg.abs ins(%a : memref<2048xf32, "a b">) outs(%x : memref<2048xf32>)
  linalg.abs ins(%b : memref<1024xf32, "a_b">) outs(%y : memref<1024xf32>)
  return
}
