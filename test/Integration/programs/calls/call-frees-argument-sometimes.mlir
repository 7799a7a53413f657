// The callee frees its argument under a condition.
//
// Not planned: it is passed to @drop, which frees it.
// CHECK: left @main: 2

func.func private @drop(%m: memref<8xi64>, %c: i1) {
  scf.if %c {
    memref.dealloc %m : memref<8xi64>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  call @drop(%a, %true) : (memref<8xi64>, i1) -> ()
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  call @drop(%b, %false) : (memref<8xi64>, i1) -> ()
  return
}
