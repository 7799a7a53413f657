// The picture of docs/lifetimes.md.
// RUN: memplan-opt %s --memplan-extract | FileCheck %s

// CHECK: memplan.buffer @b0 {{.*}} live {{\[\[}}2, 5)]
// CHECK: memplan.buffer @b1 {{.*}} live {{\[\[}}8, 10)]
// CHECK: memplan.buffer @b2 {{.*}} live {{\[\[}}7, 8)]
func.func @picture(%cond: i1, %f: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  scf.if %cond {
    %x = memref.load %a[%i] : memref<16xf32>
  } else {
    %c = memref.alloc() : memref<16xf32>
    memref.store %f, %c[%i] : memref<16xf32>
    memref.store %f, %b[%i] : memref<16xf32>
    %y = memref.load %b[%i] : memref<16xf32>
  }
  return
}
