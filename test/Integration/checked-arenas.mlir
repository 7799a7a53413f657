// A function that gets its arena from its caller aborts the program if the
// arena is too small or not aligned.
// RUN: sed 's/BYTES/128/; s/SKEW/0/' %s | memplan-opt --memplan-check-arena-arguments | %execute | FileCheck %s
// RUN: sed 's/BYTES/192/; s/SKEW/64/' %s | memplan-opt --memplan-check-arena-arguments | %execute | FileCheck %s
// RUN: sed 's/BYTES/127/; s/SKEW/0/' %s | memplan-opt --memplan-check-arena-arguments --memplan-to-llvm > %t.small
// RUN: not --crash stdbuf -oL mlir-runner -O2 -e main -entry-point-result=void -shared-libs=%runner_libs %t.small 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: sed 's/BYTES/128/; s/SKEW/32/' %s | memplan-opt --memplan-check-arena-arguments --memplan-to-llvm > %t.skew
// RUN: not --crash stdbuf -oL mlir-runner -O2 -e main -entry-point-result=void -shared-libs=%runner_libs %t.skew 2>&1 | FileCheck %s --check-prefix=SKEW
// CHECK: 16
// SMALL: the arena of @f has less than 128 bytes
// SKEW: the arena of @f is not aligned to 64 bytes

func.func @f(%out: memref<16xf32>, %arena: memref<128xi8> {memplan.arena = 64 : i64}) {
  %c0 = arith.constant 0 : index
  %v = arith.constant 16.0 : f32
  %a = memref.view %arena[%c0][] : memref<128xi8> to memref<16xf32>
  linalg.fill ins(%v : f32) outs(%a : memref<16xf32>)
  linalg.copy ins(%a : memref<16xf32>) outs(%out : memref<16xf32>)
  return
}

func.func private @printF32(f32)
func.func @main() {
  %c0 = arith.constant 0 : index
  %bytes = arith.constant BYTES : index
  %skew = arith.constant SKEW : index
  %memory = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
  %part = memref.view %memory[%skew][%bytes] : memref<1024xi8> to memref<?xi8>
  %arena = memref.cast %part : memref<?xi8> to memref<128xi8>
  %out = memref.alloc() : memref<16xf32>
  call @f(%out, %arena) : (memref<16xf32>, memref<128xi8>) -> ()
  %x = memref.load %out[%c0] : memref<16xf32>
  call @printF32(%x) : (f32) -> ()
  memref.dealloc %out : memref<16xf32>
  memref.dealloc %memory : memref<1024xi8>
  return
}
