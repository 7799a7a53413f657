// The report and the header say for each public function the RAM and the ROM that it
// needs with all that it calls.
// RUN: memplan-opt %s --plan-memory="arena=argument scope=module report=text" --memplan-emit-header -o /dev/null 2>&1 | FileCheck %s
// RUN: memplan-opt %s --plan-memory="report=json" --memplan-emit-header=json-file=%t.json -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// RUN: FileCheck %s --check-prefix=HEADER-JSON < %t.json
// RUN: memplan-opt %s --memplan-pool-constants --plan-memory --memplan-emit-header -o /dev/null | FileCheck %s --check-prefix=POOL

// @first: its arena of 128 bytes, in which @helper has a frame. @second: 64 bytes
// of its own beside the frame of @first, and the variable. @third: nothing but a
// constant, which it reads by a pointer to a function.
// CHECK:      total: 2 arenas,
// CHECK-NEXT: RAM: 352 bytes; ROM: 112 bytes
// CHECK-NEXT:   @first and its callees: RAM 128 bytes; ROM 80 bytes
// CHECK-NEXT:   @second and its callees: RAM 224 bytes; ROM 96 bytes
// CHECK-NEXT:   @third and its callees: RAM 0 bytes; ROM 16 bytes

// CHECK:      #define FIRST_ARENA_BYTES 128
// CHECK:      /* with its callees: arenas, allocations and variables; constants */
// CHECK-NEXT: #define FIRST_RAM_BYTES 128
// CHECK-NEXT: #define FIRST_ROM_BYTES 80
// CHECK:      #define SECOND_ARENA_BYTES 192
// CHECK:      #define SECOND_RAM_BYTES 224
// CHECK-NEXT: #define SECOND_ROM_BYTES 96
// CHECK:      #define THIRD_ARENA_BYTES 0
// CHECK:      #define THIRD_RAM_BYTES 0
// CHECK-NEXT: #define THIRD_ROM_BYTES 16
// CHECK:      /* all functions; a constant counts once */
// CHECK-NEXT: #define PROGRAM_RAM_BYTES 352
// CHECK-NEXT: #define PROGRAM_ROM_BYTES 112

// Each function has an arena on the heap: that of a callee is live beside it.
// JSON: "function": "first", {{.*}} "ram": {"count": 2, "bytes": 128, "unknown": 0}, "rom": {"count": 2, "bytes": 80, "unknown": 0}
// JSON: "function": "third", {{.*}} "ram": {"count": 0, "bytes": 0, "unknown": 0}, "rom": {"count": 1, "bytes": 16, "unknown": 0}
// HEADER-JSON: "name": "first"
// HEADER-JSON: "rom": {
// HEADER-JSON-NEXT: "bytes": 80,

// A pool counts as a whole: @third reads a part of it.
// POOL: #define THIRD_ROM_BYTES 112
// POOL: #define PROGRAM_ROM_BYTES 112

memref.global "private" constant @weights : memref<16xf32> = dense<1.0>
memref.global "private" constant @bias : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global "private" constant @scale : memref<4xf32> = dense<[5.0, 6.0, 7.0, 8.0]>
memref.global "private" constant @other : memref<4xf32> = dense<[9.0, 8.0, 7.0, 6.0]>
memref.global "private" @counter : memref<8xf32> = dense<0.0>

func.func private @helper(%x: memref<16xf32>) {
  %w = memref.get_global @weights : memref<16xf32>
  %a = memref.alloc() : memref<16xf32>
  linalg.add ins(%x, %w : memref<16xf32>, memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

func.func @first(%x: memref<16xf32>, %y: memref<4xf32>) {
  %b = memref.get_global @bias : memref<4xf32>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  call @helper(%x) : (memref<16xf32>) -> ()
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

func.func @second(%x: memref<16xf32>, %y: memref<4xf32>) {
  %s = memref.get_global @scale : memref<4xf32>
  memref.copy %s, %y : memref<4xf32> to memref<4xf32>
  %c = memref.get_global @counter : memref<8xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<8xf32>)
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  call @first(%a, %y) : (memref<16xf32>, memref<4xf32>) -> ()
  linalg.exp ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  return
}

func.func private @read(%y: memref<4xf32>) {
  %o = memref.get_global @other : memref<4xf32>
  memref.copy %o, %y : memref<4xf32> to memref<4xf32>
  return
}

func.func @third(%y: memref<4xf32>) {
  %f = func.constant @read : (memref<4xf32>) -> ()
  call_indirect %f(%y) : (memref<4xf32>) -> ()
  return
}
