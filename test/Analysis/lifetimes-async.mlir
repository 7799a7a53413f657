// Live ranges of buffers that asynchronous work uses: they last until the await
// that covers the work.
// RUN: memplan-opt %s --memplan-extract --split-input-file | FileCheck %s

// In use from the start of the work to its await.
// CHECK-LABEL: memplan.problem @until_the_await
func.func @until_the_await(%i: index, %f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t = async.execute {                                    // 1
    memref.store %f, %a[%i] : memref<16xf32>
    async.yield
  }
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 4)]
  %b = memref.alloc() : memref<16xf32>                    // 2
  memref.store %f, %b[%i] : memref<16xf32>                // 3
  async.await %t : !async.token                           // 4
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}6, 7)]
  %c = memref.alloc() : memref<16xf32>                    // 5
  memref.store %f, %c[%i] : memref<16xf32>                // 6
  return
}

// -----

// %u starts when %t has ended, so awaiting %u suffices; %v does not depend on
// %t.
// CHECK-LABEL: memplan.problem @until_dependent_work
func.func @until_dependent_work(%i: index, %f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t = async.execute {                                    // 1
    memref.store %f, %a[%i] : memref<16xf32>
    async.yield
  }
  %v = async.execute {                                    // 2
    async.yield
  }
  async.await %v : !async.token                           // 3
  %u = async.execute [%t] {                               // 4
    async.yield
  }
  async.await %u : !async.token                           // 5
  return
}

// -----

// Any result of the work tells that it has ended.
// CHECK-LABEL: memplan.problem @until_its_value
func.func @until_its_value(%i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t, %v = async.execute -> !async.value<f32> {           // 1
    %x = memref.load %a[%i] : memref<16xf32>
    async.yield %x : f32
  }
  %y = async.await %v : !async.value<f32>                 // 2
  return %y : f32
}

// -----

// Through a view made in the task, and work that is started and awaited in it.
// CHECK-LABEL: memplan.problem @nested_work
func.func @nested_work(%i: index, %f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t = async.execute {                                    // 1
    %v = memref.subview %a[4] [8] [1]
        : memref<16xf32> to memref<8xf32, strided<[1], offset: 4>>
    %u = async.execute {
      memref.store %f, %v[%i]
          : memref<8xf32, strided<[1], offset: 4>>
      async.yield
    }
    async.await %u : !async.token
    async.yield
  }
  async.await %t : !async.token                           // 2
  return
}

// -----

// All work of a group has ended when the group has, which is after the loop
// that filled it.
// CHECK-LABEL: memplan.problem @until_the_group
func.func @until_the_group(%i: index, %f: f32, %n: index, %one: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %g = async.create_group %n : !async.group               // 1
  scf.for %k = %i to %n step %one {                       // 2
    %t = async.execute {                                  // 3
      memref.store %f, %a[%k] : memref<16xf32>
      async.yield
    }
    %p = async.add_to_group %t, %g : !async.token         // 4
  }                                                       // yield: 5
  async.await_all %g                                      // 6
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}8, 9)]
  %c = memref.alloc() : memref<16xf32>                    // 7
  memref.store %f, %c[%i] : memref<16xf32>                // 8
  return
}

// -----

// Both paths await it: it is in use until then on each path.
// CHECK-LABEL: memplan.problem @awaited_on_both_paths
func.func @awaited_on_both_paths(%i: index, %f: f32, %c: i1) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 4), [7, 10)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t = async.execute {                                    // 1
    memref.store %f, %a[%i] : memref<16xf32>
    async.yield
  }
  scf.if %c {                                             // 2
    async.await %t : !async.token                         // 3
    // It has the bytes of %a, as the work has ended.
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}5, 6)]
    %b = memref.alloc() : memref<16xf32>                  // 4
    memref.store %f, %b[%i] : memref<16xf32>              // 5
  } else {                                                // yield: 6
    // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}8, 9)]
    %d = memref.alloc() : memref<16xf32>                  // 7
    memref.store %f, %d[%i] : memref<16xf32>              // 8
    async.await %t : !async.token                         // 9
  }
  return
}

// -----

// The token is carried and awaited in the next iteration or after the loop: the
// buffer is in use in the whole loop, and so at the point of %b as well.
// CHECK-LABEL: memplan.problem @awaited_in_the_next_iteration
func.func @awaited_in_the_next_iteration(%i: index, %f: f32, %n: index,
                                         %one: index, %t0: !async.token) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 8)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %l = scf.for %k = %i to %n step %one                    // 1
      iter_args(%before = %t0) -> !async.token {
    // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 4)]
    %b = memref.alloc() : memref<16xf32>                  // 2
    memref.store %f, %b[%k] : memref<16xf32>              // 3
    async.await %before : !async.token                    // 4
    %t = async.execute {                                  // 5
      memref.store %f, %a[%k] : memref<16xf32>
      async.yield
    }
    scf.yield %t : !async.token                           // 6
  }
  async.await %l : !async.token                           // 7
  return
}

// -----

// The same with blocks.
// CHECK-LABEL: memplan.problem @awaited_in_a_later_block
func.func @awaited_in_a_later_block(%i: index, %f: f32, %c: i1) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3), [6, 7)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  %t = async.execute {                                    // 1
    memref.store %f, %a[%i] : memref<16xf32>
    async.yield
  }
  cf.br ^late(%t : !async.token)                          // 2
^done:
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 3
  memref.store %f, %b[%i] : memref<16xf32>                // 4
  return                                                  // 5
^late(%u: !async.token):
  async.await %u : !async.token                           // 6
  cf.br ^done
}

// -----

// Tokens of the gpu dialect: an op that depends on a token starts when it is
// ready, and an op that returns none has ended when it returns.
// CHECK-LABEL: memplan.problem @on_a_stream
func.func @on_a_stream(%f: f32, %m: memref<16xf32>) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}3, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}4, 6)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  %t0 = gpu.wait async                                    // 2
  %t1 = gpu.memset async [%t0] %a, %f : memref<16xf32>, f32   // 3
  %t2 = gpu.memcpy async [%t1] %b, %a                     // 4
      : memref<16xf32>, memref<16xf32>
  gpu.wait [%t2]                                          // 5
  // CHECK-NEXT: @b2 {{.*}} live {{\[\[}}7, 8)]
  %c = memref.alloc() : memref<16xf32>                    // 6
  memref.copy %m, %c : memref<16xf32> to memref<16xf32>   // 7
  return
}

// -----

// A callee that awaits its tasks has ended its uses of the arguments.
func.func private @starts_and_awaits(%m: memref<16xf32>, %f: f32, %i: index) {
  %t = async.execute {
    memref.store %f, %m[%i] : memref<16xf32>
    async.yield
  }
  async.await %t : !async.token
  return
}

// CHECK-LABEL: memplan.problem @awaited_by_the_callee
func.func @awaited_by_the_callee(%i: index, %f: f32) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 2)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  call @starts_and_awaits(%a, %f, %i)                     // 1
      : (memref<16xf32>, f32, index) -> ()
  return
}

// -----

// The task of an iteration still uses the carried buffer when the next
// iteration allocates: the buffers are not live one after another, although
// their names are.
// CHECK-LABEL: memplan.problem @carried_into_a_task
// CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 9)]
// CHECK-NEXT: }
// CHECK-LABEL: func.func @carried_into_a_task
func.func @carried_into_a_task(%n: index, %f: f32, %one: index,
                               %t0: !async.token) {
  %init = memref.alloc() : memref<16xf32>
  memref.store %f, %init[%n] : memref<16xf32>
  %r:2 = scf.for %k = %one to %n step %one
      iter_args(%old = %init, %before = %t0)
      -> (memref<16xf32>, !async.token) {
    %t = async.execute {
      %x = memref.load %old[%k] : memref<16xf32>
      async.yield
    }
    // Not planned.
    // CHECK: memref.alloc() : memref<16xf32>
    %new = memref.alloc() : memref<16xf32>
    memref.store %f, %new[%k] : memref<16xf32>
    async.await %before : !async.token
    scf.yield %new, %t : memref<16xf32>, !async.token
  }
  async.await %r#1 : !async.token
  return
}

// -----

// The next iteration awaits it, when the buffer that it reads has no name any
// more: the buffers of the loop are not planned.
// CHECK-LABEL: memplan.problem @carried_and_awaited_later
// CHECK-NEXT: @b0
// CHECK-NEXT: }
func.func @carried_and_awaited_later(%n: index, %f: f32, %none: !async.token) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%c0] : memref<16xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %before = %none) -> (memref<16xf32>, !async.token) {
    %b = memref.alloc() : memref<16xf32>
    memref.store %f, %b[%i] : memref<16xf32>
    async.await %before : !async.token
    %t = async.execute {
      %v = memref.load %x[%c0] : memref<16xf32>
      memref.store %v, %x[%c1] : memref<16xf32>
      async.yield
    }
    scf.yield %b, %t : memref<16xf32>, !async.token
  }
  async.await %r#1 : !async.token
  return
}
