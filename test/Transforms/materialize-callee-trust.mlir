// callee-trust determines which buffers can be planned, so memplan-extract and
// memplan-materialize must get the same value.

// RUN: memplan-opt %s --memplan-extract="callee-trust=none in-place=false" --memplan-solve --memplan-materialize=callee-trust=none
// RUN: not memplan-opt %s --memplan-extract="callee-trust=none in-place=false" --memplan-solve --memplan-materialize 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not memplan-opt %s --memplan-extract=in-place=false --memplan-solve --memplan-materialize=callee-trust=none 2>&1 | FileCheck %s --check-prefix=FEWER

// FEWER: error: is stale: it states 2 buffers but @f has 1 to plan: the program has changed, or callee-trust is not what memplan-extract was given
// MORE: [[#@LINE+5]]:8: error: has no buffer in the problem of @f: the program has changed, or callee-trust is not what memplan-extract was given
func.func private @outside(memref<16xf32>)
func.func @f(%in: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  call @outside(%b) : (memref<16xf32>) -> ()
  return
}
