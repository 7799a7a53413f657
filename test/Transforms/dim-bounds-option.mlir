// RUN: memplan-opt %s --memplan-dim-bounds="bounds=S=1:4096:8,arg1_d0=:64" | FileCheck %s
// RUN: not memplan-opt %s --memplan-dim-bounds="bounds=T=1:2" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not memplan-opt %s --memplan-dim-bounds="bounds=S=5:4" 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not memplan-opt %s --memplan-dim-bounds="bounds=S" 2>&1 | FileCheck %s --check-prefix=FORM
// NAME: error: no dynamic dimension of an argument is named 'T'
// FORM: error: 'S{{.*}}' is not of the form NAME=LEAST:GREATEST:MULTIPLE

// CHECK:      func.func @f(
// CHECK-SAME:   %{{.*}}: memref<?x4xf32> {memplan.dim_bounds = array<i64: 1, 4096, 8, 2, 4, 1>
// CHECK-SAME:   %{{.*}}: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>}
// CHECK:        cf.assert %{{.*}}, "@f: dimension 0 of argument 0 (S) must be at least 1, at most 4096 and a multiple of 8"
// CHECK:        cf.assert %{{.*}}, "@f: dimension 0 of argument 1 must be at most 64"
func.func @f(%x: memref<?x4xf32> {memplan.dim_names = ["S", "C"],
                                  memplan.dim_bounds = array<i64: 0, 7, 1, 2, 4, 1>},
             %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x4xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  return
}
