// A kernel launch without a token and without a stream has ended after the op,
// so it uses its operands only there. On a stream, the end of the kernel is
// unknown.
// RUN: memplan-opt %s --plan-memory="lower=false" -verify-diagnostics --split-input-file \
// RUN:   --remarks-filter='plan.*' | FileCheck %s
// RUN: memplan-opt %s --plan-memory="callee-trust=none" --split-input-file | \
// RUN:   FileCheck %s --check-prefix=NO-TRUST
// NO-TRUST-NOT: memplan.arena

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<16xf32>) kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @synchronous
  // CHECK: %[[ARENA:.*]] = memplan.arena align(64) : memref<64xi8>
  // CHECK: memplan.view %[[ARENA]][0]
  // CHECK: memplan.view %[[ARENA]][0]
  // expected-remark@+1 {{ArenaBytes=64}}
  func.func @synchronous(%x: f32, %n: index) {
    // expected-remark@+1 {{b0 planned at offset 0}}
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%a : memref<16xf32>)
    // expected-remark@+1 {{b1 planned at offset 0}}
    %b = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
        args(%b : memref<16xf32>)
    return
  }
}

// -----

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<16xf32>) kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @on_a_stream
  // CHECK-NOT: memplan
  func.func @on_a_stream(%x: f32, %n: index, %stream: !llvm.ptr) {
    // expected-remark@+1 {{b0 not planned: it is used by 'gpu.launch_func' on a stream, and nothing says when it has finished}}
    %a = memref.alloc() : memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@k
        blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<16xf32>)
    return
  }
}
