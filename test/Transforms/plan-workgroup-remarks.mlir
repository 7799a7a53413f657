// RUN: memplan-opt %s --memplan-plan-workgroup --remarks-filter=plan.* -verify-diagnostics -o /dev/null

!m = memref<128xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {

gpu.func @reasons(%out: memref<128xf32>, %n: index)
// expected-remark@+2 {{b0 not planned: it is passed to a function}}
// expected-remark@+1 {{b1 not planned: it is used by 'memref.dma_start', which may be asynchronous}}
    workgroup(%a: !m, %b: !m) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{b2 not planned: it has a dynamic shape}}
  %c = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
  %tag = memref.alloca() : memref<1xi32>
  func.call @use(%a) : (!m) -> ()
  memref.dma_start %out[%c0], %b[%c0], %c1, %tag[%c0] : memref<128xf32>, !m, memref<1xi32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // expected-remark@+1 {{b3 not planned: it is allocated inside 'scf.parallel', whose iterations may run at once}}
    %d = memref.alloc() : !m
    %x = memref.load %out[%i] : memref<128xf32>
    memref.store %x, %d[%i] : !m
  }
  gpu.return
}
func.func private @use(!m)

// expected-remark@+1 {{no two buffers of memory space #gpu.address_space<workgroup> can share bytes: they stay as they are}}
gpu.func @carried(%out: memref<128xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : !m
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (!m) {
    // expected-remark@+1 {{b1 not planned: it is allocated in a loop and carried by it}}
    %new = memref.alloc() : !m
    %x = memref.load %old[%t] : !m
    memref.store %x, %new[%t] : !m
    scf.yield %new : !m
  }
  // expected-remark@+1 {{b2 not planned: it has its pointer taken by 'memref.extract_aligned_pointer_as_index'}}
  %taken = memref.alloc() : !m
  %address = memref.extract_aligned_pointer_as_index %taken : !m -> index
  gpu.return
}

// expected-remark@+1 {{not planned: it is in workgroup memory of a function that is no kernel}}
gpu.func @helper(%out: memref<128xf32>) workgroup(%a: !m) {
  gpu.return
}

func.func @called(%out: memref<128xf32>) {
  %t = gpu.thread_id x
  // expected-remark@+1 {{not planned: it is in workgroup memory of a function that is no kernel}}
  %three = memref.alloca() : memref<64xf32, 3>
  // expected-remark@+1 {{not planned: it is in workgroup memory of a function that is no kernel}}
  %a = memref.alloc() : !m
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !m
  return
}
func.func @caller(%out: memref<128xf32>) {
  func.call @called(%out) : (memref<128xf32>) -> ()
  return
}
}
