// What callers provide counts, under its own name; totals have the RAM and the ROM
// of the module.
// RUN: memplan-opt %s --plan-memory="arena=argument scope=module report=text" \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: memplan-opt %s --plan-memory="arena=argument scope=module report=json" \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --check-prefix=JSON
// ARGUMENT-LABEL: arena of @main in memory space 0
// ARGUMENT:         arena      128 bytes, {{.*}}, provided by the caller
// ARGUMENT:       total: 1 arena, 128 bytes; {{.*}}; provided by callers 1 arena, 128 bytes; not planned 1 buffer, 32 bytes; 1 argument, 64 bytes; 1 result, 32 bytes; 1 constant, 16 bytes; 1 global, 8 bytes
// ARGUMENT-NEXT:  RAM: 168 bytes; ROM: 16 bytes
// With one public function these are its RAM and ROM.
// ARGUMENT-NOT:   RAM
// JSON:      "arenas": 1,
// JSON-NEXT: "arena_bytes": 128,
// JSON:      "from_callers": {"count": 1, "bytes": 128, "unknown": 0},
// JSON-NEXT: "without_plan": 0,
// JSON:      "ram": {"count": 3, "bytes": 168, "unknown": 0},
// JSON-NEXT: "rom": {"count": 1, "bytes": 16, "unknown": 0}
// JSON:      "function": "helper",
// JSON:      "is_frame": true,
// JSON-NEXT: "status"
// JSON:      "function": "main",
// JSON:      "is_frame": true,
// JSON-NEXT: "placement": "argument",

// An arena in a global variable counts once when the program is planned again.
// RUN: memplan-opt %s --plan-memory="arena=global scope=module" \
// RUN:   | memplan-opt --plan-memory=report=text -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=AGAIN
// AGAIN:     planned before 1 arena, 128 bytes; {{.*}}; 1 global, 8 bytes
// The result is allocated in a function that is not planned again.
// AGAIN-NEXT: RAM: 136 bytes; ROM: 16 bytes

memref.global "private" constant @weights : memref<4xf32> = dense<1.0>
memref.global "private" @counter : memref<2xf32> = dense<0.0>

func.func private @helper(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  linalg.exp ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}

func.func @main(%x: memref<16xf32>) -> memref<8xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.abs ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  call @helper(%x) : (memref<16xf32>) -> ()
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %r = memref.alloc() : memref<8xf32>
  return %r : memref<8xf32>
}
