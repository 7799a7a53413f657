// A loop overwrites a part of its input; a later pass treats it as a loop whose
// iterations may run in any order.
// RUN: memplan-opt %s --plan-memory="partial-overlap=true alignment=4" --memplan-verify=quiet=true -o /dev/null
// RUN: not memplan-opt %s --plan-memory="partial-overlap=true alignment=4" --affine-parallelize --memplan-verify=quiet=true -o /dev/null 2>&1 | FileCheck %s
// RUN: memplan-opt %s --plan-memory="alignment=4" --affine-parallelize --memplan-verify=quiet=true -o /dev/null

// CHECK: error: reads buffer at bytes [4, 68) of the arena, which 'affine.store' through the buffer at [0, 64) has overwritten
func.func @window(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  affine.for %i = 1 to 15 {
    %x = affine.load %a[%i - 1] : memref<16xf32>
    %y = affine.load %a[%i + 1] : memref<16xf32>
    %z = arith.addf %x, %y : f32
    affine.store %z, %b[%i] : memref<16xf32>
  }
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
