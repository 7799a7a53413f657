// The result of a function with an unknown body may hold the address of its
// argument in another form than a memref, which is followed.
// RUN: memplan-opt %s --plan-memory --split-input-file \
// RUN:   --remarks-filter='plan.*' -verify-diagnostics > %t
// RUN: sed s/expected-// %s | memplan-opt --split-input-file | diff %t -

func.func private @pointer(memref<16xf32>) -> !llvm.ptr
func.func private @read(!llvm.ptr)
func.func @pointer_result(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @pointer, whose result of type '!llvm.ptr' may hold its address}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %p = call @pointer(%a) : (memref<16xf32>) -> !llvm.ptr
  call @read(%p) : (!llvm.ptr) -> ()
  return
}

// -----

func.func private @tensor(memref<16xf32>) -> tensor<16xf32>
func.func @tensor_result(%x: f32, %i: index) -> tensor<16xf32> {
  // expected-remark@+1 {{b0 not planned: it is passed to @tensor, whose result of type 'tensor<16xf32>' may hold its address}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %t = call @tensor(%a) : (memref<16xf32>) -> tensor<16xf32>
  return %t : tensor<16xf32>
}

// -----

func.func private @start(memref<16xf32>) -> !async.token
func.func @token_result(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @start, whose result of type '!async.token' may hold its address}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %t = call @start(%a) : (memref<16xf32>) -> !async.token
  async.await %t : !async.token
  return
}

// -----

// The address is found in the results, not by the function's name.
func.func private @boxed(memref<16xf32>) -> memref<1xmemref<16xf32>>
func.func private @tuple(memref<16xf32>) -> tuple<index, memref<16xf32>>
func.func private @pointers(memref<16xf32>) -> vector<2x!llvm.ptr>
func.func @results_with_addresses_inside(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @boxed, whose result of type 'memref<1xmemref<16xf32>>' may hold its address}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %r = call @boxed(%a) : (memref<16xf32>) -> memref<1xmemref<16xf32>>
  // expected-remark@+1 {{b1 not planned: it is passed to @tuple, whose result of type 'tuple<index, memref<16xf32>>' may hold its address}}
  %b = memref.alloc() : memref<16xf32>
  memref.store %x, %b[%i] : memref<16xf32>
  %s = call @tuple(%b) : (memref<16xf32>) -> tuple<index, memref<16xf32>>
  // expected-remark@+1 {{b2 not planned: it is passed to @pointers, whose result of type 'vector<2x!llvm.ptr>' may hold its address}}
  %c = memref.alloc() : memref<16xf32>
  memref.store %x, %c[%i] : memref<16xf32>
  %t = call @pointers(%c) : (memref<16xf32>) -> vector<2x!llvm.ptr>
  return
}

// -----

func.func private @put(memref<16xf32>, memref<1xmemref<16xf32>>)
func.func private @enqueue(memref<16xf32>, !async.group)
func.func @operands_that_take_addresses(%x: f32, %i: index,
                                        %box: memref<1xmemref<16xf32>>,
                                        %group: !async.group) {
  // expected-remark@+1 {{b0 not planned: it is passed to @put, which may put its address in an operand of type 'memref<1xmemref<16xf32>>'}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  call @put(%a, %box) : (memref<16xf32>, memref<1xmemref<16xf32>>) -> ()
  // expected-remark@+1 {{b1 not planned: it is passed to @enqueue, which may put its address in an operand of type '!async.group'}}
  %b = memref.alloc() : memref<16xf32>
  memref.store %x, %b[%i] : memref<16xf32>
  call @enqueue(%b, %group) : (memref<16xf32>, !async.group) -> ()
  return
}

// -----

func.func @called_through_a_value(%x: f32, %i: index,
                                  %f: (memref<16xf32>) -> !llvm.ptr) {
  // expected-remark@+1 {{b0 not planned: it is passed to an unknown function, whose result of type '!llvm.ptr' may hold its address}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %p = call_indirect %f(%a) : (memref<16xf32>) -> !llvm.ptr
  return
}

// -----

// The body of a callee tells whether the address escapes.
func.func private @launder(memref<16xf32>) -> !llvm.ptr
func.func private @through(%m: memref<16xf32>) -> !llvm.ptr {
  %p = call @launder(%m) : (memref<16xf32>) -> !llvm.ptr
  return %p : !llvm.ptr
}
func.func @through_a_callee(%x: f32, %i: index) {
  // expected-remark@+1 {{b0 not planned: it is passed to @through, which lets it escape: there it is passed to @launder, whose result of type '!llvm.ptr' may hold its address}}
  %a = memref.alloc() : memref<16xf32>
  memref.store %x, %a[%i] : memref<16xf32>
  %p = call @through(%a) : (memref<16xf32>) -> !llvm.ptr
  return
}
