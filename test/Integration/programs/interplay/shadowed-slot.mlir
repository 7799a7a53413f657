// While a carried buffer occupies two slots, a temporary of the loop and one
// after it have other bytes.
//
// 384 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=640 others=384
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c31 = arith.constant 31 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %t = memref.alloc() : memref<32xi64>
    linalg.fill ins(%k1 : i64) outs(%t : memref<32xi64>)
    %n = memref.alloc() : memref<8xi64>
    %x = memref.load %t[%c31] : memref<32xi64>
    linalg.fill ins(%x : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %u = memref.alloc() : memref<32xi64>
  linalg.fill ins(%k7 : i64) outs(%u : memref<32xi64>)
  %s2 = memref.load %u[%c0] : memref<32xi64>
  vector.print %s2 : i64
  %s3 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
