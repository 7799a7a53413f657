// A header states the sizes of a plan, so a program without one is an error.
// RUN: split-file %s %t
// RUN: not memplan-opt %t/buffers.mlir --memplan-emit-header="file=%t/none.h json-file=%t/none.json" -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not cat %t/none.h %t/none.json
// RUN: memplan-opt %t/buffers.mlir --memplan-extract --memplan-solve -o %t/solved.mlir
// RUN: not memplan-opt %t/solved.mlir --memplan-emit-header -o /dev/null 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: not memplan-opt %t/tensors.mlir --memplan-emit-header -o /dev/null 2>&1 | FileCheck %s --check-prefix=TENSORS
// RUN: memplan-opt %t/none.mlir --memplan-emit-header -o /dev/null | FileCheck %s --check-prefix=NONE
// BUFFERS: error: the program has no plan whose sizes a header could give: @f allocates memory; plan-memory plans it
// TENSORS: error: the program has no plan whose sizes a header could give: @f is on tensors; memplan-from-tensors plans it
// NONE: #define F_ARENA_BYTES 0

//--- buffers.mlir
func.func @f(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}

//--- tensors.mlir
func.func @f(%x: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.exp ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  return %a : tensor<16xf32>
}

//--- none.mlir
func.func @f(%x: memref<16xf32>, %y: memref<16xf32>) {
  linalg.exp ins(%x : memref<16xf32>) outs(%y : memref<16xf32>)
  return
}
