// Allocations of gpu.alloc get separate arenas: one on the device, one shared
// with the host. Allocations that need tokens, or are freed otherwise, are
// unchanged.
//
// RUN: memplan-opt %s --memplan-raise-gpu-alloc \
// RUN:   --plan-memory --memplan-lower \
// RUN:   --memplan-restore-gpu-alloc --canonicalize | FileCheck %s
//
// Without a plan, raising and restoring change nothing.
// RUN: memplan-opt %s -o %t.before
// RUN: memplan-opt %s --memplan-raise-gpu-alloc --memplan-restore-gpu-alloc \
// RUN:   -o %t.after
// RUN: diff %t.before %t.after
//
// Allocations that are not raised get a remark.
// RUN: memplan-opt %s --plan-memory --remark-policy=all \
// RUN:   --remark-format=emitRemark --remarks-filter=plan-memory 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=REMARK
//
// RUN: memplan-opt %s --memplan-raise-gpu-alloc --plan-memory=arena=global \
// RUN:   --remark-policy=all --remark-format=emitRemark \
// RUN:   --remarks-filter=plan-memory 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=GLOBAL
// GLOBAL: arena of @chain in memory space #memplan.gpu_alloc<device> is not placed as asked: gpu.alloc allocates it, and no variable of the host
// REMARK: is allocated on a device by 'gpu.alloc' and was not raised (memplan-raise-gpu-alloc)

module attributes {gpu.container_module} {

gpu.module @kernels {
  gpu.func @relu(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
    gpu.return
  }
}

// Four buffers of 256 bytes on the device, of which two are live at a time, and
// two shared with the host; the host's own buffers are in an arena on the heap.
//
// CHECK-LABEL: func @chain
// CHECK-DAG:     memref.alloc() {{.*}}memplan.arena{{.*}} : memref<256xi8>
// CHECK-DAG:     gpu.alloc () {memplan.arena} : memref<512xi8>
// CHECK-DAG:     gpu.alloc host_shared () {memplan.arena} : memref<256xi8>
// CHECK-NOT:     {{gpu|memref}}.alloc
// CHECK-NOT:     memory_space_cast
// CHECK:         gpu.dealloc
// CHECK:         gpu.dealloc
// CHECK-NOT:     gpu.dealloc
// CHECK:         return
func.func @chain(%in: memref<64xf32>, %out: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %host = memref.alloc() : memref<64xf32>
  memref.copy %in, %host : memref<64xf32> to memref<64xf32>
  %a = gpu.alloc () : memref<64xf32>
  gpu.memcpy %a, %host : memref<64xf32>, memref<64xf32>
  memref.dealloc %host : memref<64xf32>
  %b = gpu.alloc () : memref<64xf32>
  gpu.launch_func @kernels::@relu blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%a : memref<64xf32>, %b : memref<64xf32>)
  gpu.dealloc %a : memref<64xf32>
  %c = gpu.alloc () : memref<64xf32>
  gpu.launch_func @kernels::@relu blocks in (%c1, %c1, %c1)
      threads in (%c64, %c1, %c1) args(%b : memref<64xf32>, %c : memref<64xf32>)
  gpu.dealloc %b : memref<64xf32>
  %s = gpu.alloc host_shared () : memref<64xf32>
  gpu.memcpy %s, %c : memref<64xf32>, memref<64xf32>
  gpu.dealloc %c : memref<64xf32>
  memref.copy %s, %out : memref<64xf32> to memref<64xf32>
  gpu.dealloc %s : memref<64xf32>
  %t = gpu.alloc host_shared () : memref<64xf32>
  memref.copy %out, %t : memref<64xf32> to memref<64xf32>
  memref.copy %t, %out : memref<64xf32> to memref<64xf32>
  gpu.dealloc %t : memref<64xf32>
  return
}

// A buffer that the host may access while it is in use by the device is not
// raised.
//
// CHECK-LABEL: func @tokens
// CHECK:         gpu.alloc async () : memref<64xf32>
// CHECK:         gpu.dealloc async
func.func @tokens(%in: memref<64xf32>) {
  %a, %t0 = gpu.alloc async () : memref<64xf32>
  %t1 = gpu.memcpy async [%t0] %a, %in : memref<64xf32>, memref<64xf32>
  %t2 = gpu.dealloc async [%t1] %a : memref<64xf32>
  gpu.wait [%t2]
  return
}

// A buffer that a stream frees is not planned, and is restored.
//
// CHECK-LABEL: func @freed_by_stream
// CHECK:         gpu.alloc () : memref<64xf32>
// CHECK:         gpu.dealloc async
func.func @freed_by_stream(%in: memref<64xf32>) {
  %a = gpu.alloc () : memref<64xf32>
  gpu.memcpy %a, %in : memref<64xf32>, memref<64xf32>
  %t0 = gpu.wait async
  %t1 = gpu.dealloc async [%t0] %a : memref<64xf32>
  gpu.wait [%t1]
  return
}

// A buffer with a memory space in the program keeps it.
//
// CHECK-LABEL: func @space
// CHECK:         gpu.alloc () {memplan.arena} : memref<256xi8, 1>
func.func @space(%in: memref<64xf32>) {
  %a = gpu.alloc () : memref<64xf32, 1>
  gpu.memcpy %a, %in : memref<64xf32, 1>, memref<64xf32>
  gpu.memcpy %in, %a : memref<64xf32>, memref<64xf32, 1>
  gpu.dealloc %a : memref<64xf32, 1>
  return
}

// It is known only at run time which of the two is freed: not planned.
//
// CHECK-LABEL: func @joined
// CHECK:         gpu.alloc () : memref<64xf32>
// CHECK:         gpu.dealloc %{{.*}} : memref<64xf32>
func.func @joined(%in: memref<64xf32>, %cond: i1) {
  %a = scf.if %cond -> memref<64xf32> {
    %x = gpu.alloc () : memref<64xf32>
    scf.yield %x : memref<64xf32>
  } else {
    %x = gpu.alloc () : memref<64xf32>
    scf.yield %x : memref<64xf32>
  }
  gpu.memcpy %a, %in : memref<64xf32>, memref<64xf32>
  gpu.memcpy %in, %a : memref<64xf32>, memref<64xf32>
  gpu.dealloc %a : memref<64xf32>
  return
}

// A buffer that a loop carries: after restoring, its slots have the types of
// the program.
//
// CHECK-LABEL: func @carried
// CHECK:         gpu.alloc () {memplan.arena} : memref<512xi8>
// CHECK-NOT:     {{gpu|memref}}.alloc
// CHECK-NOT:     #memplan
// CHECK:         return
func.func @carried(%in: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = gpu.alloc () : memref<64xf32>
  gpu.memcpy %a, %in : memref<64xf32>, memref<64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<64xf32> {
    %y = gpu.alloc () : memref<64xf32>
    gpu.launch_func @kernels::@relu blocks in (%c1, %c1, %c1)
        threads in (%c64, %c1, %c1) args(%x : memref<64xf32>, %y : memref<64xf32>)
    scf.yield %y : memref<64xf32>
  }
  gpu.memcpy %in, %r : memref<64xf32>, memref<64xf32>
  return
}

}
