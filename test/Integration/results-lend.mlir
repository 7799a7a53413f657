// Results that lend their memory are right when the program runs, and the caller
// frees them. In @g the first results are written before the last buffers are
// dead; @h returns the whole of another shape on two paths.
// RUN: cat %s | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory="results=lend require=verified" -o %t.planned
// RUN: grep -c memplan.returned %t.planned | FileCheck %s --check-prefix=COUNT
// RUN: cat %t.planned | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory="results=lend scope=module arena=global require=verified" | %execute | FileCheck %s
// RUN: memplan-opt %s --convert-linalg-to-loops --plan-memory="results=lend require=verified" | %execute | FileCheck %s
// RUN: memplan-opt %s --convert-linalg-to-loops --convert-scf-to-cf --plan-memory="results=lend alignment=1 require=verified" | %execute | FileCheck %s

// COUNT: {{^[2-9]}}

// CHECK: 164.375
// CHECK-NEXT: 12657.8
// CHECK-NEXT: 305
// CHECK-NEXT: 3.25
// CHECK-NEXT: 3.5
func.func private @printF32(f32)
func.func private @printNewline()

func.func @g(%in: memref<4x4xf32>) -> (memref<4x4xf32>, memref<4x4xf32>, memref<f32>) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0]
  %b = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%b : memref<4x4xf32>)
  linalg.matmul ins(%a, %in : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  %c = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>) permutation = [1, 0]
  %r0 = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%r0 : memref<4x4xf32>)
  linalg.matmul ins(%a, %c : memref<4x4xf32>, memref<4x4xf32>) outs(%r0 : memref<4x4xf32>)
  %r1 = memref.alloc() : memref<4x4xf32>
  linalg.fill ins(%zero : f32) outs(%r1 : memref<4x4xf32>)
  linalg.matmul ins(%r0, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%r1 : memref<4x4xf32>)
  %r2 = memref.alloc() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%r2 : memref<f32>)
  linalg.reduce ins(%c : memref<4x4xf32>) outs(%r2 : memref<f32>) dimensions = [0, 1]
    (%x: f32, %y: f32) {
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
  return %r0, %r1, %r2 : memref<4x4xf32>, memref<4x4xf32>, memref<f32>
}

func.func @h(%in: memref<4x4xf32>, %cond: i1) -> memref<16xf32> {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>) permutation = [1, 0]
  %b = memref.alloc() : memref<4x4xf32>
  linalg.transpose ins(%a : memref<4x4xf32>) outs(%b : memref<4x4xf32>) permutation = [1, 0]
  %c = memref.alloc() : memref<4x4xf32>
  %r = memref.collapse_shape %c [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.transpose ins(%b : memref<4x4xf32>) outs(%c : memref<4x4xf32>) permutation = [1, 0]
  cf.cond_br %cond, ^left, ^right
^left:
  return %r : memref<16xf32>
^right:
  linalg.add ins(%in, %in : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return %r : memref<16xf32>
}

func.func @show(%m: memref<16xf32>, %i: index) {
  %x = memref.load %m[%i] : memref<16xf32>
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %true = arith.constant true
  %false = arith.constant false
  %quarter = arith.constant 0.25 : f32
  %in = memref.alloc() : memref<4x4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %k = arith.muli %i, %c4 : index
      %l = arith.addi %k, %j : index
      %n = arith.index_cast %l : index to i32
      %f = arith.sitofp %n : i32 to f32
      %v = arith.mulf %f, %quarter : f32
      memref.store %v, %in[%i, %j] : memref<4x4xf32>
    }
  }
  %r:3 = call @g(%in) : (memref<4x4xf32>) -> (memref<4x4xf32>, memref<4x4xf32>, memref<f32>)
  %p = memref.collapse_shape %r#0 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  %q = memref.collapse_shape %r#1 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  call @show(%p, %c7) : (memref<16xf32>, index) -> ()
  call @show(%q, %c7) : (memref<16xf32>, index) -> ()
  %s = memref.load %r#2[] : memref<f32>
  call @printF32(%s) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %r#0 : memref<4x4xf32>
  memref.dealloc %r#1 : memref<4x4xf32>
  memref.dealloc %r#2 : memref<f32>
  %u = call @h(%in, %true) : (memref<4x4xf32>, i1) -> memref<16xf32>
  %w = call @h(%in, %false) : (memref<4x4xf32>, i1) -> memref<16xf32>
  call @show(%u, %c7) : (memref<16xf32>, index) -> ()
  call @show(%w, %c7) : (memref<16xf32>, index) -> ()
  memref.dealloc %u : memref<16xf32>
  memref.dealloc %w : memref<16xf32>
  memref.dealloc %in : memref<4x4xf32>
  return
}
