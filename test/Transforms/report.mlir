// The report as text and JSON, to standard error, standard output and a file.
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=text" -o /dev/null \
// RUN:   2>&1 | FileCheck %s --check-prefix=TEXT --match-full-lines --strict-whitespace
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=json" -o /dev/null \
// RUN:   2>%t.stderr
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=json report-file=%t.json" \
// RUN:   -o /dev/null 2>&1 | count 0
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=json report-file=-" \
// RUN:   -o /dev/null | diff %t.json -
// RUN: diff %t.stderr %t.json
// RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=JSON
// Two runs give the same bytes.
// RUN: memplan-opt %s --plan-memory="strategy=greedy report=json" -o /dev/null \
// RUN:   2>&1 | diff %t.json -
// There is no report unless requested, nor if it cannot be written.
// RUN: memplan-opt %s --plan-memory=report=none -o /dev/null 2>&1 | count 0
// RUN: not memplan-opt %s --plan-memory="report=json report-file=%t.none/x" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: error: cannot write '{{.*}}x': {{.*}}o such file or directory

//      TEXT:arena of @main in memory space 0
// TEXT-NEXT:  strategy   greedy-by-size, optimal
// TEXT-NEXT:  buffers    3 planned, 1 not (1 of unknown size)
// TEXT-NEXT:  sum        256 bytes, the arena without reuse
// TEXT-NEXT:  bound      192 bytes, no plan of these buffers is smaller
// TEXT-NEXT:  arena      192 bytes, 1.0000 of the bound, 64 bytes saved (25.0 %)
// TEXT-NEXT:  peak       192 bytes live at point 6, {{.*}}report.mlir:[[#]]:3
// TEXT-NEXT:    b1  128 bytes at offset 0, memref<32xf32>, {{.*}}report.mlir:[[#]]:8
// TEXT-NEXT:    b0  64 bytes at offset 128, memref<16xf32>, {{.*}}report.mlir:[[#]]:8
// TEXT-NEXT:  not planned
// TEXT-NEXT:    b3  memref<4xf32, strided<[2]>>, {{.*}}report.mlir:[[#]]:8: has a layout other than the identity
// TEXT-NEXT:arena of @main in memory space 1
// TEXT-NEXT:  strategy   greedy-by-size, optimal
// TEXT-NEXT:  buffers    1 planned, 0 not
// TEXT:arena of @other in memory space 0: nothing to plan; not planned 1 buffer, 16 bytes
// TEXT-NEXT:    b0  16 bytes, memref<4xf32>, {{.*}}report.mlir:[[#]]:8: is returned; results=out-params places it, or scope=module if its function is private
// TEXT-NEXT:total: 2 arenas, 224 bytes; 288 without reuse, 64 bytes saved (22.2 %); not planned 2 buffers, 16 bytes and 1 of unknown size; 1 result, 16 bytes
// TEXT-NEXT:RAM: 240 bytes and 1 of unknown size; ROM: 0 bytes

// JSON: "schema": "memplan-report",
// JSON-NEXT: "version": 2,
// JSON: "arena_bytes": 224,
// JSON-NEXT: "bound_bytes": 224,
// JSON-NEXT: "sum_bytes": 288,
// JSON-NEXT: "saved_bytes": 64,
// JSON-NEXT: "from_callers": {
// JSON: "without_plan": 0,
// JSON-NEXT: "unplanned_bytes": 16,
// JSON: "arenas": [
// JSON: "function": "main",
// JSON-NEXT: "memory_space": "0",
// JSON-NEXT: "is_frame": false,
// JSON-NEXT: "status": "optimal",
// JSON-NEXT: "strategy": "greedy-by-size",
// JSON-NEXT: "winner": "greedy-by-size",
// JSON-NEXT: "message": "",
// JSON-NEXT: "nodes": 0,
// JSON-NEXT: "alignment": 64,
// JSON-NEXT: "buffers_planned": 3,
// JSON-NEXT: "buffers_unplanned": 1,
// JSON-NEXT: "unplanned_bytes": 0,
// JSON-NEXT: "unplanned_unknown": 1,
// JSON-NEXT: "sum_bytes": 256,
// JSON-NEXT: "bound_bytes": 192,
// JSON-NEXT: "arena_bytes": 192,
// JSON-NEXT: "saved_bytes": 64,
// JSON-NEXT: "ratio_to_bound": 1,
// JSON-NEXT: "peak": {
// JSON-NEXT: "bytes": 192,
// JSON-NEXT: "point": 6,
// JSON-NEXT: "location": "{{.*}}report.mlir:{{[0-9]+}}:3",
// JSON-NEXT: "slots": [
// JSON-NEXT: "b1",
// JSON-NEXT: "b0"
// JSON: "slots": [
// JSON: "buffers": [
// JSON: "name": "b0",
// JSON: "name": "b1",
// JSON: "name": "b2",
// JSON: "name": "b3",
// JSON: "size": null,
// JSON: "planned": false,
// JSON-NEXT: "reason": "has a layout other than the identity"
// JSON: "memory_space": "1",
// JSON: "name": "b4",
// JSON: "function": "other",
// JSON: "status": "nothing-to-plan",
func.func @main(%f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<16xf32>            // 0: b0, [5, 8)
  %b = memref.alloc() : memref<32xf32>            // 1: b1, [6, 7)
  %c = memref.alloc() : memref<16xf32>            // 2: b2, [8, 9)
  %d = memref.alloc() : memref<4xf32, strided<[2]>> // 3: b3
  %e = memref.alloc() : memref<8xf32, 1>          // 4: b4
  memref.store %f, %a[%i] : memref<16xf32>        // 5
  memref.store %f, %b[%i] : memref<32xf32>        // 6
  %x = memref.load %a[%i] : memref<16xf32>        // 7
  memref.store %f, %c[%i] : memref<16xf32>        // 8
  memref.store %f, %e[%i] : memref<8xf32, 1>      // 9
  memref.dealloc %d : memref<4xf32, strided<[2]>>
  return %x : f32
}

func.func @other() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// A function that allocates nothing has no arena to report.
// JSON-NOT: "function"
// TEXT-NOT: @nothing
func.func @nothing() {
  return
}
