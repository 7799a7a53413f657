// Sizes that are computed early, at the entry, where they may be negative or
// huge, and sums of sizes that would wrap around.
// RUN: cat %s | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=require=verified --memplan-verify=quiet=true | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory="strategy=naive require=verified" | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory="in-place=false require=verified" | %execute | FileCheck %s
// RUN: memplan-opt %s --plan-memory=require=verified | FileCheck %s --check-prefix=PLAN

// The size is a negative multiple of the argument: of -4, and of 0.
// CHECK:      12
// CHECK-NEXT: 4
// A branch that is not taken would allocate a negative number of elements; where it
// is taken, it allocates three.
// CHECK-NEXT: 5
// CHECK-NEXT: 15
// The size in the branch is huge, or negative, where the branch is not taken.
// CHECK-NEXT: 5
// CHECK-NEXT: 5
// CHECK-NEXT: 7

// PLAN-LABEL: func.func @negative_multiple(
// PLAN-COUNT-1: memref.alloc(
// PLAN-NOT:     memref.alloc(
func.func @negative_multiple(%k: index) -> f32 {
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = arith.muli %k, %cm1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%a : memref<?xf32>)
  %b = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%b : memref<4xf32>)
  %r = func.call @sum(%a) : (memref<?xf32>) -> f32
  %bd = memref.cast %b : memref<4xf32> to memref<?xf32>
  %s = func.call @sum(%bd) : (memref<?xf32>) -> f32
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<4xf32>
  %t = arith.addf %r, %s : f32
  return %t : f32
}

// PLAN-LABEL: func.func @negative_in_branch(
func.func @negative_in_branch(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %whole = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%whole : memref<?xf32>)
  %keep = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%keep : memref<4xf32>)
  %isLarge = arith.cmpi sgt, %n, %c2 : index
  %r = scf.if %isLarge -> f32 {
    %rest = arith.subi %n, %c2 : index
    %a = memref.alloc(%rest) : memref<?xf32>
    linalg.fill ins(%two : f32) outs(%a : memref<?xf32>)
    %s = func.call @sum(%a) : (memref<?xf32>) -> f32
    memref.dealloc %a : memref<?xf32>
    scf.yield %s : f32
  } else {
    scf.yield %zero : f32
  }
  %s = func.call @sum(%whole) : (memref<?xf32>) -> f32
  %kd = memref.cast %keep : memref<4xf32> to memref<?xf32>
  %t = func.call @sum(%kd) : (memref<?xf32>) -> f32
  memref.dealloc %whole : memref<?xf32>
  memref.dealloc %keep : memref<4xf32>
  %0 = arith.addf %r, %s : f32
  %1 = arith.addf %0, %t : f32
  return %1 : f32
}

// PLAN-LABEL: func.func @huge_in_branch(
func.func @huge_in_branch(%x: memref<?xf32>, %k: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %whole = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%whole : memref<?xf32>)
  %keep = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%keep : memref<4xf32>)
  %isSmall = arith.cmpi ult, %k, %c10 : index
  %r = scf.if %isSmall -> f32 {
    %a = memref.alloc(%k) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
    %s = func.call @sum(%a) : (memref<?xf32>) -> f32
    memref.dealloc %a : memref<?xf32>
    scf.yield %s : f32
  } else {
    scf.yield %zero : f32
  }
  %s = func.call @sum(%whole) : (memref<?xf32>) -> f32
  %kd = memref.cast %keep : memref<4xf32> to memref<?xf32>
  %t = func.call @sum(%kd) : (memref<?xf32>) -> f32
  memref.dealloc %whole : memref<?xf32>
  memref.dealloc %keep : memref<4xf32>
  %0 = arith.addf %r, %s : f32
  %1 = arith.addf %0, %t : f32
  return %1 : f32
}

func.func @sum(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %v = memref.load %x[%i] : memref<?xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %t : f32
  }
  return %sum : f32
}

func.func private @printF32(f32)
func.func private @printNewline()
func.func @main() {
  %cm4 = arith.constant -4 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %huge = arith.constant 1152921504606846976 : index
  %minus = arith.constant -1152921504606846976 : index
  %one = memref.alloc(%c1) : memref<?xf32>
  %five = memref.alloc(%c5) : memref<?xf32>
  %0 = call @negative_multiple(%cm4) : (index) -> f32
  call @printF32(%0) : (f32) -> ()
  call @printNewline() : () -> ()
  %1 = call @negative_multiple(%c0) : (index) -> f32
  call @printF32(%1) : (f32) -> ()
  call @printNewline() : () -> ()
  %2 = call @negative_in_branch(%one) : (memref<?xf32>) -> f32
  call @printF32(%2) : (f32) -> ()
  call @printNewline() : () -> ()
  %3 = call @negative_in_branch(%five) : (memref<?xf32>) -> f32
  call @printF32(%3) : (f32) -> ()
  call @printNewline() : () -> ()
  %4 = call @huge_in_branch(%one, %huge) : (memref<?xf32>, index) -> f32
  call @printF32(%4) : (f32) -> ()
  call @printNewline() : () -> ()
  %5 = call @huge_in_branch(%one, %minus) : (memref<?xf32>, index) -> f32
  call @printF32(%5) : (f32) -> ()
  call @printNewline() : () -> ()
  %6 = call @huge_in_branch(%one, %c2) : (memref<?xf32>, index) -> f32
  call @printF32(%6) : (f32) -> ()
  memref.dealloc %one : memref<?xf32>
  memref.dealloc %five : memref<?xf32>
  return
}
