// Results lend their memory: until a result is written, other buffers are in it.

// RUN: split-file %s %t
// RUN: memplan-opt %t/lend.mlir --plan-memory="results=lend lower=false require=verified" --remarks-filter=plan.* 2>%t/remarks | FileCheck %t/lend.mlir
// RUN: FileCheck %t/lend.mlir --check-prefix=REMARK --input-file=%t/remarks
// RUN: memplan-opt %t/lend.mlir --plan-memory="results=lend require=verified" -o %t/whole.mlir
// RUN: FileCheck %t/lend.mlir --check-prefix=LOWERED --input-file=%t/whole.mlir
// RUN: memplan-opt %t/lend.mlir --memplan-extract="results=lend" -o %t/stated.mlir
// RUN: FileCheck %t/lend.mlir --check-prefix=STATED --input-file=%t/stated.mlir
// RUN: memplan-opt %t/stated.mlir --memplan-solve --memplan-materialize --memplan-lower | diff - %t/whole.mlir
// RUN: memplan-opt %t/whole.mlir --memplan-verify --plan-memory="results=lend" | diff - %t/whole.mlir
// RUN: memplan-opt %t/whole.mlir --memplan-emit-header -o /dev/null | FileCheck %t/lend.mlir --check-prefix=HEADER
// RUN: memplan-opt %t/lend.mlir --plan-memory="results=lend report=json report-file=%t/report.json" -o /dev/null
// RUN: FileCheck %t/lend.mlir --check-prefix=JSON --input-file=%t/report.json
// RUN: memplan-solve %t/report.json --function=lend --format=json | FileCheck %t/lend.mlir --check-prefix=SOLVED
// RUN: memplan-opt %t/lend.mlir --plan-memory="report=json report-file=%t/alone.json" -o /dev/null
// RUN: FileCheck %t/lend.mlir --check-prefix=ALONE --input-file=%t/alone.json
// RUN: not memplan-opt %t/lend.mlir --plan-memory="results=lend arena=argument" 2>&1 | FileCheck %t/lend.mlir --check-prefix=OPTION
// RUN: memplan-opt %t/lend.mlir --plan-memory="results=lend arena=global lower=false require=verified,placed" | FileCheck %t/lend.mlir --check-prefix=GLOBAL
// RUN: memplan-opt %t/kept.mlir --plan-memory="results=lend require=verified" -o %t/kept-lent.mlir
// RUN: memplan-opt %t/kept.mlir --plan-memory="require=verified" | diff - %t/kept-lent.mlir
// RUN: memplan-opt %t/cuts.mlir --split-input-file --verify-diagnostics --memplan-solve
// RUN: memplan-opt %t/stale.mlir --split-input-file --verify-diagnostics --memplan-materialize

//--- lend.mlir

// OPTION: error: results=lend does not go with arena=argument; results=arena needs the least memory there

// %a is dead when the result is written. The arena has the bytes of %b alone.
// CHECK-LABEL: func.func @lend(
// CHECK: %[[OWN:.*]] = memplan.arena returned align(64) : memref<256xi8>
// CHECK-NEXT: %[[ARENA:.*]] = memplan.arena align(64) : memref<256xi8>
// CHECK-NEXT: %[[A:.*]] = memplan.view %[[OWN]][0] align(64) : memref<256xi8> to memref<8x8xf32>
// CHECK-NEXT: linalg.transpose ins(%{{.*}}) outs(%[[A]] :
// CHECK-NEXT: %[[B:.*]] = memplan.view %[[ARENA]][0]
// CHECK-NEXT: linalg.transpose ins(%[[A]] : {{.*}} outs(%[[B]] :
// CHECK-NEXT: %[[R:.*]] = memplan.view %[[OWN]][0]
// CHECK-NEXT: linalg.transpose ins(%[[B]] : {{.*}} outs(%[[R]] :
// CHECK-NEXT: memplan.release %[[ARENA]]
// CHECK-NEXT: return %[[R]]

// LOWERED-LABEL: func.func @lend(
// LOWERED: memref.alloc() {alignment = 64 : i64, memplan.arena, memplan.returned} : memref<256xi8>
// LOWERED: memref.alloc() {alignment = 64 : i64, bufferization.manual_deallocation, memplan.arena} : memref<256xi8>

// STATED: memplan.problem @lend {{.*}}cuts = array<i64: 256>
// STATED-NEXT: memplan.buffer @b0
// STATED-NEXT: memplan.buffer @b1
// STATED-NEXT: memplan.buffer @b2 size(256) {{.*}} offset(0)

// The memory of results is no arena of the header.
// HEADER: #define LEND_HEAP_BYTES 256
// HEADER-NOT: #define LEND_{{.*}} 512

// The report counts the result; both plans are at what is live at once.
// JSON: "function": "lend",
// JSON: "cuts": [256],
// JSON: "buffers_unplanned": 0,
// JSON: "arena_bytes": 512,
// JSON: "peak": {
// JSON-NEXT: "bytes": 512,
// SOLVED: "cuts": [256],
// SOLVED: "arena_bytes": 512,
// ALONE: "function": "lend",
// ALONE: "unplanned_bytes": 256,
// ALONE: "arena_bytes": 512,

// GLOBAL-LABEL: func.func @lend(
// GLOBAL: memplan.arena returned
// GLOBAL: memplan.arena global

func.func @lend(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %b = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<8x8xf32>
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%b : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %b : memref<8x8xf32>
  return %r : memref<8x8xf32>
}

// All temporaries are in the memory of results: there is no arena. The result
// is returned by another view, and on two paths.
// CHECK-LABEL: func.func @nothing_else(
// CHECK: %[[OWN:.*]] = memplan.arena returned align(64) : memref<256xi8>
// CHECK-NOT: memplan.arena
// CHECK-COUNT-2: return %{{.*}} : memref<64xf32>
func.func @nothing_else(%in: memref<8x8xf32>, %cond: i1) -> memref<64xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  %r = memref.collapse_shape %c [[0, 1]] : memref<8x8xf32> into memref<64xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  linalg.exp ins(%a : memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  memref.dealloc %a : memref<8x8xf32>
  cf.cond_br %cond, ^left, ^right
^left:
  return %r : memref<64xf32>
^right:
  linalg.exp ins(%in : memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return %r : memref<64xf32>
}

// A result that is written before the others, and one that lends nothing: both
// keep their allocations.
// CHECK-LABEL: func.func @early(
// CHECK: memplan.arena align(64) : memref<256xi8>
// CHECK: %[[R:.*]] = memref.alloc() : memref<8x8xf32>
// CHECK: memplan.release
// CHECK: return %[[R]]
func.func @early(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%r : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<8x8xf32>
  return %r : memref<8x8xf32>
}

// A caller frees what it gets, as before.
// CHECK-LABEL: func.func @caller(
// CHECK: %[[R:.*]] = call @lend(
// CHECK: memref.dealloc %[[R]]
func.func @caller(%in: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %r = call @lend(%in) : (memref<8x8xf32>) -> memref<8x8xf32>
  memref.copy %r, %out : memref<8x8xf32> to memref<8x8xf32>
  memref.dealloc %r : memref<8x8xf32>
  return
}

// REMARK-NOT: is returned

//--- kept.mlir

// These results lend nothing: the plan is the same as without the option.

func.func @twice(%in: memref<8x8xf32>) -> (memref<8x8xf32>, memref<8x8xf32>) {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<8x8xf32>
  return %r, %r : memref<8x8xf32>, memref<8x8xf32>
}

func.func @joined(%in: memref<8x8xf32>, %cond: i1) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  %s = memref.alloc() : memref<8x8xf32>
  %x = arith.select %cond, %r, %s : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%x : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<8x8xf32>
  return %x : memref<8x8xf32>
}

func.func @branch(%in: memref<8x8xf32>, %cond: i1) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %x = scf.if %cond -> memref<8x8xf32> {
    %r = memref.alloc() : memref<8x8xf32>
    linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
    scf.yield %r : memref<8x8xf32>
  } else {
    %r = memref.alloc() : memref<8x8xf32>
    linalg.exp ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>)
    scf.yield %r : memref<8x8xf32>
  }
  memref.dealloc %a : memref<8x8xf32>
  return %x : memref<8x8xf32>
}

func.func @one_path(%in: memref<8x8xf32>, %cond: i1) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<8x8xf32>
  cf.cond_br %cond, ^left, ^right
^left:
  return %r : memref<8x8xf32>
^right:
  memref.dealloc %r : memref<8x8xf32>
  return %in : memref<8x8xf32>
}

func.func @stored(%in: memref<8x8xf32>, %keep: memref<memref<8x8xf32>>) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  memref.store %r, %keep[] : memref<memref<8x8xf32>>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<8x8xf32>
  return %r : memref<8x8xf32>
}

func.func @dynamic(%in: memref<?x8xf32>) -> memref<8x8xf32> {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?x8xf32>
  %a = memref.alloc(%n) : memref<?x8xf32>
  linalg.exp ins(%in : memref<?x8xf32>) outs(%a : memref<?x8xf32>)
  %r = memref.alloc() : memref<8x8xf32>
  %s = memref.cast %a : memref<?x8xf32> to memref<8x8xf32>
  linalg.transpose ins(%s : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  memref.dealloc %a : memref<?x8xf32>
  return %r : memref<8x8xf32>
}

func.func @no_others(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}

//--- cuts.mlir

// expected-error@+1 {{the cut at 128 is not above the one before it}}
memplan.problem @f align(64) attributes {cuts = array<i64: 128, 128>} {
  memplan.buffer @a size(64) align(64) live [[0, 2)]
}

// -----

// expected-error@+1 {{the cut at 96 is not a multiple of the arena's alignment 64}}
memplan.problem @f align(64) attributes {cuts = array<i64: 96>} {
  memplan.buffer @a size(64) align(64) live [[0, 2)]
}

// -----

// expected-error@+1 {{a problem with cuts cannot have banks, or sizes that are formulas}}
memplan.problem @f align(64) banks(128) attributes {cuts = array<i64: 128>} {
  memplan.buffer @a size(64) align(64) live [[0, 2)]
}

//--- stale.mlir

// A buffer that crosses a cut.
// expected-error@+1 {{states a wrong plan: buffer 'b0' [448, 704) crosses the cut at 512}}
memplan.problem @f align(64) attributes {cuts = array<i64: 512>, options = {lend_results = true}, status = "feasible"} {
  // expected-note@+1 {{@b0 is stated here}}
  memplan.buffer @b0 size(256) align(64) live [[1, 4)] offset(448)
  memplan.buffer @b1 size(256) align(64) live [[3, 5)] offset(0) pinned
}
func.func @f(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}

// -----

// expected-error@+1 {{states a wrong plan: the result @b1 is at offset 256 and not at the cut 0}}
memplan.problem @f align(64) attributes {cuts = array<i64: 256>, options = {lend_results = true}, status = "feasible"} {
  memplan.buffer @b0 size(256) align(64) live [[1, 4)] offset(0)
  memplan.buffer @b1 size(256) align(64) live [[3, 5)] offset(256)
}
func.func @f(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}

// -----

// expected-error@+1 {{is stale: it states 2 cuts but results can lend memory in 1 pieces}}
memplan.problem @f align(64) attributes {cuts = array<i64: 256, 512>, options = {lend_results = true}, status = "feasible"} {
  memplan.buffer @b0 size(256) align(64) live [[1, 4)] offset(512)
  memplan.buffer @b1 size(256) align(64) live [[3, 5)] offset(0)
}
func.func @f(%in: memref<8x8xf32>) -> memref<8x8xf32> {
  %a = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%in : memref<8x8xf32>) outs(%a : memref<8x8xf32>) permutation = [1, 0]
  %r = memref.alloc() : memref<8x8xf32>
  linalg.transpose ins(%a : memref<8x8xf32>) outs(%r : memref<8x8xf32>) permutation = [1, 0]
  return %r : memref<8x8xf32>
}
