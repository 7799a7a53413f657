// RUN: memplan-opt %s --plan-memory="arena=alloc,1:global,2:alloca" --memplan-verify | FileCheck %s
// RUN: memplan-opt %s --plan-memory="arena=alloca,0:alloc,1:global" | FileCheck %s --check-prefix=ZERO
// RUN: memplan-opt %s --memplan-extract --memplan-solve --memplan-materialize="arena=1:global,2:alloca" --memplan-lower --memplan-verify | FileCheck %s
// RUN: not memplan-opt %s --plan-memory="arena=2:alloca require=placed" 2>&1 | FileCheck %s --check-prefix=PLACED
// RUN: not memplan-opt %s --plan-memory="arena=1:argument" 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not memplan-opt %s --plan-memory="arena=glob" 2>&1 | FileCheck %s --check-prefix=NOSPACE
// RUN: not memplan-opt %s --plan-memory="arena=1:global,1:alloc" 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not memplan-opt %s --plan-memory="arena=argument,1:global" 2>&1 | FileCheck %s --check-prefix=ALL

// ARGUMENT: '1:argument' is no place: alloc, alloca, alloca:64K, argument or global; or alloc, alloca or global of a memory space, such as 1:global
// NOSPACE: 'glob' is no place
// TWICE: '1:global,1:alloc' names memory space 1 twice
// ALL: 'argument,1:global': argument is the place for all memory spaces

// CHECK: memref.global "private" @[[$GLOBAL:.*]] : memref<64xi8, 1> = uninitialized
// CHECK-LABEL: func.func @f
// CHECK-DAG: memref.get_global @[[$GLOBAL]] : memref<64xi8, 1>
// CHECK-DAG: memref.alloc() {{.*}} : memref<64xi8>
// CHECK-DAG: memref.alloc() {{.*}} : memref<64xi8, 2>
// ZERO-LABEL: func.func @f
// ZERO-DAG: memref.get_global @{{.*}} : memref<64xi8, 1>
// ZERO-DAG: memref.alloc() {{.*}} : memref<64xi8>
// PLACED: error: arena of @f in memory space 2 is not placed as asked: it is in memory space 2, whose stack is not known
func.func @f(%x: f32, %o: memref<16xf32>, %p: memref<16xf32, 1>, %q: memref<16xf32, 2>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32, 1>
  %c = memref.alloc() : memref<16xf32, 2>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<16xf32, 1>)
  linalg.fill ins(%x : f32) outs(%c : memref<16xf32, 2>)
  linalg.exp ins(%a : memref<16xf32>) outs(%o : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32, 1>) outs(%p : memref<16xf32, 1>)
  linalg.exp ins(%c : memref<16xf32, 2>) outs(%q : memref<16xf32, 2>)
  return
}
