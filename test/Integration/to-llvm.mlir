// Programs on memrefs run with any of these dialects, planned or not.
// RUN: cat %s | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=lower=false | %execute | FileCheck %s
// RUN: memplan-opt %s --memplan-to-llvm | FileCheck %s --check-prefix=LLVM --implicit-check-not=unrealized

// LLVM-LABEL: llvm.func @linalg_and_affine
func.func @linalg_and_affine() -> f32 {
  %c1 = arith.constant 1.0 : f32
  %i0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  %sum = memref.alloc() : memref<f32>
  linalg.fill ins(%c1 : f32) outs(%a : memref<4x4xf32>)
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      %y = arith.addf %x, %x : f32
      affine.store %y, %b[%i, %j] : memref<4x4xf32>
    }
  }
  %c0 = arith.constant 0.0 : f32
  memref.store %c0, %sum[] : memref<f32>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                  iterator_types = ["reduction", "reduction"]}
      ins(%b : memref<4x4xf32>) outs(%sum : memref<f32>) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  }
  %r = memref.load %sum[] : memref<f32>
  memref.dealloc %a : memref<4x4xf32>
  memref.dealloc %b : memref<4x4xf32>
  memref.dealloc %sum : memref<f32>
  return %r : f32
}

// LLVM-LABEL: llvm.func @scf_vector_and_math
func.func @scf_vector_and_math(%flag: i1) -> f32 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %n = arith.constant 8 : index
  %c0 = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%i0) to (%n) step (%i1) {
    %x = arith.index_cast %i : index to i32
    %f = arith.sitofp %x : i32 to f32
    %s = math.sqrt %f : f32
    %t = math.tanh %c0 : f32
    %q = arith.mulf %s, %s : f32
    %r = arith.addf %q, %t : f32
    memref.store %r, %a[%i] : memref<8xf32>
  }
  %v = vector.transfer_read %a[%i0], %c0 {in_bounds = [true]} : memref<8xf32>, vector<8xf32>
  %r = scf.if %flag -> f32 {
    %m = vector.reduction <maximumf>, %v : vector<8xf32> into f32
    scf.yield %m : f32
  } else {
    scf.yield %c0 : f32
  }
  memref.dealloc %a : memref<8xf32>
  return %r : f32
}

// LLVM-LABEL: llvm.func @views_and_copies
func.func @views_and_copies() -> i32 {
  %i0 = arith.constant 0 : index
  %i2 = arith.constant 2 : index
  %c7 = arith.constant 7 : i32
  %a = memref.alloc() : memref<4x4xi32>
  %b = memref.alloc() : memref<2x2xi32>
  linalg.fill ins(%c7 : i32) outs(%a : memref<4x4xi32>)
  %s = memref.subview %a[%i2, 0] [2, 2] [1, 1] : memref<4x4xi32> to memref<2x2xi32, strided<[4, 1], offset: ?>>
  memref.copy %s, %b : memref<2x2xi32, strided<[4, 1], offset: ?>> to memref<2x2xi32>
  %flat = memref.collapse_shape %b [[0, 1]] : memref<2x2xi32> into memref<4xi32>
  %r = memref.load %flat[%i2] : memref<4xi32>
  memref.dealloc %a : memref<4x4xi32>
  memref.dealloc %b : memref<2x2xi32>
  return %r : i32
}

// LLVM-LABEL: llvm.func @blocks
func.func @blocks(%n: index) -> index {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %a = memref.alloca() : memref<index>
  memref.store %i0, %a[] : memref<index>
  cf.br ^head(%i0 : index)
^head(%i: index):
  %more = index.cmp ult(%i, %n)
  cf.cond_br %more, ^body, ^exit
^body:
  %x = memref.load %a[] : memref<index>
  %y = index.add %x, %i
  memref.store %y, %a[] : memref<index>
  %next = arith.addi %i, %i1 : index
  cf.br ^head(%next : index)
^exit:
  %r = memref.load %a[] : memref<index>
  return %r : index
}

// Scratch that is not planned is an allocation.
// LLVM-LABEL: llvm.func @workspace
func.func @workspace() -> f32 {
  %i0 = arith.constant 0 : index
  %c = arith.constant 2.5 : f32
  %w = memplan.workspace shared : memref<16xf32>
  memref.store %c, %w[%i0] : memref<16xf32>
  %r = memref.load %w[%i0] : memref<16xf32>
  return %r : f32
}

// Which dimensions a slice leaves out does not show in its strides where it takes
// steps.
// LLVM-LABEL: llvm.func @slices_with_steps
func.func @slices_with_steps() -> i32 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %i8 = arith.constant 8 : index
  %a = memref.alloc() : memref<1x8x1xi32>
  scf.for %i = %i0 to %i8 step %i1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %a[%i0, %i, %i0] : memref<1x8x1xi32>
  }
  %s = memref.subview %a[0, 1, 0] [1, %i4, 1] [1, 2, 1] : memref<1x8x1xi32> to memref<?x1xi32, strided<[2, 1], offset: 1>>
  %r = memref.load %s[%i1, %i0] : memref<?x1xi32, strided<[2, 1], offset: 1>>
  %t = memref.subview %a[0, 2, 0] [1, 1, 1] [1, 2, 1] : memref<1x8x1xi32> to memref<1xi32, strided<[2], offset: 2>>
  %q = memref.load %t[%i0] : memref<1xi32, strided<[2], offset: 2>>
  %sum = arith.addi %r, %q : i32
  memref.dealloc %a : memref<1x8x1xi32>
  return %sum : i32
}

// LLVM-LABEL: llvm.func @scope_with_a_loop
func.func @scope_with_a_loop() -> i32 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%sum = %c0) -> i32 {
    %x = memref.alloca_scope -> (i32) {
      %a = memref.alloca() : memref<4xi32>
      linalg.fill ins(%c3 : i32) outs(%a : memref<4xi32>)
      %y = memref.load %a[%i] : memref<4xi32>
      memref.alloca_scope.return %y : i32
    }
    %z = arith.addi %sum, %x : i32
    scf.yield %z : i32
  }
  return %r : i32
}

// LLVM-LABEL: llvm.func @reallocation
func.func @reallocation(%n: index) -> i32 {
  %i1 = arith.constant 1 : index
  %c6 = arith.constant 6 : i32
  %a = memref.alloc() : memref<4xi32>
  memref.store %c6, %a[%i1] : memref<4xi32>
  %b = memref.realloc %a(%n) : memref<4xi32> to memref<?xi32>
  %r = memref.load %b[%i1] : memref<?xi32>
  memref.dealloc %b : memref<?xi32>
  return %r : i32
}

// LLVM-LABEL: llvm.func @powers_and_sums
func.func @powers_and_sums(%x: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %v = vector.broadcast %c2 : i32 to vector<2x4xi32>
  %sum = vector.multi_reduction <add>, %v, %x [0, 1] : vector<2x4xi32> to i32
  %power = math.ipowi %sum, %c2 : i32
  return %power : i32
}

// LLVM-LABEL: llvm.func @asynchronous
func.func @asynchronous() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%three : f32) outs(%a : memref<16xf32>)
  %t = async.execute {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %a[%i] : memref<16xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %b[%i] : memref<16xf32>
    }
    linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    async.yield
  }
  async.await %t : !async.token
  %r = memref.load %b[%c1] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return %r : f32
}

func.func @main() {
  %true = arith.constant true
  %n = arith.constant 5 : index
  // 16 times 1 + 1.
  // CHECK: 32
  %0 = func.call @linalg_and_affine() : () -> f32
  vector.print %0 : f32
  // CHECK-NEXT: 7
  %1 = func.call @scf_vector_and_math(%true) : (i1) -> f32
  vector.print %1 : f32
  // CHECK-NEXT: 7
  %2 = func.call @views_and_copies() : () -> i32
  vector.print %2 : i32
  // 0 + 1 + 2 + 3 + 4.
  // CHECK-NEXT: 10
  %3 = func.call @blocks(%n) : (index) -> index
  vector.print %3 : index
  // CHECK-NEXT: 2.5
  %4 = func.call @workspace() : () -> f32
  vector.print %4 : f32
  // 3 + 2.
  // CHECK-NEXT: 5
  %5 = func.call @slices_with_steps() : () -> i32
  vector.print %5 : i32
  // CHECK-NEXT: 12
  %6 = func.call @scope_with_a_loop() : () -> i32
  vector.print %6 : i32
  // CHECK-NEXT: 6
  %7 = func.call @reallocation(%n) : (index) -> i32
  vector.print %7 : i32
  // (1 + 8 times 2) to the square.
  // CHECK-NEXT: 289
  %c1 = arith.constant 1 : i32
  %8 = func.call @powers_and_sums(%c1) : (i32) -> i32
  vector.print %8 : i32
  // 3 + 2 times 3.
  // CHECK-NEXT: 9
  %9 = func.call @asynchronous() : () -> f32
  vector.print %9 : f32
  return
}
