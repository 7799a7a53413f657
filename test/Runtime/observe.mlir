// The observer and the guards change no result: without a plan and with one, in
// loops and branches, with dynamic sizes, workers, asynchronous work, and calls.
// REQUIRES: opgraph
// RUN: memplan-opt %s --memplan-to-llvm | %observe | sed 's/base@ = 0x[0-9a-f]*//' > %t.plain
// RUN: memplan-opt %s --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.unplanned %observe | sed 's/base@ = 0x[0-9a-f]*//' | diff %t.plain -
// RUN: FileCheck %s --check-prefix=UNPLANNED < %t.unplanned
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.planned MEMPLAN_OBSERVE_CSV=%t.csv MEMPLAN_OBSERVE_SLOTS_CSV=%t.slots MEMPLAN_OBSERVE_TRACE=%t.trace %observe | sed 's/base@ = 0x[0-9a-f]*//' | diff %t.plain -
// RUN: FileCheck %s --check-prefix=PLANNED < %t.planned
// RUN: %python -c "import json, sys; json.load(open(sys.argv[1])); print(sorted({e['ph'] for e in json.load(open(sys.argv[2]))['traceEvents']}))" %t.planned %t.trace | FileCheck %s --check-prefix=PHASES
// RUN: memplan-graph plan --trace=csv %t.csv | FileCheck %s --check-prefix=CSV
// RUN: memplan-graph profile --trace=csv %t.csv | FileCheck %s --check-prefix=PROFILE
// RUN: memplan-graph plan --trace=csv %t.slots | FileCheck %s --check-prefix=SLOTS
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false scope=module" --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.module %observe | sed 's/base@ = 0x[0-9a-f]*//' | diff %t.plain -
// RUN: FileCheck %s --check-prefix=MODULE < %t.module
// RUN: memplan-opt %s --memplan-observe=guard=64 --plan-memory="lower=false" --memplan-instrument --memplan-lower=guard --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.guarded %observe | sed 's/base@ = 0x[0-9a-f]*//' | diff %t.plain -
// RUN: FileCheck %s --check-prefix=PLANNED < %t.guarded
// RUN: memplan-opt %s --memplan-observe=guard=64 --plan-memory="lower=false scope=module arena=global" --memplan-lower=guard --memplan-to-llvm | %observe | sed 's/base@ = 0x[0-9a-f]*//' | diff %t.plain -
// RUN: memplan-opt %s --memplan-observe=guard=64 --plan-memory="lower=false arena=alloca workers=0" --memplan-lower=guard --memplan-to-llvm | %observe | sed 's/base@ = 0x[0-9a-f]*//' | diff %t.plain -
// The ring buffer keeps the last events; counts stay exact.
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.ring MEMPLAN_OBSERVE_EVENTS=10 %observe > /dev/null
// RUN: FileCheck %s --check-prefix=RING < %t.ring

// UNPLANNED: "counts": {"alloc": 30, "free": 0, "birth": 0, "death": 0, "use": 0, "use_of_dead": 0, "dropped": 0, "findings": 0}
// UNPLANNED: "peak": {"bytes": 2080,
// PLANNED: "counts": {"alloc": 8, "free": 8, "birth": 30, "death": 30, "use": 72, "use_of_dead": 0, "dropped": 0, "findings": 0}
// PLANNED-NEXT: "live_bytes": 0,
// PLANNED-NEXT: "live_slot_bytes": 0,
// MODULE: "counts": {"alloc": 7, "free": 7, "birth": 30, "death": 30,
// RING: "counts": {"alloc": 8, "free": 8, "birth": 30, "death": 30, "use": 72, "use_of_dead": 0, "dropped": 66,
// RING: "peak": {"bytes": 896,
// RING: "events": [
// RING-NEXT: {"number": 67,
// PHASES: ['C', 'b', 'e']
// CSV: peak: 896
// PROFILE: peak: 896 bytes
// SLOTS: space: main

func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
// Two lives with a hole, a branch, and a loop.
func.func @flow(%in: memref<16xf32>, %out: memref<16xf32>, %c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %out : memref<16xf32> to memref<16xf32>
  scf.if %c {
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
    memref.copy %b, %out : memref<16xf32> to memref<16xf32>
  }
  linalg.abs ins(%out : memref<16xf32>) outs(%a : memref<16xf32>)
  scf.for %i = %c0 to %n step %c1 {
    %d = memref.alloc() : memref<16xf32>
    linalg.add ins(%a, %in : memref<16xf32>, memref<16xf32>) outs(%d : memref<16xf32>)
    linalg.add ins(%out, %d : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  }
  return
}
// A loop-carried buffer: two slots that take turns.
func.func @carried(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  memref.copy %in, %a : memref<16xf32> to memref<16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> memref<16xf32> {
    %b = memref.alloc() : memref<16xf32>
    linalg.add ins(%x, %in : memref<16xf32>, memref<16xf32>) outs(%b : memref<16xf32>)
    scf.yield %b : memref<16xf32>
  }
  memref.copy %r, %out : memref<16xf32> to memref<16xf32>
  return
}
func.func private @callee(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.abs ins(%a : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
func.func @dynamic(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%in : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  %c = memref.alloc() : memref<8xf32>
  %f = arith.constant 2.0 : f32
  linalg.fill ins(%f : f32) outs(%c : memref<8xf32>)
  %v = memref.load %c[%c0] : memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%out : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %s, %v : f32
    linalg.yield %t : f32
  }
  return
}
func.func @workers(%in: memref<16xf32>, %out: memref<4x16xf32>) {
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    %b = memref.alloc() : memref<16xf32>
    linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
    %s = memref.subview %out[%i, 0] [1, 16] [1, 1] : memref<4x16xf32> to memref<16xf32, strided<[1], offset: ?>>
    linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%s : memref<16xf32, strided<[1], offset: ?>>)
  }
  return
}
func.func @task(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %t = async.execute {
    linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
    async.yield
  }
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%in : memref<16xf32>) outs(%b : memref<16xf32>)
  async.await %t : !async.token
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
func.func @main() {
  %f = arith.constant 1.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %c3 = arith.constant 3 : index
  %in = memref.alloc() : memref<16xf32>
  %out = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%in : memref<16xf32>)
  call @flow(%in, %out, %true, %c3) : (memref<16xf32>, memref<16xf32>, i1, index) -> ()
  call @flow(%in, %out, %false, %c3) : (memref<16xf32>, memref<16xf32>, i1, index) -> ()
  %u = memref.cast %out : memref<16xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @carried(%in, %out, %c3) : (memref<16xf32>, memref<16xf32>, index) -> ()
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  call @callee(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %id = memref.cast %in : memref<16xf32> to memref<?xf32>
  %od = memref.cast %out : memref<16xf32> to memref<?xf32>
  call @dynamic(%id, %od) : (memref<?xf32>, memref<?xf32>) -> ()
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %four = memref.alloc() : memref<4x16xf32>
  call @workers(%in, %four) : (memref<16xf32>, memref<4x16xf32>) -> ()
  %uf = memref.cast %four : memref<4x16xf32> to memref<*xf32>
  call @printMemrefF32(%uf) : (memref<*xf32>) -> ()
  call @task(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
