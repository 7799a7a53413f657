// A kernel in two phases, of two tiles each. %b crosses the barrier between
// them, so three tiles are in use at once behind it:
//
//   memplan-opt kernel.mlir --memplan-plan-workgroup=report=text
//
// The four tiles need 1152 bytes of workgroup memory instead of 1664.

!wide = memref<128xf32, #gpu.address_space<workgroup>>
!narrow = memref<32xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {
  gpu.func @two_phases(%in: memref<128xf32>, %out: memref<128xf32>)
      workgroup(%a: !wide, %b: !wide, %c: !narrow, %d: !wide) kernel {
    %t = gpu.thread_id x
    %c31 = arith.constant 31 : index
    %lane = arith.andi %t, %c31 : index
    %x = memref.load %in[%t] : memref<128xf32>
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    memref.store %y, %b[%t] : !wide
    gpu.barrier
    %z = memref.load %b[%lane] : !wide
    memref.store %z, %c[%lane] : !narrow
    memref.store %z, %d[%t] : !wide
    %v = memref.load %d[%t] : !wide
    memref.store %v, %out[%t] : memref<128xf32>
    gpu.return
  }
}
