// One remark for each buffer and one for each arena, through MLIR's remark
// engine.
// RUN: memplan-opt %s --plan-memory="strategy=greedy in-place=false" --remarks-filter='plan.*' \
// RUN:   -verify-diagnostics
// RUN: memplan-opt %s --plan-memory="strategy=greedy in-place=false" --remarks-filter='plan.*' \
// RUN:   --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML < %t.yaml
// RUN: memplan-opt %s --plan-memory=in-place=false | memplan-opt --plan-memory=in-place=false \
// RUN:   --remarks-filter='plan.*' -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// RUN: memplan-opt %s --memplan-extract=in-place=false --remarks-filter='plan.*' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXTRACT

// AGAIN: AlreadyPlanned {{.*}}already has an arena
// Before the problem is solved there is no arena.
// EXTRACT-NOT: ArenaPlan
// EXTRACT: BufferNotPlanned {{.*}}b2 not planned: it is returned
// EXTRACT-NOT: ArenaPlan

// YAML: --- !Passed
// YAML: Pass: plan-memory
// YAML: Name: BufferPlanned
// YAML: Function: remarks
// YAML: Offset: {{'?}}64
// YAML: --- !Analysis
// YAML: Name: ArenaPlan
// YAML: ArenaBytes: {{'?}}128
// YAML: --- !Missed
// YAML: Name: BufferNotPlanned

// expected-remark@+1 {{ArenaBytes=128, BoundBytes=128, Buffers=2, Remark=arena, SumBytes=128}}
func.func @remarks(%f: f32, %i: index) -> memref<16xf32> {
  // expected-remark@+1 {{Bytes=64, Offset=0, Remark="b0 planned at offset 0"}}
  %a = memref.alloc() : memref<16xf32>
  // expected-remark@+1 {{Bytes=64, Offset=64, Remark="b1 planned at offset 64"}}
  %b = memref.alloc() : memref<16xf32>
  // The reason, and the location of the op that causes it.
  // expected-remark-re@+1 {{Remark="b2 not planned: it is returned at loc("{{.*}}remarks.mlir":{{[0-9]+}}:3); results=out-params places it, or scope=module if its function is private"}}
  %c = memref.alloc() : memref<16xf32>
  memref.store %f, %a[%i] : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  return %c : memref<16xf32>
}
