// The plan and the program agree. What disagrees is named.
// REQUIRES: opgraph
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false report=json report-file=%t.plan" --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.trace %observe
// RUN: memplan-graph compare-trace --plan=%t.plan %t.trace | FileCheck %s
// CHECK: @net: planned 128 bytes, used 128, live at the peak 128, lives 3
// CHECK-NEXT: @sized: planned {{[0-9]+}} bytes (at the first hint), used 128, live at the peak 128, lives 2
// CHECK-NEXT: @spread: planned 512 bytes, not used
// CHECK-NEXT: @spread loop 0: planned 128 bytes, used 128, live at the peak 128, lives 8
// CHECK-NEXT: @main: planned 320 bytes, used 320
// CHECK-NEXT: the program and the plan agree

// The page has the lives.
// RUN: memplan-graph compare-trace --plan=%t.plan --html=%t.html --output=/dev/null %t.trace
// RUN: FileCheck %s --check-prefix=PAGE < %t.html
// PAGE: "observed": {{\[\[}}0, 0, 64, 1, 6], [0, 0, 64, 5, 7], [0, 64, 64, 3, 6],

// Another offset, and another life, in the report.
// RUN: sed 's/"name": "b1", "size": 64, "alignment": 64, "offset": 64/"name": "b1", "size": 64, "alignment": 64, "offset": 0/' %t.plan > %t.offset
// RUN: not memplan-graph compare-trace --plan=%t.offset %t.trace | FileCheck %s --check-prefix=OFFSET
// OFFSET: disagrees: slot b1 of @net is born at offset 64 for linalg.abs at {{.*}}compare.mlir:[[#@LINE+60]]:3 (point 3), planned at 0
// OFFSET: {{[0-9]+}} differences
// RUN: sed 's/\[\[1, 6\]\]/[[2, 6]]/' %t.plan > %t.life
// RUN: not memplan-graph compare-trace --plan=%t.life %t.trace | FileCheck %s --check-prefix=LIFE
// LIFE: disagrees: slot b0 of @net is born for linalg.exp at {{.*}} (point 1), where it is dead by the plan

// A view of the program that is not where the plan has it: two live slots.
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" | sed 's/arena\[64\]/arena[0]/' | memplan-opt --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.wrong %observe
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.wrong | FileCheck %s --check-prefix=WRONG
// WRONG: disagrees: slot b1 of @net is born at offset 0 for linalg.abs
// WRONG: disagrees: slot b1 of @net is born for linalg.abs at {{.*}} at bytes of slot b0 of @net, which is live: born for linalg.exp at

// A use where the slot is dead.
// RUN: memplan-opt %s --memplan-observe --plan-memory="lower=false" | sed 's/array<i64: 1, 6>/array<i64: 1, 5>/' | memplan-opt --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.dead %observe
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.dead | FileCheck %s --check-prefix=DEAD
// DEAD: disagrees: slot b0 of @net dies after linalg.abs at {{.*}}, where it is live by the plan
// DEAD: disagrees: slot b0 of @net is used by linalg.add at {{.*}}, but is dead

// Other files.
// RUN: not memplan-graph compare-trace %t.trace 2>&1 | FileCheck %s --check-prefix=NO-PLAN
// NO-PLAN: error: no --plan
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.plan 2>&1 | FileCheck %s --check-prefix=NO-TRACE
// NO-TRACE: {{.*}}: error: {{.*}}
// RUN: sed 's/"site": [0-9]*, "begin"/"begin"/' %t.trace > %t.no-site
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.no-site 2>&1 | FileCheck %s --check-prefix=NO-SITE
// NO-SITE: error: an event has no 'site'
// RUN: sed 's/"offset": 64/"offset": 9223372036854775807/' %t.trace > %t.large
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.large 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: a number is too large

// Events that were dropped: their counts are known.
// RUN: sed 's/"use_of_dead": 0/"use_of_dead": 3/; s/"findings": 0/"findings": 5/' %t.trace > %t.counted
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.counted | FileCheck %s --check-prefix=COUNTED
// COUNTED: disagrees: dead slots are used 3 times, of which 0 are listed
// COUNTED-NEXT: disagrees: guards have found 5 errors while the program ran
// COUNTED-NEXT: 2 differences
// RUN: memplan-opt %s --memplan-observe --plan-memory=lower=false --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_EVENTS=0 MEMPLAN_OBSERVE_JSON=%t.none %observe
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.none | FileCheck %s --check-prefix=NO-EVENT
// NO-EVENT: only the last events are compared: {{[1-9][0-9]*}} were dropped
// NO-EVENT-NEXT: disagrees: no life can be compared: {{[1-9][0-9]*}} slots are born, but no birth is kept
// NO-EVENT-NEXT: 1 differences
// A trace in which no slot was born does not say that the plan is right.
// RUN: memplan-opt %s --memplan-instrument --memplan-to-llvm | env MEMPLAN_OBSERVE_JSON=%t.plain %observe
// RUN: memplan-graph compare-trace --plan=%t.plan %t.plain | FileCheck %s --check-prefix=PLAIN --implicit-check-not=agree
// PLAIN: no slot was born: there is nothing to compare
// Traces that contradict themselves.
// RUN: sed '/"event": "birth"/d' %t.trace > %t.unborn
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.unborn 2>&1 | FileCheck %s --check-prefix=UNBORN
// UNBORN: unborn:4:13: error: {{[0-9]+}} births are counted, 0 events are dropped, but 0 births are listed
// RUN: sed '/"function": "net", .*"peak_bytes"/d' %t.trace > %t.no-peak
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.no-peak | FileCheck %s --check-prefix=NO-PEAK
// NO-PEAK: disagrees: the arena of @net has lives, but no peak
// RUN: sed 's/"dropped": 0, //' %t.trace > %t.no-count
// RUN: not memplan-graph compare-trace --plan=%t.plan %t.no-count 2>&1 | FileCheck %s --check-prefix=NO-COUNT
// NO-COUNT: error: there is no count 'dropped'

func.func @net(%in: memref<16xf32>, %out: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>)
  %c = memref.alloc() : memref<16xf32>
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%c : memref<16xf32>)
  memref.copy %c, %out : memref<16xf32> to memref<16xf32>
  return
}

func.func @sized(%in: memref<?xf32>, %out: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %in, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%in : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.abs ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.add ins(%a, %b : memref<?xf32>, memref<?xf32>) outs(%out : memref<?xf32>)
  return
}

func.func @spread(%in: memref<16xf32>, %out: memref<4x16xf32>) {
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

func.func @main() {
  %f = arith.constant 1.0 : f32
  %in = memref.alloc() : memref<16xf32>
  %out = memref.alloc() : memref<16xf32>
  linalg.fill ins(%f : f32) outs(%in : memref<16xf32>)
  call @net(%in, %out) : (memref<16xf32>, memref<16xf32>) -> ()
  %din = memref.cast %in : memref<16xf32> to memref<?xf32>
  %dout = memref.cast %out : memref<16xf32> to memref<?xf32>
  call @sized(%din, %dout) : (memref<?xf32>, memref<?xf32>) -> ()
  %four = memref.alloc() : memref<4x16xf32>
  call @spread(%in, %four) : (memref<16xf32>, memref<4x16xf32>) -> ()
  return
}
