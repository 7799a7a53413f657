// The condition is read from the carried buffer.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.while (%p = %a) : (memref<8xi64>) -> (memref<8xi64>) {
    %x = memref.load %p[%c0] : memref<8xi64>
    %c = arith.cmpi slt, %x, %k4 : i64
    scf.condition(%c) %p : memref<8xi64>
  } do {
  ^bb0(%p: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
