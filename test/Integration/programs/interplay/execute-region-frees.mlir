// An execute_region frees a buffer and yields a new one.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.execute_region -> memref<8xi64> {
    %b = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    memref.dealloc %a : memref<8xi64>
    scf.yield %b : memref<8xi64>
  }
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s2 : i64
  memref.dealloc %r : memref<8xi64>
  return
}
