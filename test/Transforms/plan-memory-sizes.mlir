// Sizes to plan for, by the names of extents. The order that is best for all of
// them has the arena of the lower bound at each.
// RUN: memplan-opt %s --plan-memory="sizes=N=1,N=100 report=text" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: memplan-opt %s --memplan-extract="sizes=arg0_d0=7" | FileCheck %s --check-prefix=EXTRACT
// RUN: not memplan-opt %s --plan-memory="sizes=N=1,K=2" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not memplan-opt %s --plan-memory="sizes=N" 2>&1 | FileCheck %s --check-prefix=FORM

// BOTH: sizes      N = 1: bound
// BOTH-SAME: 1.0000 of the bound
// BOTH: sizes      N = 100: bound
// BOTH-SAME: 1.0000 of the bound
// The greatest sizes are planned for, too; the total names all of them.
// BOTH: greatest   N = 512: bound
// BOTH-SAME: 1.0000 of the bound
// BOTH: total: 1 arena, 64 * N bytes: 64 at N = 1, 6400 at N = 100, 32768 at N = 512; 128 without reuse at N = 1, 64 bytes saved (50.0 %); not planned 1 buffer, 40 * N bytes; 1 argument, 64 * N bytes; 1 result, 40 * N bytes
// BOTH: RAM: 104 * N bytes: 104 at N = 1, 10400 at N = 100, 53248 at N = 512; ROM: 0 bytes

// IR: memplan.dim_hints = [array<i64: 1, 0>, array<i64: 100, 0>]
// EXTRACT: memplan.problem @f {{.*}}hints = [array<i64: 7>]
// UNKNOWN: error: no dynamic dimension of an argument is named 'K'; there is N
// FORM: error: 'N' is not of the form NAME=VALUE
func.func @f(%x: memref<?x16xf32> {memplan.dim_names = ["N", ""],
                                   memplan.dim_bounds = array<i64: 0, 512, 1, 16, 16, 1>})
    -> memref<?x10xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x16xf32>
  %a = memref.alloc(%n) {alignment = 64 : i64} : memref<?x16xf32>
  linalg.exp ins(%x : memref<?x16xf32>) outs(%a : memref<?x16xf32>)
  %b = memref.alloc(%n) {alignment = 64 : i64} : memref<?x16xf32>
  linalg.abs ins(%a : memref<?x16xf32>) outs(%b : memref<?x16xf32>)
  linalg.abs ins(%b : memref<?x16xf32>) outs(%x : memref<?x16xf32>)
  %r = memref.alloc(%n) : memref<?x10xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<?x10xf32>)
  return %r : memref<?x10xf32>
}
