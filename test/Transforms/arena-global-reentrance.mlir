// A function has a global arena only if all its calls are known and it runs
// once at a time. Calls are followed from func.func to func.func.

// RUN: split-file %s %t
// RUN: memplan-opt %t/other-callables.mlir --plan-memory=arena=global --remarks-filter='plan.*' 2>&1 | FileCheck %t/other-callables.mlir
// RUN: memplan-opt %t/recursion.mlir --plan-memory=arena=global --remarks-filter='plan.*' 2>&1 | FileCheck %t/recursion.mlir
// RUN: memplan-opt %t/unknown.mlir --plan-memory="arena=global callee-trust=none" --remarks-filter='plan.*' 2>&1 | FileCheck %t/unknown.mlir

//--- other-callables.mlir

// @in_async calls itself through @task, which may also run twice at the same
// time.
// CHECK: Function=in_async | {{.*}}its function is called by 'func.call' at {{.*}} in 'async.func', whose callers are not followed
func.func @in_async(%n: index, %o: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  %more = arith.cmpi ne, %n, %c0 : index
  scf.if %more {
    %t = async.call @task(%c0, %o) : (index, memref<16xf32>) -> !async.token
    async.await %t : !async.token
  }
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
async.func @task(%n: index, %o: memref<16xf32>) -> !async.token {
  func.call @in_async(%n, %o) : (index, memref<16xf32>) -> ()
  return
}

// @outer calls itself through @foreign and @inner. @foreign reaches functions
// that it does not call directly.
// CHECK: Function=outer | {{.*}}its function is reached from @inner, which is called by 'func.call' at {{.*}} in 'llvm.func', whose callers are not followed
func.func @outer(%n: i64, %o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  llvm.call @foreign(%n) : (i64) -> ()
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
memref.global "private" @o : memref<16xf32> = dense<0.0>
func.func @inner(%n: i64) {
  %o = memref.get_global @o : memref<16xf32>
  func.call @outer(%n, %o) : (i64, memref<16xf32>) -> ()
  return
}
llvm.func @foreign(%n: i64) {
  func.call @inner(%n) : (i64) -> ()
  llvm.return
}

// No function calls itself or runs twice at a time.
// CHECK-NOT: ArenaNotPlaced | {{.*}}Function=once
// CHECK: func.func @once(
// CHECK: memref.get_global @memplan_arena_once
func.func @once(%o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @calls_once(%o: memref<16xf32>) {
  call @once(%o) : (memref<16xf32>) -> ()
  return
}

//--- recursion.mlir

// @main runs @q twice at a time, and @q calls @p, which calls @leaf. The order
// of @p and @q in the text does not matter.
// CHECK: Function=leaf | {{.*}}its function is reached from @q, which is called by 'func.call' at {{.*}}, where calls may run at the same time
// CHECK: func.func @leaf
// CHECK-NOT: memref.get_global
func.func @leaf(%o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @q(%c: i1, %o: memref<16xf32>) {
  scf.if %c {
    func.call @p(%c, %o) : (i1, memref<16xf32>) -> ()
  }
  return
}
func.func @p(%c: i1, %o: memref<16xf32>) {
  call @leaf(%o) : (memref<16xf32>) -> ()
  call @q(%c, %o) : (i1, memref<16xf32>) -> ()
  return
}
func.func @main(%c: i1, %o: memref<16xf32>, %p: memref<16xf32>) {
  %t = async.execute {
    func.call @q(%c, %o) : (i1, memref<16xf32>) -> ()
    async.yield
  }
  func.call @q(%c, %p) : (i1, memref<16xf32>) -> ()
  async.await %t : !async.token
  return
}

//--- unknown.mlir

// @outside may call @f in turn, and is called by @p, which @q calls: whichever of
// @p and @q comes first in the text.
// CHECK: Function=f | {{.*}}its function calls a function that may call it back, at {{.*}}
// CHECK: func.func @f
// CHECK-NOT: memref.get_global
func.func private @outside()
func.func @p(%c: i1) {
  call @outside() : () -> ()
  call @q(%c) : (i1) -> ()
  return
}
func.func @q(%c: i1) {
  scf.if %c {
    func.call @p(%c) : (i1) -> ()
  }
  return
}
func.func @f(%c: i1, %o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  call @q(%c) : (i1) -> ()
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}

// The same if @named_and_unknown has another kind of use as well.
// CHECK: func.func @g
// CHECK-NOT: memref.get_global
func.func @g(%o: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%o : memref<16xf32>) outs(%a : memref<16xf32>)
  call @named_and_unknown() : () -> ()
  memref.copy %a, %o : memref<16xf32> to memref<16xf32>
  return
}
func.func @named_and_unknown() {
  call @outside() : () -> ()
  return
}
func.func @names() -> (() -> ()) {
  %f = constant @named_and_unknown : () -> ()
  return %f : () -> ()
}
