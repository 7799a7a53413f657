// Each branch yields an allocation.
//
// The two results are the buffer of one branch: one slot for both, and one for
// %other.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %false = arith.constant false
  %r = scf.if %false -> (memref<8xi64>) {
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    scf.yield %a : memref<8xi64>
  } else {
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    scf.yield %b : memref<8xi64>
  }
  %other = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%other : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %other[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
