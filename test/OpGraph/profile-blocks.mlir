// All functions with an op graph are profiled; a graph of blocks has one only
// on memrefs. If such a function is requested by name, it is an error.
// RUN: memplan-opt %s --memplan-profile="output=- format=csv" -o /dev/null -verify-diagnostics | FileCheck %s
// RUN: not memplan-opt %s --memplan-profile=function=blocks -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: @blocks has several blocks: an op graph is made of one block

// expected-remark @+1 {{@blocks has several blocks: an op graph is made of one block}}
func.func @blocks(%a: tensor<64xf32>, %c: i1) -> tensor<64xf32> {
  cf.cond_br %c, ^exp, ^same
^exp:
  %y = math.exp %a : tensor<64xf32>
  return %y : tensor<64xf32>
^same:
  return %a : tensor<64xf32>
}

// CHECK: start,,,256,
// CHECK: allocate,o0,math.exp,512,
func.func @straight(%a: tensor<64xf32>) -> tensor<64xf32> {
  %y = math.exp %a : tensor<64xf32>
  return %y : tensor<64xf32>
}

// CHECK: start,,,128,
// CHECK: allocate,{{p[0-9]+}},linalg.exp,192,
func.func @memrefs(%a: memref<16xf32>, %b: memref<16xf32>, %c: i1) {
  cf.cond_br %c, ^exp, ^end
^exp:
  %m = memref.alloc() : memref<16xf32>
  linalg.exp ins(%a : memref<16xf32>) outs(%m : memref<16xf32>)
  linalg.exp ins(%m : memref<16xf32>) outs(%b : memref<16xf32>)
  cf.br ^end
^end:
  return
}

// Functions of other dialects have none.
// RUN: not memplan-opt %s --memplan-profile=function=native -o /dev/null 2>&1 | FileCheck %s --check-prefix=NATIVE
// RUN: not memplan-opt %s --memplan-export-graph=function=native -o /dev/null 2>&1 | FileCheck %s --check-prefix=NATIVE
// NATIVE: error: @native is a 'llvm.func': an op graph is made of a func.func
// expected-remark @+1 {{@native is a 'llvm.func': an op graph is made of a func.func}}
llvm.func @native() {
  llvm.return
}
gpu.module @kernels {
  // expected-remark @+1 {{@kernel is a 'gpu.func': an op graph is made of a func.func}}
  gpu.func @kernel(%m: memref<4xf32>) kernel {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %m, %a : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}
