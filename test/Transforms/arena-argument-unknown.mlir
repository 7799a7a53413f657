// In a module with an unknown op, functions keep their signatures.
// RUN: memplan-opt %s --allow-unregistered-dialect --plan-memory=arena=argument --remark-format=emitRemark --remarks-filter='plan.*' 2>&1 | FileCheck %s
// CHECK: arena of @f in memory space 0 is not placed as asked: the module has an op that is not registered and may use the symbol of its function
// CHECK-LABEL: func.func @f(%{{.*}}: memref<16xf32>, %{{.*}}: memref<16xf32>) {
// CHECK: memref.alloc() {{.*}} : memref<64xi8>
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}
"my.region"() ({
  "my.end"() : () -> ()
}) : () -> ()
