// RUN: memplan-opt %s --memplan-reorder="strategy=dfs output=%t.txt" | FileCheck %s --check-prefixes=CHECK,FRESH
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REPORT
// RUN: memplan-opt %s --memplan-reorder="strategy=bfs output=%t.txt" | FileCheck %s
// RUN: memplan-opt %s --memplan-reorder="strategy=lpmf output=%t.txt" | FileCheck %s

// A read of memory does not move across a write of it, whichever names the two
// use; a freed buffer has no use after its deallocation.

memref.global "private" @variable : memref<16xf32> = dense<1.0>
func.func private @getVariable() -> memref<16xf32> {
  %g = memref.get_global @variable : memref<16xf32>
  return %g : memref<16xf32>
}
func.func private @unknown() -> memref<16xf32>
func.func private @sameOrCopy(%a: memref<16xf32>, %c: i1) -> memref<16xf32> {
  %r = scf.if %c -> (memref<16xf32>) {
    scf.yield %a : memref<16xf32>
  } else {
    %f = memref.alloc() : memref<16xf32>
    memref.copy %a, %f : memref<16xf32> to memref<16xf32>
    scf.yield %f : memref<16xf32>
  }
  return %r : memref<16xf32>
}
func.func private @fresh(%a: memref<4096xf32>) -> memref<4096xf32> {
  %f = memref.alloc() : memref<4096xf32>
  linalg.exp ins(%a : memref<4096xf32>) outs(%f : memref<4096xf32>)
  return %f : memref<4096xf32>
}
func.func private @freshTwice(%a: memref<4096xf32>) -> (memref<4096xf32>, memref<4096xf32>) {
  %f = call @fresh(%a) : (memref<4096xf32>) -> memref<4096xf32>
  return %f, %f : memref<4096xf32>, memref<4096xf32>
}

// CHECK-LABEL: func.func @writtenVariable
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: linalg.exp
// CHECK: linalg.add
func.func @writtenVariable(%f: f32, %q: memref<16xf32>) {
  %g = memref.get_global @variable : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%g : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%g : memref<16xf32>)
  linalg.exp ins(%g : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %a : memref<16xf32>, memref<16xf32>) outs(%q : memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @writtenVariableOfCallee
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: linalg.exp
// CHECK: linalg.add
func.func @writtenVariableOfCallee(%f: f32, %q: memref<16xf32>) {
  %g = memref.get_global @variable : memref<16xf32>
  %x = call @getVariable() : () -> memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%g : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %a : memref<16xf32>, memref<16xf32>) outs(%q : memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @twoCallsReturnOneMemory
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: linalg.exp
// CHECK: linalg.add
func.func @twoCallsReturnOneMemory(%f: f32, %q: memref<16xf32>) {
  %y = call @unknown() : () -> memref<16xf32>
  %x = call @unknown() : () -> memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%y : memref<16xf32>)
  linalg.exp ins(%x : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.add ins(%b, %a : memref<16xf32>, memref<16xf32>) outs(%q : memref<16xf32>)
  return
}

// CHECK-LABEL: func.func @twoResultsAreOneMemory
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: linalg.exp
// CHECK: linalg.add
func.func @twoResultsAreOneMemory(%f: f32, %p: memref<4096xf32>, %q: memref<4096xf32>) {
  %x, %y = call @freshTwice(%p) : (memref<4096xf32>) -> (memref<4096xf32>, memref<4096xf32>)
  %a = memref.alloc() : memref<4096xf32>
  %b = memref.alloc() : memref<4096xf32>
  linalg.exp ins(%x : memref<4096xf32>) outs(%a : memref<4096xf32>)
  linalg.fill ins(%f : f32) outs(%y : memref<4096xf32>)
  linalg.exp ins(%x : memref<4096xf32>) outs(%b : memref<4096xf32>)
  linalg.add ins(%b, %a : memref<4096xf32>, memref<4096xf32>) outs(%q : memref<4096xf32>)
  return
}

// Memory that callees allocate counts as well: each large buffer is used before
// the next one is made.
// REPORT: @freshFromCalls: peak 16384 bytes, was 32768
// FRESH-LABEL: func.func @freshFromCalls
// FRESH: %[[A:.*]] = call @fresh
// FRESH: linalg.reduce {{.*}} ins(%[[A]]
// FRESH: memref.dealloc %[[A]]
// FRESH: %[[B:.*]] = call @fresh
// FRESH: linalg.reduce {{.*}} ins(%[[B]]
func.func @freshFromCalls(%p: memref<4096xf32>) -> (memref<f32>, memref<f32>) {
  %c = memref.alloc() : memref<f32>
  %d = memref.alloc() : memref<f32>
  %a = call @fresh(%p) : (memref<4096xf32>) -> memref<4096xf32>
  %b = call @fresh(%p) : (memref<4096xf32>) -> memref<4096xf32>
  linalg.reduce { arith.addf } ins(%a : memref<4096xf32>) outs(%c : memref<f32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%b : memref<4096xf32>) outs(%d : memref<f32>) dimensions = [0]
  memref.dealloc %a : memref<4096xf32>
  memref.dealloc %b : memref<4096xf32>
  return %c, %d : memref<f32>, memref<f32>
}

// CHECK-LABEL: func.func @freedByAnotherName
// CHECK: linalg.negf
// CHECK: call @print
// CHECK: memref.dealloc
func.func private @print(memref<16xf32>)
func.func @freedByAnotherName(%f: f32, %c: i1) {
  %a = memref.alloc() : memref<16xf32>
  %o = memref.alloc() : memref<16xf32>
  %p = memref.alloc() : memref<16xf32>
  %q = memref.alloc() : memref<16xf32>
  %w = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%w : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %x = call @sameOrCopy(%a, %c) : (memref<16xf32>, i1) -> memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%p : memref<16xf32>)
  linalg.negf ins(%a : memref<16xf32>) outs(%o : memref<16xf32>)
  linalg.add ins(%o, %p : memref<16xf32>, memref<16xf32>) outs(%q : memref<16xf32>)
  linalg.add ins(%q, %w : memref<16xf32>, memref<16xf32>) outs(%q : memref<16xf32>)
  call @print(%q) : (memref<16xf32>) -> ()
  memref.dealloc %x : memref<16xf32>
  return
}

// %x is known when the condition is known, which takes longest.
// CHECK-LABEL: func.func @chosenLate
// CHECK: %[[X:.*]] = arith.select
// CHECK: linalg.exp ins(%[[X]]
func.func @chosenLate(%f: f32, %g: f32, %q: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %0 = math.exp %g : f32
  %1 = math.exp %0 : f32
  %c = arith.cmpf oeq, %0, %1 : f32
  %x = arith.select %c, %a, %b : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%q : memref<16xf32>)
  return
}

// The result of a reshape depends on the contents of its operand at that point.
// CHECK-LABEL: func.func @shapeIsWrittenAgain
// CHECK: linalg.fill {{.*}} outs(%[[SHAPE:.*]] : memref<1xindex>)
// CHECK: memref.reshape %{{.*}}(%[[SHAPE]])
// CHECK: linalg.fill {{.*}} outs(%[[SHAPE]] : memref<1xindex>)
func.func @shapeIsWrittenAgain(%f: f32, %q: memref<16xf32>) {
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %s = memref.alloc() : memref<1xindex>
  linalg.fill ins(%c4 : index) outs(%s : memref<1xindex>)
  %v = memref.reshape %q(%s) : (memref<16xf32>, memref<1xindex>) -> memref<?xf32>
  linalg.fill ins(%c16 : index) outs(%s : memref<1xindex>)
  linalg.fill ins(%f : f32) outs(%v : memref<?xf32>)
  memref.dealloc %s : memref<1xindex>
  return
}

// Uses of a tensor read the memory from which it was made.
// CHECK-LABEL: func.func @tensorOfMemory
// CHECK: to_tensor
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: materialize_in_destination
// CHECK: memref.dealloc
func.func @tensorOfMemory(%f: f32, %q: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  %t = bufferization.to_tensor %a restrict : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.exp ins(%t : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  bufferization.materialize_in_destination %r in restrict writable %q : (tensor<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  return
}

// CHECK-LABEL: func.func @tensorOfOneOfTwo
// CHECK: to_tensor
// CHECK: linalg.exp
// CHECK: linalg.fill
// CHECK: materialize_in_destination
// CHECK: memref.dealloc
// CHECK: memref.dealloc
func.func @tensorOfOneOfTwo(%c: i1, %f: f32, %q: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  %m = arith.select %c, %a, %b : memref<16xf32>
  %t = bufferization.to_tensor %m restrict : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %r = linalg.exp ins(%t : tensor<16xf32>) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<16xf32>)
  bufferization.materialize_in_destination %r in restrict writable %q : (tensor<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// CHECK-LABEL: func.func @reachedThroughMemory
// CHECK: memref.load
// CHECK: linalg.exp
// CHECK: memref.dealloc
func.func @reachedThroughMemory(%f: f32, %q: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %mm = memref.alloc() : memref<1xmemref<16xf32>>
  %a = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<16xf32>)
  memref.store %a, %mm[%c0] : memref<1xmemref<16xf32>>
  %x = memref.load %mm[%c0] : memref<1xmemref<16xf32>>
  linalg.exp ins(%x : memref<16xf32>) outs(%q : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  return
}
