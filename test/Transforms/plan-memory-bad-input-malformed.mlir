// Malformed input gives an error at its location, and no output.

// RUN: split-file %s %t
// RUN: not memplan-opt --plan-memory %t/syntax.mlir 2>&1 | FileCheck %t/syntax.mlir
// RUN: not memplan-opt --plan-memory %t/types.mlir 2>&1 | FileCheck %t/types.mlir
// RUN: not memplan-opt --plan-memory %t/marker.mlir 2>&1 | FileCheck %t/marker.mlir
// RUN: not memplan-opt --plan-memory %t/empty-name.mlir 2>&1 | FileCheck %t/empty-name.mlir
// RUN: not memplan-opt --plan-memory %t/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: memplan-opt --plan-memory %t/nothing.mlir | FileCheck %s --check-prefix=NOTHING

// MISSING: cannot open input file
// NOTHING: module {
// NOTHING-NEXT: }

//--- nothing.mlir
//--- syntax.mlir
// CHECK: syntax.mlir:4:3: error: custom op 'memref.aloc' is unknown
// CHECK-NOT: memref.view
func.func @f() {
  memref.aloc() : memref<4xf32>
  return
}
//--- types.mlir
// CHECK: types.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: use of value '%a' expects different type
func.func @f() {
  %a = memref.alloc() : memref<4xf32>
  %c = arith.constant 1.0 : f32
  linalg.fill ins(%c : f32) outs(%a : memref<5xf32>)
  return
}
//--- marker.mlir
// CHECK: marker.mlir:3:8: error: 'memref.alloc' op attribute 'memplan.buffer' must be a string
func.func @f() {
  %a = memref.alloc() {memplan.buffer = 3} : memref<4xf32>
  return
}
//--- empty-name.mlir
// CHECK: error: @ identifier expected to start with letter
func.func @() {
  return
}
