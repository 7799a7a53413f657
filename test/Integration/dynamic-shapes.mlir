// Programs whose buffers have sizes that are known only when they run compute
// the same, planned or not, at the sizes 0, 1, 7 and 100.
// RUN: cat %s | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=lower=false --memplan-verify=quiet=true | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=strategy=naive | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=in-place=false | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify=quiet=true | FileCheck %s --check-prefix=PLAN

// n = 0
// CHECK:      0
// CHECK-NEXT: 480006
// CHECK-NEXT: 0
// CHECK-NEXT: 3
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// n = 1
// CHECK-NEXT: 1
// CHECK-NEXT: 480007
// CHECK-NEXT: 1
// CHECK-NEXT: 4
// CHECK-NEXT: 4.48169
// CHECK-NEXT: 0
// CHECK-NEXT: 3
// CHECK-NEXT: 3.71828
// n = 7
// CHECK-NEXT: 9.6659
// CHECK-NEXT: 480014
// CHECK-NEXT: 7.83435
// CHECK-NEXT: 10.8343
// CHECK-NEXT: 35.1111
// CHECK-NEXT: -0.75
// CHECK-NEXT: 25.753
// CHECK-NEXT: 29.4223
// n = 100
// CHECK-NEXT: 143.987
// CHECK-NEXT: 480120
// CHECK-NEXT: 203.767
// CHECK-NEXT: 206.767
// CHECK-NEXT: 509.867
// CHECK-NEXT: -12.375
// CHECK-NEXT: 378.425
// CHECK-NEXT: 427.835

// PLAN-LABEL: func.func @chain(
// PLAN-COUNT-1: memref.alloc(
// PLAN-NOT:     memref.alloc(
func.func @chain(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  linalg.mul ins(%b, %x : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  %r = func.call @sum(%c) : (memref<?xf32>) -> f32
  %s = func.call @sum(%b) : (memref<?xf32>) -> f32
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  %t = arith.addf %r, %s : f32
  return %t : f32
}

// A buffer of 40000 bytes and one of 4 * n share bytes: they are not live
// together. The buffers that are live with both lie above or below.
// PLAN-LABEL: func.func @static_and_dynamic(
// PLAN-COUNT-1: memref.alloc(
// PLAN-NOT:     memref.alloc(
func.func @static_and_dynamic(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.5 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %keep = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%keep : memref<4xf32>)
  %k = memref.alloc() : memref<10000xf32>
  linalg.fill ins(%one : f32) outs(%k : memref<10000xf32>)
  %kd = memref.cast %k : memref<10000xf32> to memref<?xf32>
  %r = func.call @sum(%kd) : (memref<?xf32>) -> f32
  memref.dealloc %k : memref<10000xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %top = memref.alloc() : memref<32xf32>
  linalg.fill ins(%r : f32) outs(%top : memref<32xf32>)
  %s = func.call @sum(%a) : (memref<?xf32>) -> f32
  memref.dealloc %a : memref<?xf32>
  %topd = memref.cast %top : memref<32xf32> to memref<?xf32>
  %t = func.call @sum(%topd) : (memref<?xf32>) -> f32
  %keepd = memref.cast %keep : memref<4xf32> to memref<?xf32>
  %u = func.call @sum(%keepd) : (memref<?xf32>) -> f32
  memref.dealloc %top : memref<32xf32>
  memref.dealloc %keep : memref<4xf32>
  %0 = arith.addf %s, %t : f32
  %1 = arith.addf %0, %u : f32
  return %1 : f32
}

// Trap: the size of a conditional allocation is negative, or huge, where the
// condition does not hold. Nothing of that size may be allocated.
// PLAN-LABEL: func.func @conditional(
func.func @conditional(%x: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %m = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%m) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %isLarge = arith.cmpi sgt, %m, %c10 : index
  %r = scf.if %isLarge -> f32 {
    %rest = arith.subi %m, %c10 : index
    %b = memref.alloc(%rest) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    memref.dealloc %b : memref<?xf32>
    scf.yield %s : f32
  } else {
    scf.yield %zero : f32
  }
  %isSmall = arith.cmpi slt, %n, %c10 : index
  %t = scf.if %isSmall -> f32 {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%b : memref<?xf32>)
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    memref.dealloc %b : memref<?xf32>
    scf.yield %s : f32
  } else {
    scf.yield %zero : f32
  }
  %u = func.call @sum(%a) : (memref<?xf32>) -> f32
  memref.dealloc %a : memref<?xf32>
  %0 = arith.addf %r, %t : f32
  %1 = arith.addf %0, %u : f32
  return %1 : f32
}

// Branches, a loop that carries a buffer, and a buffer of each iteration.
func.func @regions(%x: memref<?xf32>, %steps: index, %p: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %last = scf.for %i = %c0 to %steps step %c1 iter_args(%own = %a) -> (memref<?xf32>) {
    %t = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%half : f32) outs(%t : memref<?xf32>)
    %next = memref.alloc(%n) : memref<?xf32>
    linalg.add ins(%own, %t : memref<?xf32>, memref<?xf32>) outs(%next : memref<?xf32>)
    memref.dealloc %t : memref<?xf32>
    memref.dealloc %own : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  %r = scf.if %p -> f32 {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.exp ins(%last : memref<?xf32>) outs(%b : memref<?xf32>)
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    memref.dealloc %b : memref<?xf32>
    scf.yield %s : f32
  } else {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.negf ins(%last : memref<?xf32>) outs(%b : memref<?xf32>)
    %s = func.call @sum(%b) : (memref<?xf32>) -> f32
    memref.dealloc %b : memref<?xf32>
    scf.yield %s : f32
  }
  memref.dealloc %last : memref<?xf32>
  return %r : f32
}

// A loop of blocks.
func.func @blocks(%x: memref<?xf32>, %steps: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  cf.br ^head(%c0, %zero : index, f32)
^head(%i: index, %acc: f32):
  %go = arith.cmpi slt, %i, %steps : index
  cf.cond_br %go, ^body, ^exit
^body:
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  %s = func.call @sum(%b) : (memref<?xf32>) -> f32
  memref.dealloc %b : memref<?xf32>
  %next = arith.addf %acc, %s : f32
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %next : index, f32)
^exit:
  memref.dealloc %a : memref<?xf32>
  return %acc : f32
}

// Several extents, and views of other shapes.
func.func @extents(%x: memref<?x?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %m = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.transpose ins(%x : memref<?x?xf32>) outs(%a : memref<?x?xf32>) permutation = [1, 0]
  %b = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.exp ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  memref.dealloc %a : memref<?x?xf32>
  %flat = memref.collapse_shape %b [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %nm = memref.dim %flat, %c0 : memref<?xf32>
  %c = memref.alloc(%nm) : memref<?xf32>
  linalg.abs ins(%flat : memref<?xf32>) outs(%c : memref<?xf32>)
  memref.dealloc %b : memref<?x?xf32>
  %two = arith.muli %nm, %c2 : index
  %d = memref.alloc(%two) : memref<?xf32>
  %low = memref.subview %d[0] [%nm] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
  %high = memref.subview %d[%nm] [%nm] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
  linalg.exp ins(%c : memref<?xf32>) outs(%low : memref<?xf32, strided<[1]>>)
  linalg.abs ins(%c : memref<?xf32>) outs(%high : memref<?xf32, strided<[1], offset: ?>>)
  memref.dealloc %c : memref<?xf32>
  %s = func.call @sum(%d) : (memref<?xf32>) -> f32
  memref.dealloc %d : memref<?xf32>
  return %s : f32
}

func.func @sum(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %e = memref.load %x[%i] : memref<?xf32>
    %next = arith.addf %acc, %e : f32
    scf.yield %next : f32
  }
  return %r : f32
}

func.func @at(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %huge = arith.constant 1099511627776 : index
  %scale = arith.constant 0.125 : f32
  %true = arith.constant true
  %false = arith.constant false
  %x = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %w = arith.remui %i, %c3 : index
    %v = arith.index_cast %w : index to i32
    %f = arith.sitofp %v : i32 to f32
    %g = arith.mulf %f, %scale : f32
    memref.store %g, %x[%i] : memref<?xf32>
  }
  %r0 = func.call @chain(%x) : (memref<?xf32>) -> f32
  vector.print %r0 : f32
  %r1 = func.call @static_and_dynamic(%x) : (memref<?xf32>) -> f32
  vector.print %r1 : f32
  %r2 = func.call @conditional(%x, %huge) : (memref<?xf32>, index) -> f32
  vector.print %r2 : f32
  %r3 = func.call @conditional(%x, %c3) : (memref<?xf32>, index) -> f32
  vector.print %r3 : f32
  %r4 = func.call @regions(%x, %c3, %true) : (memref<?xf32>, index, i1) -> f32
  vector.print %r4 : f32
  %r5 = func.call @regions(%x, %c0, %false) : (memref<?xf32>, index, i1) -> f32
  vector.print %r5 : f32
  %r6 = func.call @blocks(%x, %c3) : (memref<?xf32>, index) -> f32
  vector.print %r6 : f32
  %y = memref.expand_shape %x [[0, 1]] output_shape [%n, 1] : memref<?xf32> into memref<?x1xf32>
  %z = memref.cast %y : memref<?x1xf32> to memref<?x?xf32>
  %r7 = func.call @extents(%z) : (memref<?x?xf32>) -> f32
  vector.print %r7 : f32
  memref.dealloc %x : memref<?xf32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c100 = arith.constant 100 : index
  call @at(%c0) : (index) -> ()
  call @at(%c1) : (index) -> ()
  call @at(%c7) : (index) -> ()
  call @at(%c100) : (index) -> ()
  return
}
