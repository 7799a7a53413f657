// Dynamic shapes of which not all can be planned.
// RUN: memplan-opt %s -split-input-file --plan-memory=report=text --remarks-filter='plan.*' -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t
// RUN: memplan-opt %s -split-input-file --plan-memory=arena=argument -o /dev/null

// Offsets of 32 bits might wrap around.
// REMARK: Function=narrow_index{{.*}}b0 not planned: it has a dynamic shape, and an index has fewer than 64 bits
// CHECK-LABEL: func.func @narrow_index
// CHECK:         memref.alloc(
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @narrow_index(%x: memref<?xf32>, %y: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.abs ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
    linalg.exp ins(%a : memref<?xf32>) outs(%y : memref<?xf32>)
    return
  }
}

// -----

// Callers that ask for the size of the arena know the integers alone, and floats may
// have another value each time they are computed.
// REMARK: Function=size_of_a_float{{.*}}b0 not planned: it has a dynamic shape: dimension 0 depends on the result of 'arith.fptosi'
// CHECK-LABEL: func.func @size_of_a_float
// CHECK:         memref.alloc(
func.func @size_of_a_float(%q: f32, %x: memref<?xf32>, %out: memref<?xf32>) {
  %i = arith.fptosi %q : f32 to i64
  %n = arith.index_cast %i : i64 to index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%out : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

// One number of bytes, but other extents: they are no slots of one phi cycle.
// REMARK: Function=turns{{.*}}b1 not planned: it is carried around the loop
// CHECK-LABEL: func.func @turns
// CHECK:         memref.alloc(
func.func @turns(%n: index, %m: index, %out: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.exp ins(%out : memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  %r = scf.for %k = %c0 to %c1 step %c1 iter_args(%x = %a) -> (memref<?x?xf32>) {
    %b = memref.alloc(%m, %n) : memref<?x?xf32>
    linalg.transpose ins(%x : memref<?x?xf32>) outs(%b : memref<?x?xf32>) permutation = [1, 0]
    scf.yield %b : memref<?x?xf32>
  }
  linalg.abs ins(%r : memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  return
}

// -----

// At 1024, the value of a hint that nobody gives, the size would be 2^63 bytes.
// REMARK: Function=window{{.*}}b0 planned
// CHECK-LABEL: func.func @window
// CHECK-NOT:     memref.alloc(%{{.*}}, %
func.func @window(%x: memref<?x?x?x?x?x?xf64>, %out: memref<?x?x?x?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %a = memref.dim %x, %c0 : memref<?x?x?x?x?x?xf64>
  %b = memref.dim %x, %c1 : memref<?x?x?x?x?x?xf64>
  %c = memref.dim %x, %c2 : memref<?x?x?x?x?x?xf64>
  %d = memref.dim %x, %c3 : memref<?x?x?x?x?x?xf64>
  %e = memref.dim %x, %c4 : memref<?x?x?x?x?x?xf64>
  %f = memref.dim %x, %c5 : memref<?x?x?x?x?x?xf64>
  %t = memref.alloc(%a, %b, %c, %d, %e, %f) : memref<?x?x?x?x?x?xf64>
  linalg.exp ins(%x : memref<?x?x?x?x?x?xf64>) outs(%t : memref<?x?x?x?x?x?xf64>)
  linalg.abs ins(%t : memref<?x?x?x?x?x?xf64>) outs(%out : memref<?x?x?x?x?x?xf64>)
  memref.dealloc %t : memref<?x?x?x?x?x?xf64>
  return
}

// -----

// Kernels are not planned, so they get no assertions.
// CHECK-LABEL: gpu.func @kernel
// CHECK-NOT:     cf.assert
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @kernel(%x: memref<?xf32> {memplan.dim_bounds = array<i64: 1, 8, 1>}) kernel {
    %c0 = arith.constant 0 : index
    %n = memref.dim %x, %c0 : memref<?xf32>
    %a = memref.alloca(%n) : memref<?xf32>
    %v = memref.load %x[%c0] : memref<?xf32>
    memref.store %v, %a[%c0] : memref<?xf32>
    gpu.return
  }
}
}

// -----

// The constant part of the size is 2^64 bytes, not 0.
// REMARK: Function=wraps{{.*}}b0 not planned: it needs more than 2^48 bytes
// CHECK-LABEL: func.func @wraps
// CHECK:         memref.alloc(
func.func @wraps(%n: index, %x: memref<?x4611686018427387904xf32>) {
  %a = memref.alloc(%n) : memref<?x4611686018427387904xf32>
  linalg.exp ins(%x : memref<?x4611686018427387904xf32>) outs(%a : memref<?x4611686018427387904xf32>)
  linalg.abs ins(%a : memref<?x4611686018427387904xf32>) outs(%x : memref<?x4611686018427387904xf32>)
  return
}

// -----

// The argument has no bytes if its other extent is 0, which the third function
// excludes, and those of one element if its stride is 0.
// REMARK: Function=maybe_no_elements{{.*}}b0 not planned: it has a dynamic shape, is allocated under a condition, and may be larger than all memory that always exists
// CHECK-LABEL: func.func @maybe_no_elements
// CHECK:         memref.alloc(
func.func @maybe_no_elements(%x: memref<?x?xf32>, %out: memref<f32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %z = arith.constant 0.0 : f32
  scf.if %c {
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %out[] : memref<f32>
  }
  return
}

// -----

// REMARK: Function=one_element{{.*}}b0 not planned: it has a dynamic shape, is allocated under a condition
// CHECK-LABEL: func.func @one_element
// CHECK:         memref.alloc(
func.func @one_element(%x: memref<?xf32, strided<[?]>>, %out: memref<f32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32, strided<[?]>>
  %z = arith.constant 0.0 : f32
  scf.if %c {
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %out[] : memref<f32>
  }
  return
}

// -----

// CHECK-LABEL: func.func @has_elements
// CHECK-NOT:     memref.alloc({{.*}} : memref<?xf32>
// CHECK:         return
func.func @has_elements(%x: memref<?x?xf32> {memplan.dim_bounds = array<i64: 0, 1000000, 1, 1, 1000000, 1>}, %out: memref<f32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x?xf32>
  %z = arith.constant 0.0 : f32
  scf.if %c {
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%z : f32) outs(%a : memref<?xf32>)
    %v = memref.load %a[%c0] : memref<?xf32>
    memref.store %v, %out[] : memref<f32>
  }
  return
}

// -----

// What contradicts itself is no fact.
// REMARK: Function=contradiction{{.*}}b0 not planned
// CHECK-LABEL: func.func @contradiction
func.func @contradiction(%b: index, %x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %isPositive = arith.cmpi sge, %b, %c1 : index
  cf.assert %isPositive, "not positive"
  %isNot = arith.cmpi sle, %b, %c0 : index
  cf.assert %isNot, "positive"
  scf.for %i = %c0 to %c8 step %c1 {
    %n = arith.divui %i, %b : index
    %a = memref.alloc(%n) : memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
    linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// -----

// A workspace for small inputs alone: for large ones there is no such memory.
// REMARK: Function=workspace{{.*}}b0 not planned: it has a dynamic shape, is allocated under a condition, and may be larger than all memory that always exists
// REMARK: Function=small_workspace{{.*}}b0 planned at offset
// REMARK: Function=in_loop{{.*}}b0 planned at offset
func.func @workspace(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %isSmall = arith.cmpi ule, %n, %c64 : index
  scf.if %isSmall {
    %a = memref.alloc(%n) : memref<?x17xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?x17xf32>)
    %v = memref.load %a[%c0, %c0] : memref<?x17xf32>
    memref.store %v, %x[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?x17xf32>
  }
  return
}
func.func @small_workspace(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %isSmall = arith.cmpi ule, %n, %c64 : index
  scf.if %isSmall {
    %a = memref.alloc(%n) : memref<?x16xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?x16xf32>)
    %v = memref.load %a[%c0, %c0] : memref<?x16xf32>
    memref.store %v, %x[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?x16xf32>
  }
  return
}
func.func @in_loop(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%n) : memref<?x17xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<?x17xf32>)
    %v = memref.load %a[%c0, %c0] : memref<?x17xf32>
    memref.store %v, %x[%c0] : memref<?xf32>
    memref.dealloc %a : memref<?x17xf32>
  }
  return
}
