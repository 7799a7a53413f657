// One branch frees the buffer and yields a new one; the other keeps it.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.if %true -> (memref<8xi64>) {
    memref.dealloc %a : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    scf.yield %b : memref<8xi64>
  } else {
    scf.yield %a : memref<8xi64>
  }
  %other = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%other : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %other[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %r : memref<8xi64>
  memref.dealloc %other : memref<8xi64>
  return
}
