// A callee returns its argument or a new buffer, and the caller uses both.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// Not planned: it is returned.
// CHECK: left @maybe: 1

func.func private @maybe(%m: memref<8xi64>, %c: i1) -> memref<8xi64> {
  %k7 = arith.constant 7 : i64
  %r = scf.if %c -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  } else {
    scf.yield %m : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = call @maybe(%a, %false) : (memref<8xi64>, i1) -> memref<8xi64>
  %s = call @maybe(%a, %true) : (memref<8xi64>, i1) -> memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
