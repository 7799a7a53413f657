// A module whose data layout gives index 32 bits, for which upstream's passes
// need an option. No cast between the two widths is left.
// RUN: memplan-opt %s --memplan-to-llvm | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-to-llvm | FileCheck %s
// RUN: memplan-opt %s --plan-memory --memplan-to-llvm | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.func @f({{.*}} i32
// CHECK-NOT: unrealized_conversion_cast
// IR: define void @f({{.*}}i32
// IR-NOT: i64
// IR: ret void
module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @f(%x: memref<8xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.alloc() : memref<8xf32>
    linalg.exp ins(%x : memref<8xf32>) outs(%a : memref<8xf32>)
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %a[%i] : memref<8xf32>
      memref.store %v, %x[%i] : memref<8xf32>
    }
    return
  }
}
