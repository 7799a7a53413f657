// With a greatest value for each extent, buffers of dynamic shape have constant
// places: in a variable of the module, on the stack, or in memory of the caller.
// RUN: memplan-opt %s --plan-memory="dynamic=bounded lower=false require=planned" --memplan-verify=quiet=true | FileCheck %s
// RUN: memplan-opt %s --plan-memory="dynamic=bounded arena=global require=placed" --memplan-verify=quiet=true | FileCheck %s --check-prefix=GLOBAL
// RUN: memplan-opt %s --plan-memory="dynamic=bounded arena=alloca:1M require=placed" --memplan-verify=quiet=true | FileCheck %s --check-prefix=STACK
// RUN: memplan-opt %s --plan-memory="dynamic=bounded arena=argument" --memplan-verify=quiet=true | FileCheck %s --check-prefix=ARGUMENT
// RUN: memplan-opt %s --memplan-extract=dynamic=bounded --memplan-solve --memplan-materialize --memplan-verify=quiet=true --memplan-lower > %t
// RUN: memplan-opt %s --plan-memory=dynamic=bounded | diff %t -
// RUN: memplan-opt %s --plan-memory=dynamic=bounded --plan-memory=dynamic=bounded | diff %t -

// The second buffer is larger for all extents. The sum of both is in its place.
// CHECK-LABEL: func.func @two(
// CHECK:         %[[ARENA:.*]] = memplan.arena align(64) : memref<98304xi8>
// CHECK:         cf.assert
// CHECK:         memplan.view %[[ARENA]][{{[0-9]+}}](%{{.*}}) align(64) : memref<98304xi8> to memref<?x64xf32>
// CHECK:         memplan.view %[[ARENA]][{{[0-9]+}}](%{{.*}}) align(64) : memref<98304xi8> to memref<?x128xf32>
// GLOBAL:      memref.global "private" @memplan_arena_two : memref<98304xi8> = uninitialized
// STACK-LABEL: func.func @two(
// STACK:         memref.alloca() {{.*}} : memref<98304xi8>
// ARGUMENT:    func.func @two({{.*}}, %{{.*}}: memref<98304xi8> {memplan.arena = 64 : i64})
func.func @two(%x: memref<?x64xf32> {memplan.dim_bounds = array<i64: 1, 128, 1, 0, -1, 1>},
               %y: memref<?x128xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x64xf32>
  %a = memref.alloc(%n) : memref<?x64xf32>
  linalg.exp ins(%x : memref<?x64xf32>) outs(%a : memref<?x64xf32>)
  %b = memref.alloc(%n) : memref<?x128xf32>
  linalg.exp ins(%y : memref<?x128xf32>) outs(%b : memref<?x128xf32>)
  linalg.abs ins(%a : memref<?x64xf32>) outs(%x : memref<?x64xf32>)
  linalg.abs ins(%b : memref<?x128xf32>) outs(%y : memref<?x128xf32>)
  return
}

// Sizes that are computed from bounded extents are bounded, also those of one
// iteration. Each iteration of the parallel loop has a frame.
// CHECK-LABEL: func.func @computed(
// CHECK-NOT:     memref.alloc
// GLOBAL-LABEL: func.func @computed(
// GLOBAL-NOT:     memref.alloc
func.func @computed(%x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 63, 1>}, %i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %half = affine.apply affine_map<(n) -> (n ceildiv 2)>(%n)
  %a = memref.alloc(%half) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<?xf32>)
  scf.for %k = %c0 to %n step %c16 {
    %tile = affine.min affine_map<(k, n) -> (16, n - k)>(%k, %n)
    %t = memref.alloc(%tile) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%t : memref<?xf32>)
    %v = memref.load %t[%c0] : memref<?xf32>
    memref.store %v, %x[%k] : memref<?xf32>
  }
  scf.parallel (%k) = (%c0) to (%c4) step (%c1) {
    %t = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%one : f32) outs(%t : memref<?xf32>)
    %v = memref.load %t[%k] : memref<?xf32>
    memref.store %v, %x[%k] : memref<?xf32>
  }
  %v = memref.load %a[%i] : memref<?xf32>
  memref.store %v, %x[%i] : memref<?xf32>
  return
}
