// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<16xf32>) kernel { gpu.return }
  }
  // The kernel may still run when %b is written.
  func.func @on_a_stream(%x: f32, %n: index, %stream: !llvm.ptr) {
    %arena = memplan.arena align(64) : memref<64xi8>
    // expected-note @below {{the buffer at bytes [0, 64) of the arena}}
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    // expected-error @below {{uses asynchronously a buffer that lies in an arena}}
    gpu.launch_func <%stream : !llvm.ptr> @kernels::@k
        blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<16xf32>)
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    memplan.release %arena : memref<64xi8>
    return
  }
}

// -----

// Without a token and without a stream the kernel has ended after the op: its
// operands may be overwritten then, but not before.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%m: memref<16xf32>) kernel { gpu.return }
  }
  func.func @synchronous(%x: f32, %n: index) {
    %arena = memplan.arena align(64) : memref<64xi8>
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    gpu.launch_func @kernels::@k
        blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<16xf32>)
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    memplan.release %arena : memref<64xi8>
    return
  }
  func.func @overwritten_before(%x: f32, %n: index) {
    %arena = memplan.arena align(64) : memref<64xi8>
    // expected-note @below {{the buffer at [0, 64) is placed here}}
    %a = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
    %b = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
    // expected-note @below {{bytes [0, 64) are written here}}
    linalg.fill ins(%x : f32) outs(%b : memref<16xf32>)
    // expected-error @below {{reads buffer at bytes [0, 64) of the arena, which 'linalg.fill' through the buffer at [0, 64) has overwritten}}
    gpu.launch_func @kernels::@k
        blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<16xf32>)
    memplan.release %arena : memref<64xi8>
    return
  }
}
