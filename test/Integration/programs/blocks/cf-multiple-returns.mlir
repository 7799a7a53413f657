// The arena is freed at each exit.
//
// CHECK: arena @choose: naive=192 others=128
// CHECK-NOT: left

func.func @choose(%c: i1, %d: i1) {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  cf.cond_br %c, ^one, ^two
^one:
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
^two:
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  cf.cond_br %d, ^three, ^four
^three:
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
^four:
  %e = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%e : memref<8xi64>)
  linalg.map { arith.addi } ins(%e, %a : memref<8xi64>, memref<8xi64>) outs(%e : memref<8xi64>)
  %s3 = memref.load %e[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @choose(%true, %true) : (i1, i1) -> ()
  call @choose(%false, %true) : (i1, i1) -> ()
  call @choose(%false, %false) : (i1, i1) -> ()
  return
}
