// RUN: memplan-opt %s --plan-memory="prepare=false lower=false" | FileCheck %s
// RUN: memplan-opt %s --plan-memory=prepare=false | memplan-opt --memplan-verify -o /dev/null
// RUN: memplan-opt %s --plan-memory=prepare=false --canonicalize --cse --loop-invariant-code-motion --memplan-verify -o /dev/null

// Each path has only one of the two, so both have the same 64 bytes. The
// deallocation of the result is removed.
// CHECK-LABEL: func.func @branches_share_a_slot
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: scf.if
// CHECK: memplan.view %{{.*}}[0] align(64)
// CHECK: else
// CHECK: memplan.view %{{.*}}[0] align(64)
// CHECK-NOT: dealloc
func.func @branches_share_a_slot(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %r = scf.if %c -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %in, %a : memref<16xf32> to memref<16xf32>
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return
}

// Both are read after the join, one of them through the select: they interfere
// and get 64 bytes each.
// CHECK-LABEL: func.func @select_of_two_live_buffers
// CHECK: memplan.arena align(64) : memref<128xi8>
func.func @select_of_two_live_buffers(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  %s = arith.select %c, %a, %b : memref<16xf32>
  memref.copy %s, %out : memref<16xf32> to memref<16xf32>
  return
}

// The carried buffer is read only before the next one is written, so all
// instances have one slot; %t, which is live between two instances, has it,
// too.
// CHECK-LABEL: func.func @carried_in_one_slot
// CHECK: memplan.arena align(64) : memref<64xi8>
// CHECK: scf.for
// CHECK: memplan.view %{{.*}}[0] align(64) : memref<64xi8>
// CHECK: memplan.view %{{.*}}[0] align(64)
func.func @carried_in_one_slot(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = memref.alloc() : memref<16xf32>
  memref.copy %in, %i : memref<16xf32> to memref<16xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %i) -> memref<16xf32> {
    %v = memref.load %x[%c0] : memref<16xf32>
    %t = memref.alloc() : memref<16xf32>
    linalg.fill ins(%v : f32) outs(%t : memref<16xf32>)
    memref.copy %t, %out : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}

// The same with blocks instead of regions: the argument is one of the two.
// CHECK-LABEL: func.func @block_argument
// CHECK: memplan.arena align(64) : memref<64xi8>
func.func @block_argument(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  cf.cond_br %c, ^left, ^right
^left:
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  cf.br ^join(%a : memref<16xf32>)
^right:
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.br ^join(%b : memref<16xf32>)
^join(%r: memref<16xf32>):
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}
