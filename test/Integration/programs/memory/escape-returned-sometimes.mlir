// Returned at one of two exits.
//
// Not planned: it is returned.
// CHECK: left @make: 2

func.func @make(%c: i1) -> memref<8xi64> {
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  cf.cond_br %c, ^one, ^two
^one:
  return %a : memref<8xi64>
^two:
  return %b : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %r = call @make(%true) : (i1) -> memref<8xi64>
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s = call @make(%false) : (i1) -> memref<8xi64>
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
