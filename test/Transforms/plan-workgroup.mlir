// RUN: memplan-opt %s --memplan-plan-workgroup --memplan-verify=quiet=true -o %t
// RUN: FileCheck %s < %t
// A planned kernel is not planned again.
// RUN: memplan-opt %t --memplan-plan-workgroup | diff %t -
// RUN: memplan-opt %t --gpu-kernel-outlining --memplan-plan-workgroup --memplan-verify=quiet=true | FileCheck %s --check-prefix=OUTLINED

!wide = memref<128xf32, #gpu.address_space<workgroup>>
!narrow = memref<32xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {

// Two phases of two tiles; %b crosses the barrier. Separate tiles need 1664
// bytes; %d may have the bytes of %a, as %a is not read behind the barrier.
// CHECK-LABEL: gpu.func @two_phases
// CHECK-SAME: workgroup(%[[ARENA:.*]] : memref<1152xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%[[AT_A:.*]]][] {memplan.workgroup}
// CHECK-SAME: to memref<128xf32
// CHECK: memref.store %{{.*}}, %[[A]]
gpu.func @two_phases(%in: memref<128xf32> {llvm.noalias}, %out: memref<128xf32>)
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

// Without a barrier a thread may still use %a while another one writes %b.
// CHECK-LABEL: gpu.func @no_barrier
// CHECK-SAME: workgroup(%{{.*}} : memref<128xf32, {{.*}}>, %{{.*}} : memref<128xf32,
// CHECK-NOT: memref.view
gpu.func @no_barrier(%out: memref<128xf32>)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  %y = memref.load %a[%t] : !wide
  memref.store %y, %b[%t] : !wide
  %z = memref.load %b[%t] : !wide
  memref.store %z, %out[%t] : memref<128xf32>
  gpu.return
}

// CHECK-LABEL: gpu.func @two_barriers
// CHECK-SAME: workgroup(%{{.*}} : memref<512xi8,
gpu.func @two_barriers(%out: memref<128xf32>)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  %y = memref.load %a[%t] : !wide
  gpu.barrier
  gpu.barrier
  memref.store %y, %b[%t] : !wide
  %z = memref.load %b[%t] : !wide
  memref.store %z, %out[%t] : memref<128xf32>
  gpu.return
}

// The barrier separates %a from %b in one iteration, but nothing separates %b
// from %a in the next one.
// CHECK-LABEL: gpu.func @loop_one_barrier
// CHECK-NOT: memref.view
gpu.func @loop_one_barrier(%out: memref<128xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !wide
    %b = memref.alloc() : !wide
    %x = memref.load %out[%t] : memref<128xf32>
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    gpu.barrier
    memref.store %y, %b[%t] : !wide
    %z = memref.load %b[%t] : !wide
    memref.store %z, %out[%t] : memref<128xf32>
  }
  gpu.return
}

// CHECK-LABEL: gpu.func @loop_two_barriers
// CHECK-SAME: workgroup(%{{.*}} : memref<512xi8,
gpu.func @loop_two_barriers(%out: memref<128xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : !wide
    %b = memref.alloc() : !wide
    %x = memref.load %out[%t] : memref<128xf32>
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    gpu.barrier
    memref.store %y, %b[%t] : !wide
    %z = memref.load %b[%t] : !wide
    memref.store %z, %out[%t] : memref<128xf32>
    gpu.barrier
    memref.dealloc %a : !wide
  }
  gpu.return
}

// An attribution keeps its contents from one iteration to the next.
// CHECK-LABEL: gpu.func @loop_attributions
// CHECK-NOT: memref.view
gpu.func @loop_attributions(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %out[%t] : memref<128xf32>
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    gpu.barrier
    memref.store %y, %b[%t] : !wide
    %z = memref.load %b[%t] : !wide
    memref.store %z, %out[%t] : memref<128xf32>
    gpu.barrier
  }
  gpu.return
}

// The loop has as many iterations for all threads, but not the same number for
// each thread: the barrier does not count.
// CHECK-LABEL: gpu.func @varying_loop
// CHECK-NOT: memref.view
gpu.func @varying_loop(%out: memref<128xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %t step %c1 {
    %a = memref.alloc() : !wide
    %b = memref.alloc() : !wide
    %x = memref.load %out[%t] : memref<128xf32>
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    gpu.barrier
    memref.store %y, %b[%t] : !wide
    %z = memref.load %b[%t] : !wide
    memref.store %z, %out[%t] : memref<128xf32>
    gpu.barrier
  }
  gpu.return
}

// All threads reach the barrier, or none does. On the way without it %a and %b
// are not separated; %c is used only behind the barrier.
// CHECK-LABEL: gpu.func @uniform_condition
// CHECK-SAME: workgroup(%{{.*}} : memref<1024xi8,
gpu.func @uniform_condition(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %b: !wide, %c: !wide) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %first = arith.cmpi ult, %block, %n : index
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  scf.if %first {
    gpu.barrier
    memref.store %x, %c[%t] : !wide
    %y = memref.load %c[%t] : !wide
    memref.store %y, %out[%t] : memref<128xf32>
    gpu.barrier
  }
  memref.store %x, %b[%t] : !wide
  %z = memref.load %b[%t] : !wide
  memref.store %z, %out[%t] : memref<128xf32>
  gpu.return
}

// Only threads with the condition wait, so nothing separates the buffers.
// CHECK-LABEL: gpu.func @varying_condition
// CHECK-NOT: memref.view
gpu.func @varying_condition(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %c: !wide) kernel {
  %t = gpu.thread_id x
  %first = arith.cmpi ult, %t, %n : index
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  scf.if %first {
    gpu.barrier
    memref.store %x, %c[%t] : !wide
    %y = memref.load %c[%t] : !wide
    memref.store %y, %out[%t] : memref<128xf32>
  }
  gpu.return
}

// The two ways are taken by different threads at the same time. No path leads
// from one to the other.
// CHECK-LABEL: gpu.func @both_ways
// CHECK-NOT: memref.view
gpu.func @both_ways(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %first = arith.cmpi ult, %t, %n : index
  %x = memref.load %out[%t] : memref<128xf32>
  scf.if %first {
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    memref.store %y, %out[%t] : memref<128xf32>
  } else {
    memref.store %x, %b[%t] : !wide
    %y = memref.load %b[%t] : !wide
    memref.store %y, %out[%t] : memref<128xf32>
  }
  gpu.return
}

// The group takes one way or the other.
// CHECK-LABEL: gpu.func @one_way
// CHECK-SAME: workgroup(%{{.*}} : memref<512xi8,
gpu.func @one_way(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %first = arith.cmpi ult, %block, %n : index
  %x = memref.load %out[%t] : memref<128xf32>
  scf.if %first {
    memref.store %x, %a[%t] : !wide
    %y = memref.load %a[%t] : !wide
    memref.store %y, %out[%t] : memref<128xf32>
  } else {
    memref.store %x, %b[%t] : !wide
    %y = memref.load %b[%t] : !wide
    memref.store %y, %out[%t] : memref<128xf32>
  }
  gpu.return
}

// A thread that returns early does not reach the barrier.
// CHECK-LABEL: gpu.func @early_return
// CHECK-NOT: memref.view
gpu.func @early_return(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %first = arith.cmpi ult, %t, %n : index
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  cf.cond_br %first, ^leave, ^stay
^leave:
  gpu.return
^stay:
  gpu.barrier
  memref.store %x, %b[%t] : !wide
  %z = memref.load %b[%t] : !wide
  memref.store %z, %out[%t] : memref<128xf32>
  gpu.return
}

// The ways meet again before the barrier.
// CHECK-LABEL: gpu.func @meets_again
// CHECK-SAME: workgroup(%{{.*}} : memref<512xi8,
gpu.func @meets_again(%out: memref<128xf32>, %n: index)
    workgroup(%a: !wide, %b: !wide) kernel {
  %t = gpu.thread_id x
  %first = arith.cmpi ult, %t, %n : index
  %x = memref.load %out[%t] : memref<128xf32>
  cf.cond_br %first, ^some, ^all
^some:
  memref.store %x, %a[%t] : !wide
  cf.br ^all
^all:
  gpu.barrier
  memref.store %x, %b[%t] : !wide
  %z = memref.load %b[%t] : !wide
  memref.store %z, %out[%t] : memref<128xf32>
  gpu.return
}

// A loop counter that control flow forwards is the same for all threads; one
// that starts at the thread's number is not.
// CHECK-LABEL: gpu.func @block_loop
// CHECK-SAME: workgroup(%{{.*}} : memref<512xi8,
gpu.func @block_loop(%out: memref<128xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %go = arith.cmpi ult, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %a = memref.alloc() : !wide
  %b = memref.alloc() : !wide
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  gpu.barrier
  %y = memref.load %a[%c0] : !wide
  gpu.barrier
  memref.store %y, %b[%t] : !wide
  gpu.barrier
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  gpu.return
}

// CHECK-LABEL: gpu.func @block_loop_varying
// CHECK-NOT: memref.view
gpu.func @block_loop_varying(%out: memref<128xf32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%t : index)
^head(%i: index):
  %go = arith.cmpi ult, %i, %n : index
  cf.cond_br %go, ^body, ^end
^body:
  %a = memref.alloc() : !wide
  %b = memref.alloc() : !wide
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  gpu.barrier
  %y = memref.load %a[%c0] : !wide
  gpu.barrier
  memref.store %y, %b[%t] : !wide
  gpu.barrier
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^end:
  gpu.return
}

// Accesses through views, casts, vectors, matrices of a subgroup and copies;
// %a and %c are separated, %b is used in both phases.
// CHECK-LABEL: gpu.func @accesses
// CHECK-SAME: workgroup(%{{.*}} : memref<3072xi8,
gpu.func @accesses(%out: memref<16x16xf32>)
    workgroup(%a: memref<16x16xf32, 3>, %b: memref<16x16xf32, 3>,
              %c: memref<16x16xf32, 3>, %d: memref<16x16xf32, 3>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %sub = memref.subview %a[0, 0] [16, 8] [1, 1] : memref<16x16xf32, 3> to memref<16x8xf32, strided<[16, 1]>, 3>
  %cast = memref.cast %sub : memref<16x8xf32, strided<[16, 1]>, 3> to memref<?x8xf32, strided<[16, 1]>, 3>
  %v = vector.transfer_read %cast[%t, %c0], %zero {in_bounds = [true]} : memref<?x8xf32, strided<[16, 1]>, 3>, vector<8xf32>
  vector.transfer_write %v, %b[%t, %c0] {in_bounds = [true]} : vector<8xf32>, memref<16x16xf32, 3>
  gpu.barrier
  %m = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32, 3> -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %m, %c[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32, 3>
  memref.copy %c, %d : memref<16x16xf32, 3> to memref<16x16xf32, 3>
  memref.copy %d, %out : memref<16x16xf32, 3> to memref<16x16xf32>
  gpu.return
}

// A copy goes on until the wait, and other threads may wait until the barrier.
// CHECK-LABEL: gpu.func @copy
// CHECK-SAME: workgroup(%{{.*}} : memref<1024xi8,
// CHECK-DAG: %[[A:.*]] = memref.view %{{.*}}[%{{.*}}][] {memplan.workgroup}
gpu.func @copy(%in: memref<128xf32>, %out: memref<128xf32>)
    workgroup(%a: !wide, %b: !wide, %c: !wide) kernel {
  %t = gpu.thread_id x
  %token = nvgpu.device_async_copy %in[%t], %a[%t], 1 : memref<128xf32> to !wide
  %group = nvgpu.device_async_create_group %token
  gpu.barrier
  // The copy may not have ended.
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %b[%t] : !wide
  nvgpu.device_async_wait %group
  gpu.barrier
  memref.store %x, %c[%t] : !wide
  gpu.return
}

// Up to one group may not have ended.
// CHECK-LABEL: gpu.func @copy_not_awaited
// CHECK-NOT: memref.view
gpu.func @copy_not_awaited(%in: memref<128xf32>, %out: memref<128xf32>)
    workgroup(%a: !wide, %c: !wide) kernel {
  %t = gpu.thread_id x
  %token = nvgpu.device_async_copy %in[%t], %a[%t], 1 : memref<128xf32> to !wide
  %group = nvgpu.device_async_create_group %token
  nvgpu.device_async_wait %group {numGroups = 1 : i32}
  gpu.barrier
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %c[%t] : !wide
  gpu.return
}

// The attribution that is not planned keeps its attributes.
// CHECK-LABEL: gpu.func @kept
// CHECK-SAME: workgroup(%[[KEPT:.*]] : memref<4xf32, {{.*}}> {llvm.align = 32 : i64}, %{{.*}} : memref<512xi8, {{.*}}> {llvm.align = 64 : i64})
// CHECK: func.call @use(%[[KEPT]])
gpu.func @kept(%out: memref<128xf32>)
    workgroup(%a: !wide {llvm.align = 64 : i64},
              %k: memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 32 : i64},
              %b: !wide) kernel {
  %t = gpu.thread_id x
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  gpu.barrier
  memref.store %x, %b[%t] : !wide
  func.call @use(%k) : (memref<4xf32, #gpu.address_space<workgroup>>) -> ()
  gpu.return
}
func.func private @use(memref<4xf32, #gpu.address_space<workgroup>>)

// A function of device code that nobody calls.
// CHECK-LABEL: func.func @plain
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 16 : i64} : memref<512xi8, #gpu.address_space<workgroup>>
// CHECK-COUNT-2: memref.view %[[ARENA]]
func.func @plain(%out: memref<128xf32>) {
  %t = gpu.thread_id x
  %a = memref.alloc() : !wide
  %b = memref.alloc() : !wide
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !wide
  gpu.barrier
  memref.store %x, %b[%t] : !wide
  return
}
}

// Outlining does not keep the alignment, as a launch cannot state it.
// OUTLINED: gpu.func @launch_kernel
// OUTLINED-SAME: memref<512xi8, #gpu.address_space<workgroup>> {llvm.align = 128 : i64}
// CHECK-LABEL: func.func @launch
// CHECK: gpu.launch {{.*}} workgroup(%[[ARENA:.*]] : memref<512xi8, #gpu.address_space<workgroup>>) {
// CHECK-COUNT-2: memref.view %[[ARENA]]
func.func @launch(%out: memref<128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
             workgroup(%a: !wide, %b: !wide) {
    %go = arith.cmpi ult, %bx, %sx : index
    %x = memref.load %out[%t] : memref<128xf32>
    scf.if %go {
      memref.store %x, %a[%t] : !wide
      gpu.barrier
      memref.store %x, %b[%t] : !wide
    }
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @launch_varying
// CHECK-NOT: memref.view
func.func @launch_varying(%out: memref<128xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1)
             workgroup(%a: !wide, %b: !wide) {
    %go = arith.cmpi ult, %t, %gx : index
    %x = memref.load %out[%t] : memref<128xf32>
    scf.if %go {
      memref.store %x, %a[%t] : !wide
      gpu.barrier
      memref.store %x, %b[%t] : !wide
    }
    gpu.terminator
  }
  return
}
