// RUN: memplan-opt %s --plan-memory="scope=module lower=false" -allow-unregistered-dialect | FileCheck %s
// RUN: memplan-opt %s --plan-memory=scope=module -allow-unregistered-dialect -o %t.once
// RUN: memplan-opt %t.once --plan-memory=scope=module -allow-unregistered-dialect | diff %t.once -
// RUN: memplan-opt %t.once --memplan-verify -allow-unregistered-dialect -o /dev/null

// The only buffer; it is live until the call.
// CHECK-LABEL: func.func @always
// CHECK: memplan.arena align(64) : memref<32xi8>
// CHECK: call @frees_always
// CHECK-NOT: dealloc
// CHECK: return
func.func @always() {
  %a = memref.alloc() : memref<8xf32>
  call @frees_always(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_always
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: return
func.func private @frees_always(%a: memref<8xf32>) {
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
}

// It is freed through the memref that upstream's lowering makes; all of this is
// removed.
// CHECK-LABEL: func.func @base
// CHECK: memplan.arena align(64) : memref<32xi8>
func.func @base() {
  %a = memref.alloc() : memref<8xf32>
  call @frees_base(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_base
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: return
func.func private @frees_base(%a: memref<8xf32>) {
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %a : memref<8xf32> -> memref<f32>, index, index, index
  memref.dealloc %base : memref<f32>
  return
}

// The deallocation is moved up two calls; the middle function frees nothing
// itself. The dynamic buffer stays on the heap and is freed after the call.
// CHECK-LABEL: func.func @chain
// CHECK: memplan.arena align(64) : memref<32xi8>
// CHECK: memplan.view
// CHECK: call @middle
// CHECK-NOT: dealloc
// CHECK: [[D:%.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: [[C:%.*]] = memref.cast [[D]]
// CHECK: call @middle([[C]])
// CHECK-NEXT: memref.dealloc [[C]] : memref<8xf32>
func.func @chain(%n: index) {
  %a = memref.alloc() : memref<8xf32>
  call @middle(%a) : (memref<8xf32>) -> ()
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %d = memref.alloc(%unknown) : memref<?xf32>
  %c = memref.cast %d : memref<?xf32> to memref<8xf32>
  call @middle(%c) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @middle
// CHECK-NEXT: call @end
// CHECK-NEXT: return
func.func private @middle(%a: memref<8xf32>) {
  call @end(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @end
// CHECK-NEXT: linalg.abs
// CHECK-NEXT: return
func.func private @end(%a: memref<8xf32>) {
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
}

// An argument is the condition for the callee, and for the caller of a caller.
// If it is constant, the condition or the deallocation is removed.
// CHECK-LABEL: func.func @told
// CHECK-SAME: %[[OWN:[a-z0-9]+]]: i1
// CHECK: memplan.arena align(64) : memref<96xi8>
// CHECK: memplan.view %{{.*}}[0]
// CHECK: memplan.view %{{.*}}[64]
// CHECK-NOT: dealloc
// CHECK: call @frees_unless(%[[Y:[a-z0-9]+]], %[[OWN]])
// CHECK: %[[NOT:.*]] = arith.xori %[[OWN]]
// CHECK-NEXT: scf.if %[[NOT]] {
// CHECK-NEXT: memref.dealloc %[[Y]] : memref<8xf32>
// CHECK-NEXT: }
// CHECK: call @frees_unless(%[[Y]], %true
// CHECK-NOT: dealloc
// CHECK: return
func.func @told(%own: i1, %y: memref<8xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xf32>
  call @frees_unless(%a, %own) : (memref<8xf32>, i1) -> ()
  %b = memref.alloc() : memref<8xf32>
  call @frees_unless(%b, %false) : (memref<8xf32>, i1) -> ()
  scf.if %own {
    linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
    memref.dealloc %a : memref<8xf32>
  }
  call @frees_unless(%y, %own) : (memref<8xf32>, i1) -> ()
  call @frees_unless(%y, %true) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_unless
// CHECK-NOT: scf.if
// CHECK-NOT: dealloc
func.func private @frees_unless(%a: memref<8xf32>, %kept: i1) {
  %true = arith.constant true
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  %own = arith.xori %kept, %true : i1
  scf.if %own {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// The argument is removed from a list, as the others cannot be the same memory;
// the local buffer is planned.
// CHECK-LABEL: func.func @listed
// CHECK: memplan.arena align(64) : memref<96xi8>
// CHECK-NOT: dealloc
func.func @listed(%own: i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<8xf32>
  call @frees_list(%a, %true) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_list
// CHECK-NOT: dealloc
func.func private @frees_list(%a: memref<8xf32>, %own: i1) {
  %true = arith.constant true
  %b = memref.alloc() : memref<8xf32>
  linalg.abs ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%own, %true)
  return
}

// Blocks: the argument is freed once on the path to each return.
// CHECK-LABEL: func.func @blocks
// CHECK: memplan.arena align(64) : memref<32xi8>
func.func @blocks(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_in_blocks(%a, %c) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_in_blocks
// CHECK-NOT: dealloc
func.func private @frees_in_blocks(%a: memref<8xf32>, %c: i1) {
  cf.cond_br %c, ^left, ^right
^left:
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
^right:
  memref.dealloc %a : memref<8xf32>
  cf.br ^end
^end:
  return
}

// Not planned: it is not freed on one path, and the condition is not an
// argument.
// CHECK-LABEL: func.func @cannot_know
// CHECK: memref.alloc()
func.func @cannot_know() {
  %a = memref.alloc() : memref<8xf32>
  call @frees_sometimes(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_sometimes
// CHECK: memref.dealloc
func.func private @frees_sometimes(%a: memref<8xf32>) {
  %c = "test.condition"() : () -> i1
  scf.if %c {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// Not planned: it is freed in a loop that may not be entered.
// CHECK-LABEL: func.func @cannot_know_of_loops
// CHECK: memref.alloc()
func.func @cannot_know_of_loops(%n: index) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_in_loop(%a, %n) : (memref<8xf32>, index) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_in_loop
// CHECK: memref.dealloc
func.func private @frees_in_loop(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.dealloc %a : memref<8xf32>
  }
  return
}

// Not planned: it may be one of two buffers.
// CHECK-LABEL: func.func @cannot_know_which
// CHECK-COUNT-2: memref.alloc()
func.func @cannot_know_which(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  call @frees_either(%a, %b, %c) : (memref<8xf32>, memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_either
// CHECK: memref.dealloc
func.func private @frees_either(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %x = arith.select %c, %a, %b : memref<8xf32>
  memref.dealloc %x : memref<8xf32>
  return
}

// Not planned: the two may be the same buffer, which is freed once.
// CHECK-LABEL: func.func @cannot_know_whether_one
// CHECK: memref.alloc()
func.func @cannot_know_whether_one(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_two(%a, %a, %c) : (memref<8xf32>, memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_two
// CHECK: dealloc
func.func private @frees_two(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %true = arith.constant true
  bufferization.dealloc (%a, %b : memref<8xf32>, memref<8xf32>) if (%true, %c)
  return
}

// Not planned: code that has its address may call it as well.
// CHECK-LABEL: func.func @address_taken
// CHECK: memref.alloc()
func.func @address_taken() -> ((memref<8xf32>) -> ()) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_by_address(%a) : (memref<8xf32>) -> ()
  %f = constant @frees_by_address : (memref<8xf32>) -> ()
  return %f : (memref<8xf32>) -> ()
}
// CHECK-LABEL: func.func private @frees_by_address
// CHECK: memref.dealloc
func.func private @frees_by_address(%a: memref<8xf32>) {
  memref.dealloc %a : memref<8xf32>
  return
}

// Not planned: it calls itself.
// CHECK-LABEL: func.func @recursion
// CHECK: memref.alloc()
func.func @recursion(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_in_recursion(%a, %c) : (memref<8xf32>, i1) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_in_recursion
// CHECK: memref.alloc()
// CHECK: call @frees_in_recursion
// CHECK-NOT: dealloc
// CHECK: }
// CHECK-NEXT: memref.dealloc
func.func private @frees_in_recursion(%a: memref<8xf32>, %c: i1) {
  %false = arith.constant false
  scf.if %c {
    %b = memref.alloc() : memref<8xf32>
    func.call @frees_in_recursion(%b, %false) : (memref<8xf32>, i1) -> ()
  }
  memref.dealloc %a : memref<8xf32>
  return
}

// Moving the deallocation would not help, so the program is unchanged.
// CHECK-LABEL: func.func @for_nothing
// CHECK-NEXT: call @frees_for_nothing
// CHECK-NEXT: return
func.func @for_nothing(%a: memref<8xf32>) {
  call @frees_for_nothing(%a) : (memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_for_nothing
// CHECK-NEXT: memref.dealloc
func.func private @frees_for_nothing(%a: memref<8xf32>) {
  memref.dealloc %a : memref<8xf32>
  return
}

// Only one of its two arguments can be planned: the other is freed where it
// was.
// CHECK-LABEL: func.func @for_one
// CHECK: memplan.arena align(64) : memref<32xi8>
// CHECK: call @frees_both
// CHECK-NOT: memref.dealloc
func.func @for_one(%b: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_both(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
// CHECK-LABEL: func.func private @frees_both
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<8xf32>, %[[B:[a-z0-9]+]]: memref<8xf32>
// CHECK-NOT: memref.dealloc %[[A]]
// CHECK: memref.dealloc %[[B]]
func.func private @frees_both(%a: memref<8xf32>, %b: memref<8xf32>) {
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return
}

// Not planned: the deallocation would be among ops that run at once.
// CHECK-LABEL: func.func @in_a_step
// CHECK: memref.alloc()
func.func @in_a_step(%b: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  call @frees_in_a_step(%a) {memplan.step = 0} : (memref<8xf32>) -> ()
  linalg.abs {memplan.step = 0} ins(%b : memref<8xf32>) outs(%b : memref<8xf32>)
  return
}
// CHECK-LABEL: func.func private @frees_in_a_step
// CHECK: memref.dealloc
func.func private @frees_in_a_step(%a: memref<8xf32>) {
  linalg.abs ins(%a : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.dealloc %a : memref<8xf32>
  return
}
