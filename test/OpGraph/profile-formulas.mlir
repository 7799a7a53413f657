// Unknown sizes are formulas over the extents of arguments, and numbers by
// hints; the peak is given as both.
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile -o /dev/null 2>&1 | FileCheck %s
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile="function=tensors format=json output=-" -o /dev/null | FileCheck %s --check-prefix=JSON
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile="function=memrefs dim-hint=10" -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER

// 100 x 16 floats: the argument and two results, and a result with 8 more rows.
// CHECK-LABEL: graph: tensors
// CHECK-NEXT: peak: 19 712 bytes
// CHECK-NEXT: = 192 * arg0_d0 + 512, under the hints given
// CHECK: bytes {{ *}}formula {{ *}}storage
// CHECK: 6 912 {{ *}}64 * arg0_d0 + 512
// CHECK: 6 400 {{ *}}64 * arg0_d0
// JSON: "peak_bytes": 19712,
// JSON: "peak_formula": "192 * arg0_d0 + 512"
// JSON: "origin": "input", "bytes": 6400, "formula": "64 * arg0_d0"
func.func @tensors(%x: tensor<?x16xf32> {memplan.dim_hints = array<i64: 100, 0>}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %y = linalg.exp ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %p = tensor.pad %y low[8, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x16xf32> to tensor<?x16xf32>
  return %p : tensor<?x16xf32>
}

// @out has the default hint of 1; two allocations with 2 x 6400 bytes are live.
// CHECK-LABEL: graph: memrefs
// CHECK-NEXT: peak: 19 392 bytes
// CHECK-NEXT: = 192 * arg0_d0 + 64 * arg1_d0 + 128, under the hints given
// OTHER: peak: 19 968 bytes
func.func @memrefs(%x: memref<?x16xf32> {memplan.dim_hints = array<i64: 100, 0>}, %out: memref<?x16xf32>, %other: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %y = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%y : memref<?x16xf32>)
  %z = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%y : memref<?x16xf32>) outs(%z : memref<?x16xf32>)
  memref.copy %z, %out : memref<?x16xf32> to memref<?x16xf32>
  return
}

// A callee is analysed with the sizes of each call. With @x of 100 rows it
// makes two results of 6400 bytes, one of which is returned; the other is
// scratch. With @y of 8 rows the same are constants.
// CHECK-LABEL: graph: callee
// CHECK-NEXT: peak: 192 bytes
// CHECK-LABEL: graph: caller
// CHECK-NEXT: peak: 19 776 bytes
// CHECK-NEXT: = 192 * arg0_d0 + 64 * arg2_d0 + 512, under the hints given
// CHECK: 6 400 {{ *}}64 * arg0_d0 {{ *}}p3.result0
// CHECK: 6 400 {{ *}}64 * arg0_d0 {{ *}}(scratch) {{ *}}op
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile="function=caller entries" -o /dev/null 2>&1 | FileCheck %s --check-prefix=CALLS
// CALLS: allocate {{ *}}p3 {{ *}}func.call {{ *}}19776 {{ *}}6400 {{ *}}p3.result0
// CALLS: allocate {{ *}}p7 {{ *}}func.call {{ *}}8000 {{ *}}512 {{ *}}p7.result0
func.func private @callee(%x: memref<?x16xf32>, %n: index) -> memref<?x16xf32> {
  %t = memref.alloc(%n) : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%t : memref<?x16xf32>)
  %u = memref.alloc(%n) : memref<?x16xf32>
  linalg.abs ins(%t : memref<?x16xf32>) outs(%u : memref<?x16xf32>)
  memref.dealloc %t : memref<?x16xf32>
  return %u : memref<?x16xf32>
}
func.func @caller(%x: memref<?x16xf32> {memplan.dim_hints = array<i64: 100, 0>}, %y: memref<8x16xf32>, %out: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = call @callee(%x, %n) : (memref<?x16xf32>, index) -> memref<?x16xf32>
  memref.copy %a, %out : memref<?x16xf32> to memref<?x16xf32>
  memref.dealloc %a : memref<?x16xf32>
  %z = memref.cast %y : memref<8x16xf32> to memref<?x16xf32>
  %b = call @callee(%z, %c8) : (memref<?x16xf32>, index) -> memref<?x16xf32>
  memref.dealloc %b : memref<?x16xf32>
  return
}

// A loop needs one tensor in addition to the carried ones, a branch the larger
// of its regions in addition to the result: 2 x 6400 or 6400 + 4096, by the
// sizes.
// CHECK-LABEL: graph: regions
// CHECK-NEXT: peak: 25 600 bytes
// CHECK-NEXT: = 192 * arg0_d0 + max(64 * arg0_d0, 4096), under the hints given
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile="function=regions format=json output=-" -o /dev/null | FileCheck %s --check-prefix=REGIONS
// REGIONS: "name": "scf.for"{{.*}}"scratch_bytes": 6400, "scratch_formula": "64 * arg0_d0"
// REGIONS: "name": "scf.if"{{.*}}"scratch_bytes": 6400, "scratch_formula": "max(64 * arg0_d0, 4096)"
// An op graph has the formulas.
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-export-graph="function=regions output=%t.json" -o /dev/null
// RUN: memplan-graph profile %t.json --format=json | FileCheck %s --check-prefix=REGIONS
func.func @regions(%x: tensor<?x16xf32> {memplan.dim_hints = array<i64: 100, 0>}, %k: index, %c: i1) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%v = %x) -> tensor<?x16xf32> {
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %a = linalg.exp ins(%v : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %b = linalg.add ins(%a, %v : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %b : tensor<?x16xf32>
  }
  %s = scf.if %c -> tensor<?x16xf32> {
    %e = tensor.empty(%n) : tensor<?x16xf32>
    %a = linalg.exp ins(%r : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    %b = linalg.matmul ins(%a, %a : tensor<?x16xf32>, tensor<?x16xf32>) outs(%r : tensor<?x16xf32>) -> tensor<?x16xf32>
    scf.yield %b : tensor<?x16xf32>
  } else {
    %e = tensor.empty() : tensor<64x16xf32>
    %z = arith.constant 0.0 : f32
    %a = linalg.fill ins(%z : f32) outs(%e : tensor<64x16xf32>) -> tensor<64x16xf32>
    %b = tensor.insert_slice %a into %r[0, 0] [64, 16] [1, 1] : tensor<64x16xf32> into tensor<?x16xf32>
    scf.yield %b : tensor<?x16xf32>
  }
  return %s : tensor<?x16xf32>
}

// Sizes that depend on the iteration count as in the iteration with the most
// bytes: 7 rows in the last one of the first loop, a full tile of 4 in the
// first one of the second loop, whose last tile has 2.
// CHECK-LABEL: graph: iterations
// CHECK-NEXT: peak: 6 848 bytes
// CHECK-NEXT: = 64 * s{{[0-9]+}} + 6400, under the hints given
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile="function=iterations entries" -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAST
// LAST: allocate {{ *}}o0 {{ *}}scf.for {{ *}}{{[0-9]+}} {{ *}}448
// LAST: allocate {{ *}}o1 {{ *}}scf.for {{ *}}{{[0-9]+}} {{ *}}256
func.func @iterations(%x: tensor<100x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c98 = arith.constant 98 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %e = tensor.empty(%i) : tensor<?x16xf32>
    %s = tensor.extract_slice %x[0, 0] [%i, 16] [1, 1] : tensor<100x16xf32> to tensor<?x16xf32>
    %a = linalg.exp ins(%s : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    "foreign.use"(%a) : (tensor<?x16xf32>) -> ()
  }
  scf.for %i = %c0 to %c98 step %c4 {
    %m = affine.min affine_map<(d0) -> (4, -d0 + 98)>(%i)
    %e = tensor.empty(%m) : tensor<?x16xf32>
    %s = tensor.extract_slice %x[%i, 0] [%m, 16] [1, 1] : tensor<100x16xf32> to tensor<?x16xf32>
    %a = linalg.exp ins(%s : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
    "foreign.use"(%a) : (tensor<?x16xf32>) -> ()
  }
  return
}

// The condition of a while loop forwards its arguments to the body and the
// results.
// CHECK-LABEL: graph: while
// CHECK-NEXT: peak: 36 bytes
// CHECK-NEXT: = 12 * arg0_d0, under the hints given
// RUN: memplan-opt %s --allow-unregistered-dialect --memplan-profile="function=while dim-hint=3 exclude=input" -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHILE
// WHILE: = {{[0-9]+}} * arg0_d0, under the hints given
func.func @while(%x: tensor<?xf32> {memplan.dim_hints = array<i64: 3>}, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%v = %x, %i = %c0) : (tensor<?xf32>, index) -> (tensor<?xf32>, index) {
    %c = arith.cmpi slt, %i, %k : index
    scf.condition(%c) %v, %i : tensor<?xf32>, index
  } do {
  ^bb0(%v: tensor<?xf32>, %i: index):
    %n = tensor.dim %v, %c0 : tensor<?xf32>
    %e = tensor.empty(%n) : tensor<?xf32>
    %a = linalg.exp ins(%v : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %j : tensor<?xf32>, index
  }
  return %r#0 : tensor<?xf32>
}

// Sizes that do not fit into 64 bits have no formula; the number is reported.
// CHECK-LABEL: graph: huge
// CHECK-NEXT: peak: 9 223 372 036 854 775 807 bytes
// CHECK-NEXT: held:
func.func @huge(%n: index {memplan.hint = 5}) {
  %c = memref.alloc(%n) : memref<?x4294967296x4294967296xf32>
  memref.dealloc %c : memref<?x4294967296x4294967296xf32>
  return
}
