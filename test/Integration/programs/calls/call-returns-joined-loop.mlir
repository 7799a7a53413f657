// PROGRAM: scope=module entry-points=main
//
// The last of the loop's buffers is returned, or the one before the loop. None
// is read by the next iteration, so one slot suffices; their deallocations are
// removed.
//
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %n: index) -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %first = memref.alloc() : memref<8xi64>
  %v = memref.load %a[%c0] : memref<8xi64>
  %w = arith.addi %v, %k1 : i64
  linalg.fill ins(%w : i64) outs(%first : memref<8xi64>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (memref<8xi64>) {
    memref.dealloc %x : memref<8xi64>
    %t = memref.alloc() : memref<8xi64>
    %j = arith.index_cast %i : index to i64
    %k = arith.addi %j, %v : i64
    linalg.fill ins(%k : i64) outs(%t : memref<8xi64>)
    scf.yield %t : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = call @f(%a, %c3) : (memref<8xi64>, index) -> memref<8xi64>
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s = call @f(%r, %c0) : (memref<8xi64>, index) -> memref<8xi64>
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
