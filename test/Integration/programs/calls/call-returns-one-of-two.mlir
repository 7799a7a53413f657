// The callee returns one of its arguments.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @pick(%m: memref<8xi64>, %n: memref<8xi64>, %c: i1) -> memref<8xi64> {
  %r = arith.select %c, %m, %n : memref<8xi64>
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r = call @pick(%a, %b, %false) : (memref<8xi64>, memref<8xi64>, i1) -> memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
