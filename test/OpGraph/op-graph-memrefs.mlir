// RUN: memplan-opt %s --memplan-export-graph="function=order output=-" -o /dev/null | FileCheck %s --check-prefix=ORDER
// RUN: memplan-opt %s --memplan-export-graph="function=arguments output=-" -o /dev/null | FileCheck %s --check-prefix=ARGUMENTS
// RUN: memplan-opt %s --memplan-export-graph="function=barriers output=-" -o /dev/null | FileCheck %s --check-prefix=BARRIERS
// RUN: memplan-opt %s --memplan-export-graph="function=callees output=-" -o /dev/null | FileCheck %s --check-prefix=CALLEES
// RUN: memplan-opt %s --memplan-export-graph="function=regions output=-" -o /dev/null | FileCheck %s --check-prefix=REGIONS
// RUN: not memplan-opt %s --memplan-export-graph="function=blocks output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not memplan-opt %s --memplan-export-graph="output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SEVERAL
// RUN: not memplan-opt %s --memplan-export-graph="function=none output=-" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NONE
// BLOCKS: error: @blocks has several blocks: an op graph is made of one block
// SEVERAL: error: one of several functions must be named: @order, @arguments, @barriers and 4 more
// NONE: error: there is no function @none

// The first access makes the storage. The two readers of %a may run in any
// order, after its writer and before the next writer; a view of %a is %a. The
// writer of %b precedes its reader.
// ORDER: "id": "o0", "name": "linalg.exp", "operands": ["v0"], "results": ["v1"]
// ORDER-NEXT: "id": "o1", "name": "linalg.abs", "operands": ["v1"], "results": ["v2"]{{.*}}"after": ["o0"]
// ORDER-NEXT: "id": "o2", "name": "linalg.abs", "operands": ["v1"], "results": ["v3"]{{.*}}"after": ["o0"]
// ORDER-NEXT: "id": "o3", "name": "linalg.exp", "operands": ["v0", "v1"]{{.*}}"after": ["o0", "o1", "o2"]
// ORDER-NEXT: "id": "o4", "name": "linalg.add"{{.*}}"after": ["o1", "o2"]
func.func @order(%in: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  %c = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.abs ins(%v : memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  linalg.abs ins(%a : memref<16xf32>) outs(%c : memref<16xf32>)
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %w = memref.collapse_shape %b [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  linalg.add ins(%w, %c : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
  return
}

// Arguments may be the same memory.
// ARGUMENTS: "id": "o0"
// ARGUMENTS: "id": "o1"{{.*}}"after": ["o0"]
func.func @arguments(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>) {
  linalg.exp ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%c : memref<16xf32>)
  return
}

// Ops with effects do not move across a call of an unknown function.
// BARRIERS: "id": "o0", "name": "linalg.fill"
// BARRIERS: "id": "o1", "name": "func.call unknown"{{.*}}"after": ["o0"]
// BARRIERS: "id": "o2", "name": "linalg.fill"{{.*}}"after": ["o1"]
func.func private @unknown()
func.func @barriers(%f: f32) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  call @unknown() : () -> ()
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  return
}

// A call of a known function has the effects of the callee on its arguments:
// the second call reads the result of the first one, and the third call is
// independent.
// CALLEES: "id": "o0", "name": "func.call twice", "operands": ["v0"], "results": ["v1"]
// CALLEES: "id": "o1", "name": "func.call twice", "operands": ["v1"], "results": ["v2"]{{.*}}"after": ["o0"]
// CALLEES: "id": "o2", "name": "func.call twice", "operands": ["v0"], "results": ["v3"]
// CALLEES-NOT: "after"
// CALLEES: "outputs"
func.func private @twice(%a: memref<16xf32>, %b: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%t : memref<16xf32>)
  linalg.exp ins(%t : memref<16xf32>) outs(%b : memref<16xf32>)
  return
}
func.func @callees(%in: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  call @twice(%in, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  call @twice(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  call @twice(%in, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// The loop's own buffer is its scratch; the outer buffers that it uses are
// operands.
// REGIONS: "name": "scf.for", "operands": ["v1", "v0"], "results": ["v2"]{{.*}}"scratch_bytes": 64
func.func @regions(%in: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
    linalg.exp ins(%t : memref<16xf32>) outs(%a : memref<16xf32>)
  }
  return
}

func.func @blocks(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  return
}
