// RUN: memplan-opt %s --plan-memory="prepare=false scope=module entry-points=main,old" \
// RUN:   --verify-diagnostics | FileCheck %s

// A wrong plan from an earlier run does not prevent the planning of other
// functions; it is not changed.
// CHECK-LABEL: func.func @old
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<64xi8>
func.func @old(%o: memref<8xi64>) {
  %arena = memplan.arena align(64) : memref<64xi8>
  %x = memplan.view %arena[0] align(64) : memref<64xi8> to memref<8xi64>
  memref.copy %x, %o : memref<8xi64> to memref<8xi64>
  memplan.release %arena : memref<64xi8>
  return
}

// CHECK-LABEL: func.func private @callee
// CHECK-SAME: memref<64xi8> {memplan.arena = 64 : i64}
// CHECK-NOT: memref.alloc
func.func private @callee(%o: memref<8xi64>, %k: i64) {
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%t : memref<8xi64>)
  memref.copy %t, %o : memref<8xi64> to memref<8xi64>
  return
}

// CHECK-LABEL: func.func @main
// CHECK: memref.alloc() {{.*}}memplan.arena{{.*}} : memref<128xi8>
// CHECK-NOT: memref.alloc
func.func @main(%o: memref<8xi64>, %k: i64) {
  %a = memref.alloc() : memref<8xi64>
  call @callee(%a, %k) : (memref<8xi64>, i64) -> ()
  memref.copy %a, %o : memref<8xi64> to memref<8xi64>
  return
}
