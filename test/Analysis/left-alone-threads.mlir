// Code that many threads run: program order does not tell when all of them have
// finished with a buffer, and there is no heap for an arena.
// RUN: memplan-opt %s --plan-memory --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics > %t
// RUN: sed s/expected-// %s | memplan-opt --split-input-file | diff %t -
// RUN: memplan-opt %s --plan-memory="scope=module workers=4" \
// RUN:   --split-input-file > %t.trees
// RUN: sed s/expected-// %s | memplan-opt --split-input-file | diff %t.trees -

gpu.module @device {
  func.func private @callee(%i: index, %x: f32) -> memref<16xf32> {
    // expected-remark@+1 {{b0 not planned: it is in a function that many threads run, as 'gpu.module' shows}}
    %a = memref.alloca() : memref<16xf32>
    memref.store %x, %a[%i] : memref<16xf32>
    // expected-remark@+1 {{b1 not planned: it is in a function that many threads run, as 'gpu.module' shows}}
    %b = memref.alloc() : memref<16xf32>
    return %b : memref<16xf32>
  }
  func.func @stack(%i: index, %x: f32) {
    // expected-remark@+1 {{b0 not planned: it is in a function that many threads run, as 'gpu.module' shows}}
    %a = memref.alloca() : memref<16xf32>
    memref.store %x, %a[%i] : memref<16xf32>
    %b = call @callee(%i, %x) : (index, f32) -> memref<16xf32>
    return
  }
}

// -----

// Before outlining, the ops tell that it is device code.
func.func @thread_id(%x: f32) {
  // expected-remark@+1 {{b0 not planned: it is in a function that many threads run, as 'gpu.thread_id' shows}}
  %a = memref.alloc() : memref<64xf32, 3>
  %i = gpu.thread_id x
  memref.store %x, %a[%i] : memref<64xf32, 3>
  return
}

// -----

func.func @kernel(%x: f32, %i: index) attributes {gpu.kernel} {
  // expected-remark@+1 {{b0 not planned: it is in a function that many threads run, as its attributes show}}
  %a = memref.alloca() : memref<64xf32>
  memref.store %x, %a[%i] : memref<64xf32>
  return
}

// -----

// Two buffers that are never live at once in program order: without a barrier,
// one thread reads %a while another writes %b.
func.func @workgroup(%x: f32, %i: index, %j: index, %out: memref<64xf32>) {
  // expected-remark@+1 {{b0 not planned: it is in workgroup memory, of which threads may use the bytes at different times}}
  %a = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  %y = memref.load %a[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  // expected-remark@+1 {{b1 not planned: it is in workgroup memory, of which threads may use the bytes at different times}}
  %b = memref.alloc() : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  %z = memref.load %b[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %z, %out[%i] : memref<64xf32>
  // expected-remark@+1 {{b2 not planned: it is in workgroup memory}}
  %c = memref.alloc() : memref<64xf32, #spirv.storage_class<Workgroup>>
  memref.store %z, %c[%i] : memref<64xf32, #spirv.storage_class<Workgroup>>
  // expected-remark@+1 {{b3 not planned: it is in workgroup memory}}
  %d = memref.alloc() : memref<64xf32, #nvvm.memory_space<shared>>
  memref.store %z, %d[%i] : memref<64xf32, #nvvm.memory_space<shared>>
  return
}

// -----

// Functions that a launch calls, directly or not, become device code.
func.func private @inner(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is in a function that many threads run, as 'gpu.launch' shows}}
  %a = memref.alloca() : memref<64xf32>
  memref.store %x, %a[%i] : memref<64xf32>
  return
}
func.func private @outer(%x: f32, %i: index) {
  call @inner(%x, %i) : (f32, index) -> ()
  return
}
func.func @launches(%x: f32, %n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %i = gpu.thread_id x
    func.call @outer(%x, %i) : (f32, index) -> ()
    gpu.terminator
  }
  return
}
