// Live ranges across calls. A callee does not keep or free its arguments, and
// its results may be its arguments: the function-boundary rules of
// ownership-based deallocation, which are checked if the callee has a body.
// RUN: memplan-opt %s --memplan-extract --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics | FileCheck %s

func.func private @extern_read(memref<16xf32>)

// CHECK-LABEL: memplan.problem @live_across_the_call
func.func @live_across_the_call(%f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  call @extern_read(%a) : (memref<16xf32>) -> ()          // 2
  return
}

// -----

func.func private @extern_view(memref<16xf32>, memref<16xf32>) -> memref<4xf32>

// The callee is unknown: its result may be either argument.
// CHECK-LABEL: memplan.problem @result_of_a_declaration
func.func @result_of_a_declaration(%f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 5)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  %r = call @extern_view(%a, %b)
      : (memref<16xf32>, memref<16xf32>) -> memref<4xf32> // 3
  %x = memref.load %r[%i] : memref<4xf32>                 // 4
  return %x : f32
}

// -----

func.func private @second(%x: memref<16xf32>, %y: memref<16xf32>)
    -> memref<4xf32, strided<[1], offset: 2>> {
  %v = memref.subview %y[2] [4] [1]
      : memref<16xf32> to memref<4xf32, strided<[1], offset: 2>>
  return %v : memref<4xf32, strided<[1], offset: 2>>
}

// By its body, the result of the callee is a view of the second argument.
// CHECK-LABEL: memplan.problem @result_of_a_known_callee
func.func @result_of_a_known_callee(%f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}2, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  // CHECK-NEXT: @b1 {{.*}} live {{\[\[}}3, 5)]
  %b = memref.alloc() : memref<16xf32>                    // 1
  memref.store %f, %a[%i] : memref<16xf32>                // 2
  %r = call @second(%a, %b) : (memref<16xf32>, memref<16xf32>)
      -> memref<4xf32, strided<[1], offset: 2>>           // 3
  %x = memref.load %r[%i]
      : memref<4xf32, strided<[1], offset: 2>>            // 4
  return %x : f32
}

// -----

// A private callee without a body in between: summaries are computed through
// calls.
func.func private @inner(%x: memref<16xf32>) -> memref<16xf32> {
  return %x : memref<16xf32>
}
func.func private @outer(%x: memref<16xf32>) -> memref<16xf32> {
  %r = call @inner(%x) : (memref<16xf32>) -> memref<16xf32>
  return %r : memref<16xf32>
}

// CHECK-LABEL: memplan.problem @through_two_calls
func.func @through_two_calls(%f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 4)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  %r = call @outer(%a) : (memref<16xf32>) -> memref<16xf32>  // 2
  %x = memref.load %r[%i] : memref<16xf32>                // 3
  return %x : f32
}

// -----

// The callee frees its argument, so the caller cannot plan it.
func.func private @frees(%x: memref<16xf32>) {
  memref.dealloc %x : memref<16xf32>
  return
}

func.func @freed_by_the_callee(%f: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @frees, which frees it}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call @frees(%a) : (memref<16xf32>) -> ()
  return
}

// -----

// The callee stores the pointer.
func.func private @keeps(%x: memref<16xf32>, %p: memref<memref<16xf32>>) {
  memref.store %x, %p[] : memref<memref<16xf32>>
  return
}

func.func @kept_by_the_callee(%f: f32, %i: index, %p: memref<memref<16xf32>>) {
  // expected-remark@+1 {{b0 not planned: it is passed to @keeps, which lets it escape: there it is used by 'memref.store', which may keep it}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call @keeps(%a, %p) : (memref<16xf32>, memref<memref<16xf32>>) -> ()
  return
}

// -----

// The facts about functions that call each other hold at any depth: this one
// only passes its argument to itself.
func.func @recursive(%m: memref<16xf32>, %c: i1) {
  scf.if %c {
    func.call @recursive(%m, %c) : (memref<16xf32>, i1) -> ()
  }
  return
}

// CHECK-LABEL: memplan.problem @passed_into_a_recursion
func.func @passed_into_a_recursion(%c: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  call @recursive(%a, %c) : (memref<16xf32>, i1) -> ()    // 2
  return
}

// -----

// The second argument of the outermost call is the first of the next one, and
// the deepest one stores it.
func.func @stores_the_first(%x: memref<16xf32>, %y: memref<16xf32>, %t: memref<memref<16xf32>>, %c: i1) {
  scf.if %c {
    func.call @stores_the_first(%y, %y, %t, %c) : (memref<16xf32>, memref<16xf32>, memref<memref<16xf32>>, i1) -> ()
  } else {
    memref.store %x, %t[] : memref<memref<16xf32>>
  }
  return
}

func.func @kept_by_a_recursion(%m: memref<16xf32>, %t: memref<memref<16xf32>>, %c: i1, %f: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @stores_the_first, which lets it escape: there it is passed to @stores_the_first, which lets it escape: there it is used by 'memref.store', which may keep it}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call @stores_the_first(%m, %a, %t, %c) : (memref<16xf32>, memref<16xf32>, memref<memref<16xf32>>, i1) -> ()
  return
}

// -----

// The result of a recursion is the argument, which is live as long as the
// result.
func.func @gives_back(%m: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    %inner = func.call @gives_back(%m, %c) : (memref<16xf32>, i1) -> memref<16xf32>
    scf.yield %inner : memref<16xf32>
  } else {
    scf.yield %m : memref<16xf32>
  }
  return %r : memref<16xf32>
}

// It is no other memory, so it may be freed.
// CHECK-LABEL: memplan.problem @given_back_by_a_recursion
func.func @given_back_by_a_recursion(%c: i1, %f: f32, %i: index) -> f32 {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 4)]
  %a = memref.alloc() : memref<16xf32>                                  // 0
  memref.store %f, %a[%i] : memref<16xf32>                              // 1
  %r = call @gives_back(%a, %c) : (memref<16xf32>, i1) -> memref<16xf32> // 2
  %x = memref.load %r[%i] : memref<16xf32>                              // 3
  memref.dealloc %r : memref<16xf32>
  return %x : f32
}

// -----

// Two functions call each other. The result of one of them is new memory if the
// other is called, so its deallocation may free another buffer.
func.func @argument(%m: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    %inner = func.call @fresh(%m, %c) : (memref<16xf32>, i1) -> memref<16xf32>
    scf.yield %inner : memref<16xf32>
  } else {
    scf.yield %m : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func @fresh(%m: memref<16xf32>, %c: i1) -> memref<16xf32> {
  // expected-remark@+1 {{b0 not planned: it is returned}}
  %a = memref.alloc() : memref<16xf32>
  memref.copy %m, %a : memref<16xf32> to memref<16xf32>
  %r = call @argument(%a, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  return %r : memref<16xf32>
}

func.func @fresh_or_argument(%c: i1, %f: f32, %i: index) -> f32 {
  // expected-remark@+1 {{b0 not planned: it shares a deallocation with memory that is not planned}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  %r = call @argument(%a, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  %x = memref.load %r[%i] : memref<16xf32>
  memref.dealloc %r : memref<16xf32>
  return %x : f32
}

// -----

// Buffers are planned in recursive functions, too: each activation has its own
// arena.
// CHECK-LABEL: memplan.problem @local_to_a_recursion
func.func @local_to_a_recursion(%c: i1, %f: f32, %i: index) {
  // CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 6)]
  %a = memref.alloc() : memref<16xf32>                    // 0
  memref.store %f, %a[%i] : memref<16xf32>                // 1
  scf.if %c {                                             // 2
    func.call @local_to_a_recursion(%c, %f, %i)
        : (i1, f32, index) -> ()                          // 3
  }                                                       // yield: 4
  memref.store %f, %a[%i] : memref<16xf32>                // 5
  return
}

// -----

// The callee is not in this module, so it keeps nothing. A callee in the module
// may free its argument (callee-trust.mlir).
// CHECK-LABEL: memplan.problem @called_through_a_value
// CHECK-NEXT: @b0 {{.*}} live {{\[\[}}1, 3)]
func.func @called_through_a_value(%f: f32, %i: index,
                                  %fn: (memref<16xf32>) -> ()) {
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call_indirect %fn(%a) : (memref<16xf32>) -> ()
  return
}

// -----

// A coroutine returns when it is first suspended, and uses its argument later.
func.func private @resumes(%m: memref<16xf32>, %f: f32, %i: index) {
  %id = async.coro.id
  %handle = async.coro.begin %id
  %state = async.coro.save %handle
  async.coro.suspend %state, ^suspend, ^resume, ^cleanup
^resume:
  memref.store %f, %m[%i] : memref<16xf32>
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return
}

func.func @passed_to_a_coroutine(%f: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @resumes, which is a coroutine}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  call @resumes(%a, %f, %i) : (memref<16xf32>, f32, index) -> ()
  return
}
