// Buffers that are copied to or from a slice of another buffer.
// RUN: memplan-opt %s --memplan-extract=alignment=4 | FileCheck %s
// RUN: memplan-opt %s --memplan-extract | FileCheck %s --check-prefix=ALIGNED
// RUN: memplan-opt %s --plan-memory="alignment=4 require=verified" --memplan-verify=quiet=true | FileCheck %s --check-prefix=PLAN
// RUN: memplan-opt %s --plan-memory=alignment=4 --remarks-filter=plan.* -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK-COUNT-6: CopyRemoved{{.*}}Bytes=16
// REMARK-NOT: CopyRemoved
// PLAN-LABEL: func @concat(
// PLAN-SAME: %[[IN:.*]]: memref<4xf32>
// PLAN: memref.alloc() {{.*}} : memref<48xi8>
// PLAN-COUNT-3: memref.copy {{.*}} {memplan.copied =
// CHECK-LABEL: memplan.problem @concat
// CHECK-DAG: memplan.overlap @b0, @b3 by [0, 0]
// CHECK-DAG: memplan.overlap @b1, @b3 by [-16, -16]
// CHECK-DAG: memplan.overlap @b2, @b3 by [-32, -32]
// Slots begin at multiples of 64 bytes, and these slices do not.
// ALIGNED-LABEL: memplan.problem @concat
// ALIGNED: memplan.overlap @b0, @b3 by [0, 0]
// ALIGNED-NOT: memplan.overlap
// ALIGNED-LABEL: memplan.problem @split
func.func @concat(%in: memref<4xf32>, %out: memref<12xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<2x2xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.exp ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  %flat = memref.collapse_shape %b [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%flat : memref<4xf32>)
  %t = memref.alloc() : memref<12xf32>
  %t0 = memref.subview %t[0] [4] [1] : memref<12xf32> to memref<4xf32, strided<[1]>>
  memref.copy %a, %t0 : memref<4xf32> to memref<4xf32, strided<[1]>>
  // This buffer is live when the target is already live.
  linalg.negf ins(%in : memref<4xf32>) outs(%c : memref<4xf32>)
  %t1 = memref.subview %t[4] [4] [1] : memref<12xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %flat, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  %t2 = memref.subview %t[8] [4] [1] : memref<12xf32> to memref<4xf32, strided<[1], offset: 8>>
  linalg.copy ins(%c : memref<4xf32>) outs(%t2 : memref<4xf32, strided<[1], offset: 8>>)
  linalg.abs ins(%t : memref<12xf32>) outs(%out : memref<12xf32>)
  return
}

// PLAN-LABEL: func @split(
// PLAN: memref.alloc() {{.*}} : memref<32xi8>
// CHECK-LABEL: memplan.problem @split
// CHECK-DAG: memplan.overlap @b0, @b1 by [0, 0]
// CHECK-DAG: memplan.overlap @b0, @b2 by [16, 16]
func.func @split(%in: memref<8xf32>, %out: memref<4xf32>) {
  %t = memref.alloc() : memref<8xf32>
  linalg.abs ins(%in : memref<8xf32>) outs(%t : memref<8xf32>)
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %t0 = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t0, %a : memref<4xf32, strided<[1]>> to memref<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  memref.copy %t1, %b : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32>
  linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%out : memref<4xf32>)
  return
}

// Only within the body of a loop, as each iteration has its own buffers.
// CHECK-LABEL: memplan.problem @in_a_loop
// CHECK: memplan.overlap @b0, @b1 by [-16, -16]
func.func @in_a_loop(%n: index, %in: memref<4xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    %t = memref.alloc() : memref<8xf32>
    linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
    %t0 = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    linalg.exp ins(%a : memref<4xf32>) outs(%t0 : memref<4xf32, strided<[1]>>)
    %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    memref.copy %a, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.abs ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  }
  return
}

// The source has a later use.
// CHECK-LABEL: memplan.problem @source_read_later
// CHECK-NOT: memplan.overlap
func.func @source_read_later(%in: memref<4xf32>, %out: memref<8xf32>, %last: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %a, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.abs ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%last : memref<4xf32>)
  return
}

// The whole target is filled while the source is live.
// CHECK-LABEL: memplan.problem @filled_between
// CHECK-NOT: memplan.overlap
func.func @filled_between(%x: f32, %in: memref<4xf32>, %out: memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.fill ins(%x : f32) outs(%t : memref<8xf32>)
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %a, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.abs ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// One element of the slice is read before the copy.
// CHECK-LABEL: memplan.problem @slice_read_before
// CHECK-NOT: memplan.overlap
func.func @slice_read_before(%in: memref<4xf32>, %out: memref<8xf32>) -> f32 {
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.abs ins(%out : memref<8xf32>) outs(%t : memref<8xf32>)
  linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  %x = memref.load %t[%c7] : memref<8xf32>
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %a, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.abs ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  return %x : f32
}

// The first iteration overwrites a slice that the others copy to.
// CHECK-LABEL: memplan.problem @target_around_the_loop
// CHECK-NOT: memplan.overlap
func.func @target_around_the_loop(%n: index, %in: memref<4xf32>, %out: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<8xf32>
  linalg.abs ins(%in : memref<4xf32>) outs(%a : memref<4xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
    memref.copy %a, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.exp ins(%t1 : memref<4xf32, strided<[1], offset: 4>>) outs(%t1 : memref<4xf32, strided<[1], offset: 4>>)
  }
  linalg.abs ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}

// The result of the copy from the slice is live when the slice is read again.
// CHECK-LABEL: memplan.problem @slice_read_behind
// CHECK-NOT: memplan.overlap
func.func @slice_read_behind(%in: memref<8xf32>, %out: memref<4xf32>) {
  %t = memref.alloc() : memref<8xf32>
  linalg.abs ins(%in : memref<8xf32>) outs(%t : memref<8xf32>)
  %a = memref.alloc() : memref<4xf32>
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %t1, %a : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32>
  linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.add ins(%a, %t1 : memref<4xf32>, memref<4xf32, strided<[1], offset: 4>>) outs(%out : memref<4xf32>)
  return
}

// Rows of a matrix with gaps between them.
// CHECK-LABEL: memplan.problem @columns
// CHECK-NOT: memplan.overlap
func.func @columns(%in: memref<2x2xf32>, %out: memref<2x4xf32>) {
  %a = memref.alloc() : memref<2x2xf32>
  %t = memref.alloc() : memref<2x4xf32>
  linalg.abs ins(%in : memref<2x2xf32>) outs(%a : memref<2x2xf32>)
  %t1 = memref.subview %t[0, 2] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  memref.copy %a, %t1 : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1], offset: 2>>
  linalg.abs ins(%t : memref<2x4xf32>) outs(%out : memref<2x4xf32>)
  return
}

// The source is one of two buffers that share a slot.
// CHECK-LABEL: memplan.problem @chosen
// CHECK-NOT: by [-16, -16]
func.func @chosen(%c: i1, %in: memref<4xf32>, %out: memref<8xf32>) {
  %a = scf.if %c -> memref<4xf32> {
    %x = memref.alloc() : memref<4xf32>
    linalg.abs ins(%in : memref<4xf32>) outs(%x : memref<4xf32>)
    scf.yield %x : memref<4xf32>
  } else {
    %y = memref.alloc() : memref<4xf32>
    linalg.exp ins(%in : memref<4xf32>) outs(%y : memref<4xf32>)
    scf.yield %y : memref<4xf32>
  }
  %t = memref.alloc() : memref<8xf32>
  %t1 = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %a, %t1 : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.abs ins(%t : memref<8xf32>) outs(%out : memref<8xf32>)
  return
}
