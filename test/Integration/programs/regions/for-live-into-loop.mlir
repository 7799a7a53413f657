// Read only at the begin of the body, but by every iteration: live to the end
// of the loop.
//
// %t must not have the bytes of %a after the read.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %k8 = arith.constant 8 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
    %x = memref.load %t[%c1] : memref<8xi64>
    %y = arith.cmpi eq, %x, %k8 : i64
    scf.if %y {
      %s2 = memref.load %t[%c0] : memref<8xi64>
      vector.print %s2 : i64
    }
  }
  return
}
