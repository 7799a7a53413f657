// The number of iterations comes from a buffer: none, one, four.
//
// CHECK: 0
// CHECK: 1
// CHECK: 4
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @run: naive=192 others=192
// CHECK-NOT: left

func.func @run(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %m = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%m : memref<8xi64>)
    linalg.map { arith.addi } ins(%m, %p : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
    scf.yield %m : memref<8xi64>
  }
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %x = memref.load %t[%c0] : memref<8xi64>
  memref.store %x, %t[%c1] : memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  call @run(%c0) : (index) -> ()
  call @run(%c1) : (index) -> ()
  call @run(%c4) : (index) -> ()
  return
}
