// Attributes by which a producer says that two buffers had better not share bytes or
// a bank.
// RUN: split-file %s %t
// RUN: memplan-opt %t/pipes.mlir --memplan-extract | FileCheck %t/pipes.mlir
// RUN: memplan-opt %t/loop.mlir --memplan-extract | FileCheck %t/loop.mlir
// RUN: memplan-opt %t/loop.mlir --plan-memory="capacity=256 report=text" --memplan-verify -o /dev/null 2>&1 | FileCheck %t/loop.mlir --check-prefix=TIGHT
// RUN: memplan-opt %t/loop.mlir --plan-memory="capacity=1K report=json" -o %t/planned.mlir 2>&1 | FileCheck %t/loop.mlir --check-prefix=JSON
// RUN: memplan-opt %t/loop.mlir --memplan-extract=capacity=256 --memplan-solve --memplan-materialize --memplan-verify -o /dev/null
// RUN: memplan-opt %t/named.mlir --memplan-extract | FileCheck %t/named.mlir
// RUN: memplan-opt %t/named.mlir --plan-memory="capacity=8K report=text" -o /dev/null 2>&1 | FileCheck %t/named.mlir --check-prefix=PLAN
// RUN: memplan-opt %t/ignored.mlir --memplan-extract -verify-diagnostics | FileCheck %t/ignored.mlir
// RUN: memplan-opt %t/invalid.mlir --memplan-extract -split-input-file -verify-diagnostics

//--- pipes.mlir
// Without waits, "dma" is at work from 0 to 2 and "vector" from 1 to 3. If %b has the
// bytes of %a, the second copy waits from 1 to 2. %u and %v are written by one pipe.
// The add that writes %w over %u or %v reads them at the time, so nothing waits.
// CHECK-LABEL: memplan.problem @straight
// CHECK:         memplan.soft_conflict @b0, @b2 weight(1)
// CHECK-NOT:     memplan.soft_conflict
func.func @straight(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  %u = memref.alloc() : memref<64xf32>
  linalg.copy {memplan.pipe = "dma"} ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp {memplan.pipe = "vector"} ins(%a : memref<64xf32>) outs(%u : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  %v = memref.alloc() : memref<64xf32>
  linalg.copy {memplan.pipe = "dma"} ins(%y : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp {memplan.pipe = "vector"} ins(%b : memref<64xf32>) outs(%v : memref<64xf32>)
  linalg.add ins(%u, %v : memref<64xf32>, memref<64xf32>) outs(%z : memref<64xf32>)
  return
}

// One pipe, or none: nothing waits.
// CHECK-LABEL: memplan.problem @one
// CHECK-NOT:     memplan.soft_conflict
func.func @one(%x: memref<64xf32>, %z: memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.copy {memplan.pipe = "dma"} ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  linalg.exp {memplan.pipe = "dma"} ins(%a : memref<64xf32>) outs(%z : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.copy {memplan.pipe = "dma"} ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.exp {memplan.pipe = "dma"} ins(%b : memref<64xf32>) outs(%z : memref<64xf32>)
  return
}

//--- loop.mlir
// The vector unit takes 3 cycles, a copy one. If %a and %b have the same bytes, a copy
// begins only when the vector unit has read what the copy before brought: 3 cycles
// later, 15 times.
// CHECK-LABEL: memplan.problem @loop
// CHECK:         memplan.soft_conflict @b0, @b1 weight(45)
func.func @loop(%x: memref<64xf32>, %z: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    linalg.copy {memplan.pipe = "dma"} ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    linalg.exp {memplan.pipe = "vector", memplan.cycles = 3 : i64} ins(%a : memref<64xf32>) outs(%z : memref<64xf32>)
    linalg.copy {memplan.pipe = "dma"} ins(%x : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.exp {memplan.pipe = "vector", memplan.cycles = 3 : i64} ins(%b : memref<64xf32>) outs(%z : memref<64xf32>)
  }
  return
}

// TIGHT:         arena      256 bytes
// TIGHT:         penalty    45, at least 45 in every plan that fits
// JSON:      "arena_bytes": 512,
// JSON:      "penalty": 0,
// JSON:      "soft_conflicts": [
// JSON-NEXT:   {"first": "b0", "second": "b1", "weight": 45}

//--- named.mlir
// Each two of the allocations with a name in common; the larger number counts.
// CHECK:      memplan.problem @f space(1 : i64) align(64) banks(4096)
// CHECK:      memplan.soft_conflict @b0, @b2 weight(5)
// CHECK-NEXT: memplan.soft_conflict @b0, @b1 weight(2) of_bank
// CHECK-NEXT: }
// All three would fit into one bank.
// PLAN:  penalty    0, at least 0
// PLAN:  b0  256 bytes at offset 0
// PLAN:  b1  256 bytes at offset 4096
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"npu" =
    #dlti.target_device_spec<"memplan.spaces" = {"1" = {bank_size = 4096 : i64}}>>} {
  func.func @f(%x: memref<64xf32>, %y: memref<64xf32>) {
    %a = memref.alloc() {memplan.apart = {pipe = 5 : i64}, memplan.bank_apart = {operands = 2 : i64}} : memref<64xf32, 1>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32, 1>)
    %c = memref.alloc() {memplan.bank_apart = {operands = 1 : i64}} : memref<64xf32, 1>
    linalg.exp ins(%x : memref<64xf32>) outs(%c : memref<64xf32, 1>)
    linalg.add ins(%a, %c : memref<64xf32, 1>, memref<64xf32, 1>) outs(%y : memref<64xf32>)
    %b = memref.alloc() {memplan.apart = {other = 1 : i64, pipe = 3 : i64}} : memref<64xf32, 1>
    linalg.exp ins(%x : memref<64xf32>) outs(%b : memref<64xf32, 1>)
    linalg.abs ins(%b : memref<64xf32, 1>) outs(%y : memref<64xf32>)
    return
  }
}

//--- ignored.mlir
// CHECK-NOT: banks
// CHECK-NOT: soft_conflict
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"npu" =
    #dlti.target_device_spec<"memplan.spaces" = {"0" = {bank_size = 128 : i64}}>>} {
  func.func @larger(%x: memref<64xf32>) {
    // expected-remark @below {{banks of 128 bytes do not count: this buffer has 256 bytes}}
    %a = memref.alloc() {memplan.bank_apart = {p = 1 : i64}} : memref<64xf32>
    linalg.exp ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
    %b = memref.alloc() {memplan.bank_apart = {p = 1 : i64}} : memref<64xf32>
    linalg.exp ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
    linalg.abs ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
    return
  }
  func.func @dynamic(%x: memref<?xf32>, %n: index) {
    // expected-remark @below {{pipes, soft conflicts and banks do not count: the size of this buffer is known only when the program runs}}
    %a = memref.alloc(%n) {memplan.apart = {p = 1 : i64}} : memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
    linalg.abs ins(%a : memref<?xf32>) outs(%x : memref<?xf32>)
    %b = memref.alloc(%n) {memplan.apart = {p = 1 : i64}} : memref<?xf32>
    linalg.exp ins(%x : memref<?xf32>) outs(%b : memref<?xf32>)
    linalg.abs ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
    return
  }
}

//--- invalid.mlir
func.func @f(%x: memref<4xf32>) {
  // expected-error @below {{attribute 'memplan.pipe' is the name of a pipe, a string, on an op of a function}}
  linalg.exp {memplan.pipe = 3 : i64} ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
// -----
func.func @f(%x: memref<4xf32>) {
  // expected-error @below {{attribute 'memplan.cycles' must be a 64-bit integer, not negative, beside 'memplan.pipe'}}
  linalg.exp {memplan.cycles = 3 : i64} ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}
// -----
func.func @f() {
  // expected-error @below {{attribute 'memplan.apart' belongs on an allocation and has names with 64-bit integers, not negative}}
  %a = memref.alloc() {memplan.apart = {p = -1 : i64}} : memref<4xf32>
  return
}
// -----
func.func @f(%i: index) {
  // expected-error @below {{attribute 'memplan.bank_apart' belongs on an allocation}}
  %a = arith.addi %i, %i {memplan.bank_apart = {p = 1 : i64}} : index
  return
}
// -----
// expected-error @below {{target description: 'bank_siz' of '1' is none of capacity, alignment, bank_size, read_cost and write_cost}}
module attributes {dlti.target_system_spec = #dlti.target_system_spec<"npu" =
    #dlti.target_device_spec<"memplan.spaces" = {"1" = {bank_siz = 4096 : i64}}>>} {
  func.func @f() {
    return
  }
}
