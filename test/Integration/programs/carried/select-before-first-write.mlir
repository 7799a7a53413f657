// The select precedes the writes of both buffers, the read follows them: both
// must be live from the select on.
//
// CHECK: arena @f: naive=128 others=128
// CHECK-NOT: left

func.func @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %s = arith.select %c, %a, %b : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%a : memref<8xi64>)
  %y = memref.load %s[%c0] : memref<8xi64>
  vector.print %y : i64
  return
}
func.func @main() {
  %t = arith.constant true
  %f = arith.constant false
  call @f(%t) : (i1) -> ()
  call @f(%f) : (i1) -> ()
  return
}
