// PROGRAM: plain
// PROGRAM: scope=module --check-prefix=MODULE
// ARGUMENTS: 4
// CHECK: arena @m: naive=64 others=64
// CHECK: arena @f: naive=64 others=64
// CHECK-NOT: left
// MODULE: arena @f: naive=128 others=128
// MODULE-NOT: left

// The op that frees the buffer of @m tells whether the argument is the same memory.
// Once the buffer is in the arena, this op and its condition are gone, so that @m
// does not free its argument: the first planning of the caller knows it, too.

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @m(%a: memref<8xi64>) -> i64 {
  %true = arith.constant true
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<8xi64>
  linalg.add ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %v = memref.load %t[%c1] : memref<8xi64>
  %owned = bufferization.dealloc (%t : memref<8xi64>) if (%true) retain (%a : memref<8xi64>)
  %w = memref.load %a[%c1] : memref<8xi64>
  %x = arith.addi %v, %w : i64
  bufferization.dealloc (%a : memref<8xi64>) if (%owned)
  return %x : i64
}

func.func @f(%k: i64) -> i64 {
  %true = arith.constant true
  %u = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%u : memref<8xi64>)
  %r = call @m(%u) : (memref<8xi64>) -> i64
  bufferization.dealloc (%u : memref<8xi64>) if (%true)
  return %r : i64
}

func.func @main(%k: i64) {
  %r = call @f(%k) : (i64) -> i64
  call @printI64(%r) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
