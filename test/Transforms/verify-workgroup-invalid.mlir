// RUN: %python %memplan_src/test/tools/changed_plans.py %s > %t.mlir
// RUN: memplan-opt %t.mlir -split-input-file --memplan-verify=quiet=true -verify-diagnostics -o /dev/null

// The kernel whose barriers the next ones break.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  memref.store %v, %a[%t] : memref<64xf32, 3>
  gpu.barrier
  %x = memref.load %a[%c0] : memref<64xf32, 3>
  memref.store %x, %out[%t] : memref<64xf32>
  gpu.barrier
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.barrier
  %y = memref.load %b[%c0] : memref<64xf32, 3>
  memref.store %y, %out[%t] : memref<64xf32>
  gpu.return
}
}

// CHANGE: The barrier between the buffers is removed.
//-  %x = memref.load %a[%c0] : memref<64xf32, 3>
//+  // expected-note@+1 {{it is used here}}
//+  %x = memref.load %a[%c0] : memref<64xf32, 3>
//-  gpu.barrier
//-  memref.store %v, %b[%t] : memref<64xf32, 3>
//+  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//+  memref.store %v, %b[%t] : memref<64xf32, 3>

// -----

// It is moved below the access.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  memref.store %v, %a[%t] : memref<64xf32, 3>
  gpu.barrier
  // expected-note@+1 {{it is used here}}
  %x = memref.load %a[%c0] : memref<64xf32, 3>
  memref.store %x, %out[%t] : memref<64xf32>
  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.barrier
  gpu.barrier
  %y = memref.load %b[%c0] : memref<64xf32, 3>
  memref.store %y, %out[%t] : memref<64xf32>
  gpu.return
}
}

// CHANGE: It is under a condition that depends on the thread.
//-  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//+  scf.if %some {
//+    gpu.barrier
//+  }
//+  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//-  gpu.barrier
//-  gpu.barrier
//+  gpu.barrier

// CHANGE: It is under a uniform condition, which may be false.
//-  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//+  scf.if %all {
//+    gpu.barrier
//+  }
//+  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//-  gpu.barrier
//-  gpu.barrier
//+  gpu.barrier

// -----

// Both are under a uniform condition.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  scf.if %all {
    memref.store %v, %a[%t] : memref<64xf32, 3>
    gpu.barrier
    %x = memref.load %a[%c0] : memref<64xf32, 3>
    memref.store %x, %out[%t] : memref<64xf32>
    gpu.barrier
    memref.store %v, %b[%t] : memref<64xf32, 3>
  }
  gpu.return
}
}

// CHANGE: Both are under a condition that depends on the thread.
//-  scf.if %all {
//+  scf.if %some {
//+    // expected-note@+1 {{it is used here}}
//-    %x = memref.load %a[%c0] : memref<64xf32, 3>
//-    memref.store %x, %out[%t] : memref<64xf32>
//-    gpu.barrier
//-    memref.store %v, %b[%t] : memref<64xf32, 3>
//+    gpu.barrier
//+    // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256): not all threads come here together}}
//+    memref.store %v, %b[%t] : memref<64xf32, 3>

// CHANGE: Some threads take one way and some the other.
//-  scf.if %all {
//+  scf.if %some {
//+    // expected-note@+1 {{it is used here}}
//-    gpu.barrier
//-    %x = memref.load %a[%c0] : memref<64xf32, 3>
//-    memref.store %x, %out[%t] : memref<64xf32>
//-    gpu.barrier
//+  } else {
//+    // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256): not all threads come here together}}

// CHANGE: The group takes one way or the other.
//-    gpu.barrier
//-    %x = memref.load %a[%c0] : memref<64xf32, 3>
//-    memref.store %x, %out[%t] : memref<64xf32>
//-    gpu.barrier
//+  } else {

// -----

// A loop with a barrier in its middle only.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  scf.for %i = %c0 to %n step %c1 {
  %a2 = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
    // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena while other threads may use the one at bytes [128, 384), and no barrier that all threads reach lies between}}
  memref.store %v, %a2[%t] : memref<64xf32, 3>
    gpu.barrier
  %b2 = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
    // expected-note@+1 {{it is used here}}
  memref.store %v, %b2[%t] : memref<64xf32, 3>
  }
  gpu.return
}
}

// -----

// A loop with barriers around both, and buffers that begin in each iteration.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  scf.for %i = %c0 to %n step %c1 {
  %a2 = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  memref.store %v, %a2[%t] : memref<64xf32, 3>
    gpu.barrier
  %x = memref.load %a2[%c0] : memref<64xf32, 3>
    gpu.barrier
  %b2 = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  memref.store %v, %b2[%t] : memref<64xf32, 3>
    gpu.barrier
  }
  gpu.return
}
}

// -----

// The same with buffers that begin in front of the loop: the contents are lost.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %v, %a[%t] : memref<64xf32, 3>
    gpu.barrier
    // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena, whose bytes have been overwritten}}
    %x = memref.load %a[%c0] : memref<64xf32, 3>
    gpu.barrier
    // expected-note@+1 {{they are overwritten here}}
    memref.store %v, %b[%t] : memref<64xf32, 3>
    gpu.barrier
  }
  gpu.return
}
}

// CHANGE: The iterations of a loop are not the same for all threads.
//-  scf.for %i = %c0 to %n step %c1 {
//+  scf.for %i = %t to %n step %c1 {
//+    // expected-note@+1 {{it is used here}}
//-    // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena, whose bytes have been overwritten}}
//-    %x = memref.load %a[%c0] : memref<64xf32, 3>
//-    gpu.barrier
//-    // expected-note@+1 {{they are overwritten here}}
//+    // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256): not all threads come here together}}

// -----

// Contents that are read later are lost.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  memref.store %v, %a[%t] : memref<64xf32, 3>
  gpu.barrier
  // expected-note@+1 {{they are overwritten here}}
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.barrier
  // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena, whose bytes have been overwritten}}
  %x = memref.load %a[%c0] : memref<64xf32, 3>
  memref.store %x, %out[%t] : memref<64xf32>
  gpu.return
}
}

// -----

// Some threads have returned.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  // expected-note@+1 {{it is used here}}
  memref.store %v, %a[%t] : memref<64xf32, 3>
  cf.cond_br %some, ^leave, ^stay
^leave:
  gpu.return
^stay:
  gpu.barrier
  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.return
}
}

// CHANGE: A copy may go on.
//-  memref.store %v, %a[%t] : memref<64xf32, 3>
//-  cf.cond_br %some, ^leave, ^stay
//-^leave:
//-  gpu.return
//-^stay:
//+  %token = nvgpu.device_async_copy %out[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, 3>
//+  %group = nvgpu.device_async_create_group %token
//-  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//+  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), to or from which an asynchronous copy may not have ended}}

// CHANGE: The thread waits for its copy, but not for the others.
//-  memref.store %v, %a[%t] : memref<64xf32, 3>
//-  cf.cond_br %some, ^leave, ^stay
//-^leave:
//-  gpu.return
//-^stay:
//+  %token = nvgpu.device_async_copy %out[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, 3>
//+  %group = nvgpu.device_async_create_group %token
//-  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}
//+  nvgpu.device_async_wait %group
//+  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), and no barrier that all threads reach lies between}}

// -----

// All threads meet again.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  cf.cond_br %some, ^some, ^all
^some:
  memref.store %v, %a[%t] : memref<64xf32, 3>
  cf.br ^all
^all:
  gpu.barrier
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.return
}
}

// CHANGE: All wait.
//-  cf.cond_br %some, ^some, ^all
//-^some:
//-  memref.store %v, %a[%t] : memref<64xf32, 3>
//-  cf.br ^all
//-^all:
//+  %token = nvgpu.device_async_copy %out[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, 3>
//+  %group = nvgpu.device_async_create_group %token
//+  nvgpu.device_async_wait %group

// -----

// One op uses both.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena while other threads may use the one at bytes [128, 384), and no barrier that all threads reach lies between}}
  memref.copy %a, %b : memref<64xf32, 3> to memref<64xf32, 3>
  gpu.return
}
}

// CHANGE: The arena is not aligned.
//-  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
//-  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
//-  // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena while other threads may use the one at bytes [128, 384), and no barrier that all threads reach lies between}}
//-  memref.copy %a, %b : memref<64xf32, 3> to memref<64xf32, 3>
//+  %c2 = arith.constant 2 : index
//+  // expected-error@+1 {{is a buffer that is not aligned to 4 bytes}}
//+  %a = memref.view %arena[%c2][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>

// CHANGE: A buffer of unknown place.
//-  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
//-  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
//-  // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena while other threads may use the one at bytes [128, 384), and no barrier that all threads reach lies between}}
//-  memref.copy %a, %b : memref<64xf32, 3> to memref<64xf32, 3>
//+  // expected-error@+1 {{is a buffer of unknown place or size}}
//+  %a = memref.view %arena[%n][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>

// CHANGE: The arena is used otherwise.
//-  // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena while other threads may use the one at bytes [128, 384), and no barrier that all threads reach lies between}}
//-  memref.copy %a, %b : memref<64xf32, 3> to memref<64xf32, 3>
//+  // expected-error@+1 {{uses an arena of workgroup memory other than by a view}}
//+  %z = memref.load %arena[%t] : memref<384xi8, 3>

// CHANGE: The address escapes.
//-  // expected-error@+1 {{accesses the buffer at bytes [0, 256) of the arena while other threads may use the one at bytes [128, 384), and no barrier that all threads reach lies between}}
//-  memref.copy %a, %b : memref<64xf32, 3> to memref<64xf32, 3>
//+  // expected-error@+1 {{keeps a buffer of workgroup memory}}
//+  %z = memref.extract_aligned_pointer_as_index %a : memref<64xf32, 3> -> index

// -----

// The buffer is behind the end of the arena.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<380xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %block = gpu.block_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %some = arith.cmpi ult, %t, %n : index
  %all = arith.cmpi ult, %block, %n : index
  // expected-error@+1 {{is not inside of its arena of 380 bytes}}
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<380xi8, 3> to memref<64xf32, 3>
  gpu.return
}
}

// -----

// A function that others call: some threads only may enter it.
// expected-error@+1 {{is no kernel that all threads enter together}}
func.func @called(%v: f32) {
  %arena = memref.alloc() {alignment = 16 : i64} : memref<256xi8, 3>
  %c0 = arith.constant 0 : index
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<256xi8, 3> to memref<64xf32, 3>
  memref.store %v, %a[%c0] : memref<64xf32, 3>
  return
}
func.func @caller(%v: f32) {
  func.call @called(%v) : (f32) -> ()
  return
}

// -----

func.func @f(%m: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{attribute 'memplan.workgroup' belongs on the memref.view of a buffer in workgroup memory}}
  %x = memref.load %m[%c0] {memplan.workgroup} : memref<4xf32>
  return
}

// -----

// A copy inside of an op that the check does not look into.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  // expected-note@+1 {{it is used here}}
  scf.for %i = %c0 to %c1 step %c1 {
    %tok = nvgpu.device_async_copy %out[%t], %a[%t], 1 : memref<64xf32> to memref<64xf32, 3>
    %g = nvgpu.device_async_create_group %tok
  } {memplan.step = 0 : i64}
  gpu.barrier
  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), to or from which an asynchronous copy may not have ended}}
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.barrier
  %y = memref.load %b[%c0] : memref<64xf32, 3>
  memref.store %y, %out[%t] : memref<64xf32>
  gpu.return
}
}

// CHANGE: The same, with a wait for it.
//-  // expected-note@+1 {{it is used here}}
//-  scf.for %i = %c0 to %c1 step %c1 {
//+  scf.for %i = %c0 to %c1 step %c1 {
//-  } {memplan.step = 0 : i64}
//+    nvgpu.device_async_wait %g
//+  } {memplan.step = 0 : i64}
//-  // expected-error@+1 {{accesses the buffer at bytes [128, 384) of the arena while other threads may use the one at bytes [0, 256), to or from which an asynchronous copy may not have ended}}
//-  memref.store %v, %b[%t] : memref<64xf32, 3>
//+  memref.store %v, %b[%t] : memref<64xf32, 3>

// -----

// Asynchronous work may run behind the barrier.
gpu.module @m {
gpu.func @k(%out: memref<64xf32>, %n: index)
    workgroup(%arena: memref<384xi8, 3> {llvm.align = 16 : i64}) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %v = memref.load %out[%t] : memref<64xf32>
  %a = memref.view %arena[%c0][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %b = memref.view %arena[%c128][] {memplan.workgroup} : memref<384xi8, 3> to memref<64xf32, 3>
  %tok = async.execute {
    // expected-error@+1 {{uses in asynchronous work a buffer of workgroup memory}}
    memref.store %v, %a[%t] : memref<64xf32, 3>
    async.yield
  }
  gpu.barrier
  memref.store %v, %b[%t] : memref<64xf32, 3>
  gpu.barrier
  %y = memref.load %b[%c0] : memref<64xf32, 3>
  memref.store %y, %out[%t] : memref<64xf32>
  gpu.return
}
}
