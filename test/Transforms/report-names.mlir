// Reports name buffers by their values, by names in locations, and by the ops
// that make their contents.
// RUN: memplan-opt %s --plan-memory="report=text" -o %t.mlir 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TEXT
// RUN: memplan-opt %s --plan-memory="report=json" -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=JSON
// The report leaves nothing in the program.
// RUN: memplan-opt %s --plan-memory -o - | diff %t.mlir -

// TEXT-LABEL: arena of @named
// TEXT:         peak
// TEXT-DAG:       b0  64 bytes at offset 0, memref<16xf32>, %alloc "conv1", made by linalg.exp, model.py:3:1
// TEXT-DAG:       b1  64 bytes at offset 0, memref<16xf32>, %alloc_0 "relu", made by linalg.abs, {{.*}}report-names.mlir:[[#]]:8
// TEXT:         not planned
// TEXT:           b2  memref<?xf32>, %alloc_1, {{.*}}report-names.mlir:[[#]]:8: has a dynamic shape
// JSON:      "name": "b0", "value": "%alloc", "label": "conv1", "type": "memref<16xf32>", "location": "model.py:3:1", "op": "linalg.exp", "op_location": "{{.*}}report-names.mlir:[[#]]:3"
// JSON:      "name": "b1", "value": "%alloc_0", "label": "relu", {{.*}}"op": "linalg.abs", "op_location": "model.py:4:1"
// JSON:      "name": "b2", "value": "%alloc_1", "type"
func.func @named(%in: memref<16xf32>, %out: memref<16xf32>, %n: index) {
  %a = memref.alloc() : memref<16xf32> loc("conv1"("model.py":3:1))
  linalg.exp ins(%in : memref<16xf32>) outs(%a : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.abs ins(%a : memref<16xf32>) outs(%b : memref<16xf32>) loc("relu"("model.py":4:1))
  // The division may be by zero, so it stays where it is.
  %unknown = arith.divsi %n, %n : index
  %c = memref.alloc(%unknown) : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  linalg.exp ins(%b : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}
