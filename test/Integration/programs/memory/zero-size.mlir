// A buffer of 0 bytes and another one: it conflicts with none.
//
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %z = memref.alloc() : memref<0xi64>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k5 : i64) outs(%z : memref<0xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %d = memref.dim %z, %c0 : memref<0xi64>
  %e = arith.cmpi eq, %d, %c8 : index
  scf.if %e {
    %s2 = memref.load %z[%c0] : memref<0xi64>
    vector.print %s2 : i64
  }
  return
}
