// A callee of several blocks returns one of two buffers of its caller.
//
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @pick(%m: memref<8xi64>, %n: memref<8xi64>, %c: i1) -> memref<8xi64> {
  cf.cond_br %c, ^one, ^two
^one:
  return %m : memref<8xi64>
^two:
  return %n : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r = call @pick(%a, %b, %true) : (memref<8xi64>, memref<8xi64>, i1) -> memref<8xi64>
  %s = call @pick(%a, %b, %false) : (memref<8xi64>, memref<8xi64>, i1) -> memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
