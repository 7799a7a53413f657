// RUN: memplan-opt %s --memplan-verify=quiet -split-input-file -verify-diagnostics
// RUN: memplan-opt %s --memplan-lower --memplan-verify=quiet -split-input-file -verify-diagnostics

// In program order %a is dead when %b begins, but one thread may still read it
// when another writes %b.
func.func @shared_without_barrier(%x: f32, %i: index, %j: index) -> f32 {
  %arena = memplan.arena align(64) : memref<256xi8, #gpu.address_space<workgroup>>
  %a = memplan.view %arena[0] align(64) : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %y = memref.load %a[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  // expected-error @below {{shares bytes with another buffer in memory that many threads use; that a barrier lies between their uses cannot be verified}}
  %b = memplan.view %arena[0] align(64) : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %y, %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %z = memref.load %b[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  return %z : f32
}

// -----

// In a device function this holds for any memory space; here two of three
// buffers share bytes.
gpu.module @device {
  func.func @shared(%x: f32, %i: index, %arena: memref<512xi8> {memplan.arena = 64 : i64}) {
    %a = memplan.view %arena[0] align(64) : memref<512xi8> to memref<32xf32>
    memref.store %x, %a[%i] : memref<32xf32>
    %b = memplan.view %arena[128] align(64) : memref<512xi8> to memref<64xf32>
    memref.store %x, %b[%i] : memref<64xf32>
    // expected-error @below {{shares bytes with another buffer in memory that many threads use; that a barrier lies between their uses cannot be verified}}
    %c = memplan.view %arena[192] align(64) : memref<512xi8> to memref<64xf32>
    memref.store %x, %c[%i] : memref<64xf32>
    return
  }
}

// -----

// Buffers that share no byte are correct with any number of threads; in a space
// without deallocation the arena need not be released.
func.func @apart(%x: f32, %i: index, %j: index) {
  %arena = memplan.arena align(64) : memref<512xi8, #gpu.address_space<workgroup>>
  %a = memplan.view %arena[0] align(64) : memref<512xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  %b = memplan.view %arena[256] align(64) : memref<512xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %x, %b[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  return
}

// -----

func.func @shared_memory_of_spirv(%x: f32, %i: index) {
  %arena = memplan.arena align(64) : memref<256xi8, #spirv.storage_class<Workgroup>>
  %a = memplan.view %arena[0] align(64) : memref<256xi8, #spirv.storage_class<Workgroup>> to memref<64xf32, #spirv.storage_class<Workgroup>>
  memref.store %x, %a[%i] : memref<64xf32, #spirv.storage_class<Workgroup>>
  // expected-error @below {{shares bytes with another buffer in memory that many threads use; that a barrier lies between their uses cannot be verified}}
  %b = memplan.view %arena[0] align(64) : memref<256xi8, #spirv.storage_class<Workgroup>> to memref<64xf32, #spirv.storage_class<Workgroup>>
  memref.store %x, %b[%i] : memref<64xf32, #spirv.storage_class<Workgroup>>
  return
}

// -----

func.func @shared_memory_of_nvvm(%x: f32, %i: index) {
  %arena = memplan.arena align(64) : memref<256xi8, #nvvm.memory_space<shared>>
  %a = memplan.view %arena[0] align(64) : memref<256xi8, #nvvm.memory_space<shared>> to memref<64xf32, #nvvm.memory_space<shared>>
  memref.store %x, %a[%i] : memref<64xf32, #nvvm.memory_space<shared>>
  // expected-error @below {{shares bytes with another buffer in memory that many threads use; that a barrier lies between their uses cannot be verified}}
  %b = memplan.view %arena[0] align(64) : memref<256xi8, #nvvm.memory_space<shared>> to memref<64xf32, #nvvm.memory_space<shared>>
  memref.store %x, %b[%i] : memref<64xf32, #nvvm.memory_space<shared>>
  return
}

// -----

// One thread may begin the next iteration while another still reads.
func.func @placed_again_in_a_loop(%x: f32, %i: index, %j: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %arena = memplan.arena align(64) : memref<256xi8, #gpu.address_space<workgroup>>
  scf.for %k = %c0 to %n step %c1 {
    // expected-error @below {{shares bytes with another buffer in memory that many threads use; that a barrier lies between their uses cannot be verified}}
    %a = memplan.view %arena[0] align(64) : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %x, %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %y = memref.load %a[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  }
  return
}

// -----

// An empty buffer between two others hides no overlap.
func.func @shared_beside_an_empty_one(%x: f32, %i: index) {
  %arena = memplan.arena align(64) : memref<256xi8, #gpu.address_space<workgroup>>
  %a = memplan.view %arena[0] align(64) : memref<256xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  memref.store %x, %a[%i] : memref<64xf32, #gpu.address_space<workgroup>>
  %e = memplan.view %arena[64] align(64) : memref<256xi8, #gpu.address_space<workgroup>> to memref<0xf32, #gpu.address_space<workgroup>>
  // expected-error @below {{shares bytes with another buffer in memory that many threads use; that a barrier lies between their uses cannot be verified}}
  %b = memplan.view %arena[64] align(64) : memref<256xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
  memref.store %x, %b[%i] : memref<32xf32, #gpu.address_space<workgroup>>
  return
}
