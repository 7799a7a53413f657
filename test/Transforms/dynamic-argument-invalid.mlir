// RUN: memplan-opt %s --plan-memory=arena=argument -verify-diagnostics -o /dev/null

// expected-error @below {{has the name of the function that returns the bytes of an arena of @f, and is no declaration of it}}
func.func private @f.arena_bytes(i32) -> i32
// expected-note @below {{the function whose arena is an argument; rename one of the two}}
func.func @f(%n: index, %x: memref<?xf32>, %out: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%out : memref<?xf32>)
  return
}
