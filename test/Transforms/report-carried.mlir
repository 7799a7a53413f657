// Buffers that loops carry move through slots, and those that branches join
// share one: the report names every slot, with its bytes and with its buffers
// and their live ranges.
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=json report-file=%t.json" -o /dev/null
// RUN: %python %S/../tools/check_report_slots.py %t.json | FileCheck %s --check-prefix=SLOTS
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=text" -o /dev/null 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: memplan-opt %s --memplan-extract | FileCheck %s --check-prefix=EXTRACT
// RUN: memplan-opt %s --memplan-extract --memplan-solve=strategy=greedy --memplan-materialize --memplan-lower > %t.steps
// RUN: memplan-opt %s --plan-memory=strategy=greedy | diff %t.steps -
// RUN: memplan-opt %s --plan-memory=strategy=greedy --remarks-filter='plan.*' -verify-diagnostics -o /dev/null

// SLOTS: carried: slots b0 at 0, b1 at 64; b0 in b0 b1, b1 in b0 b1
// SLOTS: joined: slots b0 at 0; b0 in b0, b1 in b0
// SLOTS: no two slots that are live at once overlap

// TEXT-LABEL: arena of @carried
// TEXT: sum        80 bytes, the arena without reuse
// TEXT: peak       32 bytes live at point 4,
// TEXT-NEXT: b0  16 bytes at offset 0, holds b0, {{.*}}:[[#]]:8 or b1, {{.*}}:[[#]]:10
// TEXT-NEXT: b1  16 bytes at offset 64, holds b0, {{.*}} or b1,
// TEXT: shared slots
// TEXT-NEXT: b0  16 bytes at offset 0: b0 [2, 6) [7, 8), b1 [4, 8)
// TEXT-NEXT: b1  16 bytes at offset 64: b0 [4, 6) [7, 8), b1 [4, 8)
// TEXT-LABEL: arena of @joined
// TEXT: buffers    2 planned in 1 slot, 0 not

// EXTRACT-LABEL: func.func @carried
// EXTRACT: memref.alloc() {memplan.buffer = ["b0", "b1"]}
// EXTRACT: memref.alloc() {memplan.buffer = ["b0", "b1"]}

// expected-remark@+1 {{ArenaBytes=80, BoundBytes=80, Buffers=2, Remark=arena, SumBytes=80}}
func.func @carried(%f: f32, %i: index, %n: index, %c0: index) -> f32 {
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{Remark="b0 moves through the slots at offsets 0, 64"}}
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %last = scf.for %k = %c0 to %n step %c1 iter_args(%x = %a) -> memref<4xf32> {
    // expected-remark@+1 {{Remark="b1 moves through the slots at offsets 0, 64"}}
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %v = memref.load %last[%i] : memref<4xf32>
  return %v : f32
}

// expected-remark@+1 {{ArenaBytes=64, BoundBytes=64, Buffers=2, Remark=arena, SumBytes=128}}
func.func @joined(%c: i1, %f: f32, %i: index) -> f32 {
  %r = scf.if %c -> memref<16xf32> {
    // expected-remark@+1 {{Remark="b0 planned at offset 0"}}
    %a = memref.alloc() : memref<16xf32>
    memref.store %f, %a[%i] : memref<16xf32>
    scf.yield %a : memref<16xf32>
  } else {
    // expected-remark@+1 {{Remark="b1 planned at offset 0"}}
    %b = memref.alloc() : memref<16xf32>
    scf.yield %b : memref<16xf32>
  }
  %v = memref.load %r[%i] : memref<16xf32>
  return %v : f32
}
