// Written before the loop and, if it runs, by the loop.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @run: naive=192 others=128
// CHECK-NOT: left

func.func @run(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k5 = arith.constant 5 : i64
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%a : memref<8xi64>)
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
  %y = memref.load %t[%c0] : memref<8xi64>
  scf.for %i = %c0 to %n step %c1 {
    linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  }
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %x = memref.load %b[%c0] : memref<8xi64>
  memref.store %x, %b[%c1] : memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @run(%c0) : (index) -> ()
  call @run(%c1) : (index) -> ()
  return
}
