// With scope=module, a callee whose arena has no constant size keeps its own, and a
// remark says so. With bounds of its extents it has a place in that of its caller.
// RUN: memplan-opt %s --plan-memory=scope=module --memplan-verify=quiet=true --remarks-filter=plan.* 2>&1 | FileCheck %s
// RUN: memplan-opt %s --plan-memory="scope=module dynamic=bounded" --memplan-verify=quiet=true --remarks-filter=plan.* 2>&1 | FileCheck %s --check-prefix=BOUNDED

// CHECK: ArenaNotShared {{.*}} Function=inner {{.*}}allocates an arena of its own: its size is known only when the program runs
// CHECK:       module {
// CHECK:         func.func private @inner(
// CHECK:         memref.alloc(%{{.*}}) {{.*}}memplan.arena
// BOUNDED-NOT: ArenaNotShared
// BOUNDED:     module {
// BOUNDED:       func.func private @inner(
// BOUNDED-SAME:    memref<256xi8> {memplan.arena = 64 : i64}
// BOUNDED-NOT:     memref.alloc
// BOUNDED:       func.func @outer(
func.func private @inner(%x: memref<?xf32> {memplan.dim_bounds = array<i64: 0, 64, 1>}) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
  memref.dealloc %a : memref<?xf32>
  return
}

func.func @outer(%x: memref<?xf32>) {
  call @inner(%x) : (memref<?xf32>) -> ()
  return
}
