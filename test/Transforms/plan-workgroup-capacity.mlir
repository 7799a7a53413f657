// RUN: memplan-opt %s --memplan-plan-workgroup="capacity=512 insert-barriers=needed report=text" --memplan-verify=quiet=true 2>%t.report --remarks-filter=plan.* | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.report
// RUN: FileCheck %s --check-prefix=UNKNOWN < %t.report
// RUN: not memplan-opt %s --memplan-plan-workgroup="capacity=#gpu.address_space<workgroup>:512" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not memplan-opt %s --memplan-plan-workgroup="capacity=511 insert-barriers=needed" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: not memplan-opt %s --memplan-plan-workgroup=insert-barriers=needed -o /dev/null 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: insert-barriers=needed means nothing without capacity

!m = memref<128xf32, #gpu.address_space<workgroup>>

gpu.module @kernels {

// One barrier is enough: in front of the loop, not in it.
// REPORT: barrier inserted: workgroup memory needs 512 bytes, without it 1024
// REPORT: @k
// SHORT: error: workgroup memory of @k in memory space #gpu.address_space<workgroup> requires at least 1024 bytes but its capacity is 512, 512 too few
// SHORT: note: b0, 512 bytes, is needed at the peak of 1024 bytes
// SHORT: note: b1, 512 bytes, is needed at the peak of 1024 bytes
// SHORT: note: it fits with insert-barriers=needed
// NEVER: error: workgroup memory of @k in memory space #gpu.address_space<workgroup> requires at least 512 bytes but its capacity is 511, 1 too few, even with barriers at all 5 places where one may help
// CHECK-LABEL: gpu.func @k
// CHECK-SAME: memref<512xi8
// CHECK: memref.load %{{.*}} : memref<128xf32, #gpu
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.for
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
gpu.func @k(%out: memref<128xf32>, %n: index)
    workgroup(%a: !m, %b: !m) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %out[%t] : memref<128xf32>
  memref.store %x, %a[%t] : !m
  %y = memref.load %a[%t] : !m
  scf.for %i = %c0 to %n step %c1 {
    memref.store %y, %b[%t] : !m
    %z = memref.load %b[%t] : !m
    memref.store %z, %out[%t] : memref<128xf32>
  }
  gpu.return
}

// UNKNOWN: warning: the capacity of memory space #gpu.address_space<workgroup> does not count b0 of @dynamic, whose size is not known
gpu.func @dynamic(%n: index, %f: f32) kernel {
  %a = memref.alloc(%n) : memref<?xf32, #gpu.address_space<workgroup>>
  memref.store %f, %a[%n] : memref<?xf32, #gpu.address_space<workgroup>>
  gpu.return
}
}
