// A buffer is replaced in an execute_region with blocks and an early exit.
//
// The old value and the new one: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = scf.execute_region -> memref<8xi64> {
      %e = memref.load %p[%c0] : memref<8xi64>
      %c = arith.cmpi sgt, %e, %k5 : i64
      cf.cond_br %c, ^out(%p : memref<8xi64>), ^more
    ^more:
      %x = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
      cf.br ^out(%x : memref<8xi64>)
    ^out(%y: memref<8xi64>):
      scf.yield %y : memref<8xi64>
    }
    %pr1 = memref.load %n[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    scf.yield %n : memref<8xi64>
  }
  %pr2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
