// RUN: memplan-opt %s --plan-memory="require=verified in-place=false" | FileCheck %s
// RUN: memplan-opt %s --plan-memory="require=verified in-place=false" \
// RUN:   --buffer-deallocation-pipeline | FileCheck %s --check-prefix=FREED
// RUN: memplan-opt %s --plan-memory="require=verified lower=false in-place=false" \
// RUN:   --buffer-deallocation-pipeline --memplan-lower \
// RUN:   | FileCheck %s --check-prefix=FREED

// If the program frees nothing in a memory space, planning does not release the
// arena of this space; upstream's deallocation passes, run later, free it.

// CHECK-LABEL: func @space_one
// CHECK: memref.alloc() {alignment = 64 : i64, memplan.arena} : memref<128xi8, 1>
// CHECK-NOT: memref.dealloc
// CHECK: return
// FREED-LABEL: func @space_one
// FREED: %[[ARENA:.*]] = memref.alloc() {{.*}}memplan.arena
// FREED: memref.dealloc
// FREED-NOT: memref.dealloc
// FREED: return
func.func @space_one(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32, 1>
  %b = memref.alloc() : memref<16xf32, 1>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32, 1>)
  linalg.abs ins(%a : memref<16xf32, 1>) outs(%b : memref<16xf32, 1>)
  linalg.exp ins(%b : memref<16xf32, 1>) outs(%out : memref<16xf32>)
  return
}
