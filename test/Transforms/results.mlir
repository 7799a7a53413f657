// Results in memory of the caller, as arguments or in the arena.

// RUN: split-file %s %t
// RUN: memplan-opt %t/out.mlir --plan-memory="results=out-params" --remarks-filter=plan.* 2>%t/remarks | FileCheck %t/out.mlir
// RUN: FileCheck %t/out.mlir --check-prefix=REMARK --input-file=%t/remarks
// RUN: memplan-opt %t/out.mlir --memplan-extract="results=out-params" --memplan-solve --memplan-materialize --memplan-lower -o %t/steps.mlir
// RUN: memplan-opt %t/out.mlir --plan-memory="results=out-params" -o %t/whole.mlir
// RUN: diff %t/steps.mlir %t/whole.mlir
// RUN: memplan-opt %t/aligned.mlir --plan-memory="results=out-params" --memplan-emit-header | FileCheck %t/aligned.mlir
// RUN: memplan-opt %t/arena.mlir --plan-memory="arena=argument results=arena lower=false" | FileCheck %t/arena.mlir
// RUN: memplan-opt %t/arena.mlir --plan-memory="arena=argument results=arena" | memplan-opt --memplan-verify=quiet=true | FileCheck %t/arena.mlir --check-prefix=LOWERED
// RUN: memplan-opt %t/arena.mlir --plan-memory="arena=global results=arena" | FileCheck %t/arena.mlir --check-prefix=GLOBAL
// RUN: memplan-opt %t/arena.mlir --plan-memory="arena=argument results=arena" --memplan-emit-header -o /dev/null | FileCheck %t/arena.mlir --check-prefix=HEADER
// RUN: memplan-opt %t/arena.mlir --plan-memory="arena=global results=arena" --memplan-emit-header -o /dev/null | FileCheck %t/arena.mlir --check-prefix=VARIABLE
// RUN: not memplan-opt %t/arena.mlir --plan-memory="results=arena" 2>&1 | FileCheck %t/arena.mlir --check-prefix=OPTION
// RUN: not memplan-opt %t/lost.mlir --memplan-verify 2>&1 | FileCheck %t/lost.mlir
// RUN: not memplan-opt %t/unplanned.mlir --allow-unregistered-dialect --plan-memory="arena=argument results=arena" 2>&1 | FileCheck %t/unplanned.mlir

//--- aligned.mlir

// The alignment is kept.
// CHECK-DAG: #define F_ARGUMENT1_BYTES 64
// CHECK-DAG: #define F_ARGUMENT1_ALIGNMENT 256
// CHECK-DAG: func.func @f({{.*}}, %{{.*}}: memref<16xf32> {memplan.align = 256 : i64})
// CHECK-NOT: ARGUMENT0_ALIGNMENT
func.func @f(%in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() {alignment = 256 : i64} : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  return %a : memref<16xf32>
}

//--- out.mlir

// The result is written to its destination; @caller's own buffer is one of its
// arena.
// CHECK-LABEL: func.func @fresh(
// CHECK-SAME: %[[IN:[a-z0-9]+]]: memref<16xf32>, %[[OUT:[a-z0-9]+]]: memref<16xf32>) {
// CHECK-NEXT: linalg.exp ins(%[[IN]] : memref<16xf32>) outs(%[[OUT]] : memref<16xf32>)
// CHECK-NEXT: return{{$}}
func.func @fresh(%in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  return %a : memref<16xf32>
}
// CHECK-LABEL: func.func @caller(
// CHECK: memref.alloc() {{.*}}memplan.arena
// CHECK: %[[V:.*]] = memref.view
// CHECK: call @fresh(%{{.*}}, %[[V]])
func.func @caller(%in: memref<16xf32>, %out: memref<16xf32>) {
  %r = call @fresh(%in) : (memref<16xf32>) -> memref<16xf32>
  linalg.abs ins(%r : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

// A view of the whole buffer is not copied.
// CHECK-LABEL: func.func @reshaped(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x4xf32>, %[[OUT:[a-z0-9]+]]: memref<16xf32>) {
// CHECK: %[[A:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [4, 4], strides: [4, 1]
// CHECK-NEXT: linalg.exp {{.*}} outs(%[[A]] :
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @reshaped(%in: memref<4x4xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %v = memref.collapse_shape %a [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  return %v : memref<16xf32>
}

// A view of a part is copied. The layout is removed.
// CHECK-LABEL: func.func @part(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x4xf32>, %[[OUT:[a-z0-9]+]]: memref<4xf32>) {
// CHECK: %[[S:.*]] = memref.subview
// CHECK: memref.copy %[[S]], %[[OUT]]
func.func @part(%in: memref<4x4xf32>) -> memref<4xf32, strided<[1], offset: 4>> {
  %a = memref.alloc() : memref<4x4xf32>
  linalg.exp ins(%in : memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  %v = memref.subview %a[1, 0] [1, 4] [1, 1]
      : memref<4x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  return %v : memref<4xf32, strided<[1], offset: 4>>
}

// Both branches write the argument.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: memref<16xf32>) {
// CHECK: linalg.exp {{.*}} outs(%[[OUT]]
// CHECK: linalg.abs {{.*}} outs(%[[OUT]]
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @branches(%c: i1, %in: memref<16xf32>) -> memref<16xf32> {
  %r = scf.if %c -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  } else {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  return %r : memref<16xf32>
}

// The carried buffer is read while the next one is written: two slots and a
// copy.
// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: memref<16xf32>) {
// CHECK: scf.for
// CHECK: memref.copy %{{.*}}, %[[OUT]]
// CHECK: return{{$}}
func.func @loop(%n: index, %in: memref<16xf32>) -> memref<16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%init : memref<16xf32>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init) -> memref<16xf32> {
    %a = memref.alloc() : memref<16xf32>
    linalg.add ins(%x, %in : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
    scf.yield %a : memref<16xf32>
  }
  return %r : memref<16xf32>
}

// An argument or fresh memory, which no caller in the module accesses by two
// names.
// CHECK-LABEL: func.func @either(
// CHECK-SAME: %[[OUT:[a-z0-9]+]]: memref<16xf32>) {
// CHECK: memref.copy %{{.*}}, %[[OUT]]
func.func @either(%c: i1, %in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = arith.select %c, %a, %in : memref<16xf32>
  return %r : memref<16xf32>
}

// In the module, this would change the results of @writes_through.
// CHECK-LABEL: func.func private @either_called(
// CHECK-SAME: -> memref<16xf32>
// REMARK: ResultNotPlaced | {{.*}}Function=either_called | Remark="result 0 of @either_called stays returned: it may be memory that callers in the module know by another name"
func.func private @either_called(%c: i1, %in: memref<16xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %r = arith.select %c, %a, %in : memref<16xf32>
  return %r : memref<16xf32>
}
func.func @writes_through(%c: i1, %in: memref<16xf32>, %out: memref<16xf32>) {
  %r = call @either_called(%c, %in) : (i1, memref<16xf32>) -> memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  memref.copy %in, %out : memref<16xf32> to memref<16xf32>
  return
}

// The same memory twice; an argument; dynamic sizes: unchanged.
// CHECK-LABEL: func.func @kept(
// CHECK-SAME: -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<?xf32>)
// REMARK: result 0 of @kept stays returned: it may be the same memory as another result
// REMARK: result 1 of @kept stays returned
// REMARK-NOT: result 2 of @kept
// REMARK: result 3 of @kept stays returned: it has a dynamic shape
func.func @kept(%in: memref<16xf32>, %n: index)
    -> (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<?xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %d = memref.alloc(%n) : memref<?xf32>
  return %a, %a, %in, %d : memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<?xf32>
}

// A declaration, and a function with other uses than calls, keep their results.
// CHECK: func.func private @declared() -> memref<16xf32>
func.func private @declared() -> memref<16xf32>

//--- arena.mlir

// OPTION: error: results=arena needs arena=argument or arena=global: no other arena outlives the call

// %r is live to the end, and so during the later ops of @f; %t is not.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[ARENA:[a-z0-9]+]]: memref<128xi8> {memplan.arena = 64 : i64})
// CHECK-SAME: memplan.outputs = [{offset = [[#OFFSET:]] : i64, result = 0 : i64, type = memref<16xf32>}]
// CHECK: %[[R:.*]] = memplan.view %[[ARENA]][[[#OFFSET]]] align(64)
// CHECK: memplan.output %[[R]], 0 : memref<16xf32>
// CHECK: return{{$}}
// LOWERED-LABEL: func.func @f(
// LOWERED: memref.load %{{.*}}[%{{.*}}] {memplan.output = 0 : i64} : memref<16xf32>
// LOWERED-NEXT: return{{$}}
// GLOBAL: memref.global @memplan_arena_f : memref<128xi8>
// VARIABLE: extern "C" {
// VARIABLE: #define F_STATIC_BYTES 128
// VARIABLE-NEXT: #define F_STATIC_ALIGNMENT 64
// VARIABLE-NEXT: extern unsigned char memplan_arena_f[128];
// HEADER: #ifndef MEMORY_H
// HEADER-NOT: extern
// HEADER: /* f */
// HEADER-NEXT: /* argument 2 */
// HEADER-NEXT: #define F_ARENA_BYTES 128
// HEADER-NEXT: #define F_ARENA_ALIGNMENT 64
// HEADER-NEXT: /* memref<16xf32>, in the arena */
// HEADER-NEXT: #define F_RESULT0_OFFSET
// HEADER-NEXT: #define F_RESULT0_BYTES 64
// HEADER-NEXT: #define F_ARGUMENT0_BYTES 64
func.func @f(%in: memref<16xf32>, %out: memref<16xf32>) -> memref<16xf32> {
  %r = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  %t = memref.alloc() : memref<16xf32>
  linalg.abs ins(%r : memref<16xf32>) outs(%t : memref<16xf32>)
  memref.copy %t, %out : memref<16xf32> to memref<16xf32>
  return %r : memref<16xf32>
}

// A part is copied to a separate buffer; callees write their results there.
// CHECK-LABEL: func.func @g(
// CHECK-SAME: memplan.arena = 64 : i64})
// CHECK: memref.copy
// CHECK: memplan.output
func.func @g(%in: memref<16xf32>) -> memref<4xf32, strided<[1], offset: 4>> {
  %r = call @h(%in) : (memref<16xf32>) -> memref<16xf32>
  %v = memref.subview %r[4] [4] [1]
      : memref<16xf32> to memref<4xf32, strided<[1], offset: 4>>
  return %v : memref<4xf32, strided<[1], offset: 4>>
}
// CHECK-LABEL: func.func private @h(
// CHECK-SAME: memref<16xf32>, %{{[a-z0-9]+}}: memref<16xf32>
// CHECK-NOT: memplan.output
func.func private @h(%in: memref<16xf32>) -> memref<16xf32> {
  %r = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  return %r : memref<16xf32>
}

//--- lost.mlir

// The output is read at the end, so no buffer may have overwritten it.
func.func @lost(%in: memref<16xf32>, %arena: memref<64xi8> {memplan.arena = 64 : i64}) {
  %r = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  %t = memplan.view %arena[0] align(64) : memref<64xi8> to memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%t : memref<16xf32>)
  // CHECK: error: {{.*}}reads buffer at bytes [0, 64) of the arena, which 'linalg.abs'
  memplan.output %r, 0 : memref<16xf32>
  return
}

//--- unplanned.mlir

// In a function that an unknown op may leave, nothing is planned.
func.func @unplanned(%c: i1, %in: memref<16xf32>) -> memref<16xf32> {
  %r = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%r : memref<16xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  // CHECK: error: result 0 of @unplanned is not planned, so that it cannot be in the arena
  return %r : memref<16xf32>
^bb2:
  "test.leave"() : () -> ()
}
