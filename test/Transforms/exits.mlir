// Every exit of a function releases its arena, also llvm.return; blocks that
// are never reached release nothing.
// RUN: memplan-opt %s --plan-memory=lower=false | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-verify

// CHECK-LABEL: func.func @llvm_return
// CHECK: %[[ARENA:.*]] = memplan.arena
// CHECK: memplan.release %[[ARENA]]
// CHECK-NEXT: return
// CHECK: memplan.release %[[ARENA]]
// CHECK-NEXT: llvm.return
// CHECK-NOT: memplan.release
// CHECK: llvm.unreachable
func.func @llvm_return(%k: i32, %x: f32, %i: index) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  memref.dealloc %a : memref<16xf32>
  cf.switch %k : i32, [
    default: ^returns,
    1: ^llvm_returns,
    2: ^never
  ]
^returns:
  return
^llvm_returns:
  llvm.return
^never:
  llvm.unreachable
}

// CHECK-LABEL: func.func @llvm_return_of_a_number
// CHECK: memplan.release
// CHECK-NEXT: llvm.return %{{.*}} : i32
func.func @llvm_return_of_a_number(%k: i32, %x: f32, %i: index) -> i32 {
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  llvm.return %k : i32
}
