// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// Each activation returns the result of the inner one: the first argument or,
// at an odd depth, the second. So both are live as long as the result.
//
// Two buffers of 64 bytes are live at once, and a third begins before they end.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @turn(%x: memref<8xi64>, %y: memref<8xi64>, %n: index) -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ugt, %n, %c0 : index
  %r = scf.if %more -> memref<8xi64> {
    %m = arith.subi %n, %c1 : index
    %inner = func.call @turn(%y, %x, %m) : (memref<8xi64>, memref<8xi64>, index) -> memref<8xi64>
    scf.yield %inner : memref<8xi64>
  } else {
    scf.yield %x : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %odd = call @turn(%a, %b, %c3) : (memref<8xi64>, memref<8xi64>, index) -> memref<8xi64>
  %even = call @turn(%a, %b, %c4) : (memref<8xi64>, memref<8xi64>, index) -> memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %odd[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %even[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
