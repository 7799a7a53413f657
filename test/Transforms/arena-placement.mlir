// The places of arenas: the heap, the stack, an argument, a global.

// RUN: split-file %s %t
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=argument in-place=false" | FileCheck %t/calls.mlir --check-prefix=ARGUMENT
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=argument scope=module in-place=false" | FileCheck %t/calls.mlir --check-prefix=ARGUMENT
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=alloca in-place=false" | FileCheck %t/calls.mlir --check-prefix=STACK
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=alloca:127 in-place=false" --remarks-filter=plan.* 2>&1 | FileCheck %t/calls.mlir --check-prefix=LIMIT
// RUN: not memplan-opt %t/calls.mlir --plan-memory="arena=alloca:127 require=placed in-place=false" 2>&1 | FileCheck %t/calls.mlir --check-prefix=REQUIRED
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=global in-place=false" | FileCheck %t/calls.mlir --check-prefix=GLOBAL
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=global require=verified lower=false in-place=false" | memplan-opt --memplan-verify=quiet=true --memplan-lower --memplan-verify=quiet=true | FileCheck %t/calls.mlir --check-prefix=GLOBAL
// RUN: memplan-opt %t/calls.mlir --memplan-extract="arena=argument in-place=false" --memplan-solve --memplan-materialize=arena=argument --memplan-verify=quiet=true --memplan-lower | FileCheck %t/calls.mlir --check-prefix=ARGUMENT
// RUN: memplan-opt %t/calls.mlir --memplan-extract=in-place=false --memplan-solve --memplan-materialize=arena=alloca --memplan-verify=quiet=true --memplan-lower --memplan-verify=quiet=true | FileCheck %t/calls.mlir --check-prefix=STACK
// A second run changes nothing.
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=argument in-place=false" -o %t/once.mlir
// RUN: memplan-opt %t/once.mlir --plan-memory="arena=argument in-place=false" -o %t/twice.mlir
// RUN: diff %t/once.mlir %t/twice.mlir
// RUN: memplan-opt %t/calls.mlir --plan-memory="arena=global in-place=false" -o %t/once.mlir
// RUN: memplan-opt %t/once.mlir --plan-memory="arena=global in-place=false" -o %t/twice.mlir
// RUN: diff %t/once.mlir %t/twice.mlir

// RUN: memplan-opt %t/stack.mlir --plan-memory=in-place=false | FileCheck %t/stack.mlir
// RUN: memplan-opt %t/stack.mlir --plan-memory="scope=module in-place=false" | FileCheck %t/stack.mlir --check-prefix=TREE

// RUN: memplan-opt %t/left.mlir --plan-memory="arena=global in-place=false" --remarks-filter=plan.* 2>&1 | FileCheck %t/left.mlir --check-prefix=GLOBAL
// RUN: memplan-opt %t/left.mlir --plan-memory="arena=argument in-place=false" --remarks-filter=plan.* 2>&1 | FileCheck %t/left.mlir --check-prefix=ARGUMENT
// RUN: memplan-opt %t/external.mlir --plan-memory="arena=global in-place=false" | FileCheck %t/external.mlir --check-prefix=TRUST
// RUN: memplan-opt %t/external.mlir --plan-memory="arena=global callee-trust=none in-place=false" --remarks-filter=plan.* 2>&1 | FileCheck %t/external.mlir --check-prefix=NOTRUST

// RUN: memplan-opt %t/spaces.mlir --plan-memory="arena=alloca in-place=false" --remarks-filter=plan.* 2>&1 | FileCheck %t/spaces.mlir --check-prefix=STACK
// RUN: memplan-opt %t/spaces.mlir --plan-memory="arena=argument in-place=false" | FileCheck %t/spaces.mlir --check-prefix=ARGUMENT
// RUN: memplan-opt %t/spaces.mlir --plan-memory="arena=global in-place=false" | FileCheck %t/spaces.mlir --check-prefix=GLOBAL

// RUN: not memplan-opt %t/freed.mlir --memplan-verify 2>&1 | FileCheck %t/freed.mlir
// RUN: not memplan-opt %t/released.mlir 2>&1 | FileCheck %t/released.mlir

//--- calls.mlir

// One arena for the call tree: the 64 bytes of @inner are those of %a, which is
// dead.
// ARGUMENT-LABEL: func.func @model(
// ARGUMENT-SAME: %[[ARENA:[a-z0-9]+]]: memref<128xi8> {memplan.arena = 64 : i64})
// ARGUMENT-NOT: memref.alloc
// ARGUMENT: %[[FRAME:.*]] = memref.view %[[ARENA]]
// ARGUMENT: call @inner({{.*}}, {{.*}}, %{{.*}}) : (memref<16xf32>, memref<16xf32>, memref<64xi8>) -> ()
// ARGUMENT-NEXT: return

// STACK-LABEL: func.func @model(
// STACK: memref.alloca() {alignment = 64 : i64, memplan.arena} : memref<128xi8>
// STACK-NOT: dealloc

// LIMIT: [Missed] ArenaNotPlaced | Category:plan-memory | Function=model | Remark="arena of @model in memory space 0 is not placed as asked: it has 128 bytes, and the limit of arenas on the stack is 127"
// LIMIT-LABEL: func.func @model(
// LIMIT: memref.alloc()
// LIMIT-LABEL: func.func @inner(
// LIMIT: memref.alloca()

// REQUIRED: [[#@LINE+8]]:1: error: arena of @model in memory space 0 is not placed as asked: it has 128 bytes, and the limit of arenas on the stack is 127

// GLOBAL: memref.global "private" @memplan_arena_model_0 : memref<128xi8> = uninitialized {alignment = 64 : i64}
// GLOBAL-LABEL: func.func @model(
// GLOBAL: memref.get_global @memplan_arena_model_0 : memref<128xi8> {memplan.arena}
// GLOBAL-NOT: dealloc
// GLOBAL: memref.global "private" @memplan_arena_inner :

func.func @model(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  func.call @inner(%b, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// A public function may be called from the module, too.
// ARGUMENT-LABEL: func.func @inner(
// ARGUMENT-SAME: memref<64xi8> {memplan.arena = 64 : i64})
func.func @inner(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// A name that is already used.
memref.global "private" @memplan_arena_model : memref<4xf32>

//--- stack.mlir

// A buffer on the stack stays there, also in a callee with a frame in the
// arena.

// CHECK-LABEL: func.func @leaf(
// CHECK: memref.alloca() {alignment = 64 : i64, memplan.arena} : memref<32xi8>
// CHECK-NOT: dealloc
// TREE-LABEL: func.func @leaf(
// TREE: memref.alloca() {{.*}} : memref<96xi8>
// TREE-NOT: dealloc
func.func @leaf(%in: memref<8xf32>, %out: memref<8xf32>) {
  %a = memref.alloca() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  call @inner(%a, %out) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @inner(
// CHECK: memref.alloca() {alignment = 64 : i64, memplan.arena}
// TREE-LABEL: func.func private @inner(
// TREE-NOT: memref.alloc
// TREE: return
func.func private @inner(%in: memref<8xf32>, %out: memref<8xf32>) {
  %a = memref.alloca() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  memref.copy %a, %out : memref<8xf32> to memref<8xf32>
  return
}

// A buffer that is not on the stack makes the arena one of the heap.
// CHECK-LABEL: func.func @mixed(
// CHECK: memref.alloc()
// CHECK: memref.dealloc
// TREE-LABEL: func.func @mixed(
// TREE: memref.alloc()
func.func @mixed(%in: memref<8xf32>, %out: memref<8xf32>) {
  %a = memref.alloca() : memref<8xf32>
  linalg.exp ins(%in : memref<8xf32>) outs(%a : memref<8xf32>)
  %b = memref.alloc() : memref<8xf32>
  linalg.exp ins(%a : memref<8xf32>) outs(%b : memref<8xf32>)
  memref.copy %b, %out : memref<8xf32> to memref<8xf32>
  return
}

//--- left.mlir

// GLOBAL: Function=recurses | {{.*}}is not placed as asked: its function is recursive
// ARGUMENT: Function=recurses | {{.*}}is not placed as asked: its function is recursive
func.func @recurses(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.if %c {
    %false = arith.constant false
    func.call @recurses(%false, %in, %out) : (i1, memref<16xf32>, memref<16xf32>) -> ()
  }
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// Iterations that may run at once call @worker, which calls @deep.
func.func @parallel(%n: index, %in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @worker(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  }
  return
}
// GLOBAL: Function=worker | {{.*}}is not placed as asked: its function is called by 'func.call' at {{.*}}left.mlir:{{.*}}, where calls may run at the same time
// ARGUMENT: Function=worker | {{.*}}is not placed as asked: its function is called where no memory can be handed in
func.func @worker(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  call @deep(%a, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}
// GLOBAL: Function=deep | {{.*}}is not placed as asked: its function is reached from @worker, which is called by 'func.call' at {{.*}}left.mlir:{{.*}}, where calls may run at the same time
func.func @deep(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}

// GLOBAL: Function=named | {{.*}}is not placed as asked: its function may be named other than by 'func.call'
// ARGUMENT: Function=named | {{.*}}is not placed as asked: the symbol of its function is used other than by func.call
func.func @named(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  return
}
// Memory that is handed in is none that a function uses by itself.
// GLOBAL: Function=pure | {{.*}}is not placed as asked: an attribute of its function says what memory it uses
// ARGUMENT: Function=pure | {{.*}}is not placed as asked: an attribute of its function says what memory it uses
func.func @pure(%x: f32, %i: index) -> f32 attributes {llvm.readnone} {
  %a = memref.alloca() : memref<16xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  %r = memref.load %a[%i] : memref<16xf32>
  return %r : f32
}
func.func @takes_address() -> ((memref<16xf32>, memref<16xf32>) -> ()) {
  %f = constant @named : (memref<16xf32>, memref<16xf32>) -> ()
  return %f : (memref<16xf32>, memref<16xf32>) -> ()
}

// ARGUMENT: {{^}}  func.func @recurses(%{{[a-z0-9]+}}: i1, %{{[a-z0-9]+}}: memref<16xf32>, %{{[a-z0-9]+}}: memref<16xf32>) {
// ARGUMENT: memref.alloc()
// GLOBAL: {{^}}module
// GLOBAL-NOT: memref.get_global

//--- external.mlir

func.func private @outside(memref<16xf32>)

// TRUST: memref.get_global
// NOTRUST: not placed as asked: its function calls a function that may call it back
// NOTRUST-NOT: memref.get_global
func.func @calls_out(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  call @outside(%out) : (memref<16xf32>) -> ()
  return
}

//--- spaces.mlir

// STACK: arena of @two in memory space 1 is not placed as asked: it is in memory space 1, whose stack is not known
// STACK-LABEL: func.func @two(
// STACK-DAG: memref.alloca() {{.*}} : memref<64xi8>
// STACK-DAG: memref.alloc() {{.*}} : memref<64xi8, 1>
// ARGUMENT: func.func @two({{.*}}: memref<64xi8> {memplan.arena = 64 : i64}, {{.*}}: memref<64xi8, 1> {memplan.arena = 64 : i64})
// GLOBAL-DAG: memref.global "private" @[[A:memplan_arena_two[_0-9]*]] : memref<64xi8> =
// GLOBAL-DAG: memref.global "private" @[[B:memplan_arena_two[_0-9]*]] : memref<64xi8, 1> =
func.func @two(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32, 1>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32, 1>
  memref.copy %b, %out : memref<16xf32, 1> to memref<16xf32>
  return
}

//--- freed.mlir

// CHECK: error: {{.*}}releases an arena that is not on the heap
func.func @freed(%in: memref<16xf32>, %out: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %arena = memref.alloca() {alignment = 64 : i64, memplan.arena} : memref<64xi8>
  %a = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  memref.dealloc %arena : memref<64xi8>
  return
}

//--- released.mlir

func.func @released() {
  %arena = memplan.arena stack align(64) : memref<64xi8>
  // CHECK: error: 'memplan.release' op releases an arena that is on the stack
  memplan.release %arena : memref<64xi8>
  return
}
