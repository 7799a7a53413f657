// The frame of a worker is listed after the arena of which it is a part.
// RUN: memplan-opt %s --plan-memory="prepare=false strategy=greedy report=text" -o /dev/null \
// RUN:   2>&1 | FileCheck %s --match-full-lines --strict-whitespace

//      CHECK:arena of @main in memory space 0
// CHECK-NEXT:  strategy   greedy-by-size, optimal
// CHECK-NEXT:  buffers    1 planned, 1 not (1 of unknown size)
// CHECK-NEXT:  sum        192 bytes, the arena without reuse
// CHECK-NEXT:  bound      192 bytes, no plan of these buffers is smaller
// CHECK-NEXT:  arena      192 bytes, 1.0000 of the bound, 0 bytes saved (0.0 %)
// CHECK-NEXT:  peak       192 bytes live at point 0, {{.*}}report-workers.mlir:[[#]]:3
// CHECK-NEXT:    workers0  192 bytes at offset 0, memref<192xi8>, {{.*}}report-workers.mlir:[[#]]:3
// CHECK-NEXT:  not planned
// CHECK-NEXT:    b2  memref<?xf32>, {{.*}}report-workers.mlir:[[#]]:10: has a dynamic shape, inside an op that may run while others do
// CHECK-NEXT:frame of each of 3 workers, {{.*}}report-workers.mlir:[[#]]:3, in the arena of @main in memory space 0
// CHECK-NEXT:  strategy   greedy-by-size, optimal
// CHECK-NEXT:  buffers    2 planned, 0 not
// CHECK-NEXT:  sum        128 bytes, the arena without reuse
// CHECK-NEXT:  bound      64 bytes, no plan of these buffers is smaller
// CHECK-NEXT:  arena      64 bytes, 1.0000 of the bound, 64 bytes saved (50.0 %)
// CHECK-NEXT:  peak       64 bytes live at point 1, {{.*}}report-workers.mlir:[[#]]:5
// CHECK-NEXT:    b0  64 bytes at offset 0, memref<16xf32>, {{.*}}report-workers.mlir:[[#]]:10
// CHECK-NEXT:total: 1 arena, 192 bytes; 192 without reuse, 0 bytes saved (0.0 %); not planned 1 buffer, 1 of unknown size; 1 argument, 12 bytes
//  CHECK-NOT:frame

func.func @main(%f: f32, %n: index, %out: memref<3xf32>) {
  scf.forall (%i) in (3) {
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
    %v = memref.load %a[%n] : memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%v : f32) outs(%b : memref<16xf32>)
    %w = memref.load %b[%n] : memref<16xf32>
    memref.store %w, %out[%i] : memref<3xf32>
    %c = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%c : memref<?xf32>)
  }
  return
}
