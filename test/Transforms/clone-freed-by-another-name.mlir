// The source of a clone is planned if the clone is freed by its own name, and
// not planned if control flow has given the clone another name. Preparation would
// make copies of all clones.

// RUN: memplan-opt %s --plan-memory=prepare=false --remarks-filter='plan.*' 2>&1 | FileCheck %s

// CHECK: [[#@LINE+3]]:8: remark: [Passed] BufferPlanned {{.*}} Function=by_its_own_name
// CHECK: Function=by_its_own_name | Remark="b1 not planned: it is a clone
func.func @by_its_own_name(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// CHECK: Function=joined | Remark="b0 not planned: it is cloned, and the clone is freed by another name than its own at
func.func @joined(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  %d = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %r = scf.if %c -> memref<16xf32> {
    memref.dealloc %d : memref<16xf32>
    scf.yield %b : memref<16xf32>
  } else {
    memref.dealloc %b : memref<16xf32>
    scf.yield %d : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}

// %b is freed by its own name; its clone %d, which has the contents of %a, is
// carried.
// CHECK: Function=carried | Remark="b0 not planned: it is cloned, and the clone is freed by another name than its own at
// CHECK: Function=carried | Remark="b{{.*}} not planned: it is cloned, and the clone is freed by another name than its own at
func.func @carried(%in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = bufferization.clone %a : memref<16xf32> to memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  %d = bufferization.clone %b : memref<16xf32> to memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %d) -> memref<16xf32> {
    %n = memref.alloc() : memref<16xf32>
    linalg.exp ins(%x : memref<16xf32>) outs(%n : memref<16xf32>)
    memref.dealloc %x : memref<16xf32>
    %y = bufferization.clone %n : memref<16xf32> to memref<16xf32>
    memref.dealloc %n : memref<16xf32>
    scf.yield %y : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}
