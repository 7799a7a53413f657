// A select between an argument and a buffer of the function.
//
// CHECK: arena @pick: naive=128 others=128
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func @pick(%m: memref<8xi64>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = arith.select %c, %m, %a : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %x = memref.load %b[%c0] : memref<8xi64>
  memref.store %x, %b[%c1] : memref<8xi64>
  return
}
func.func @main() {
  %k7 = arith.constant 7 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%a : memref<8xi64>)
  call @pick(%a, %true) : (memref<8xi64>, i1) -> ()
  call @pick(%a, %false) : (memref<8xi64>, i1) -> ()
  return
}
