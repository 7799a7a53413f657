// PROGRAM: scope=module entry-points=main
//
// Two carried buffers pass through two levels of calls that return their
// argument, and are exchanged.
//
// Two buffers by the names of the results: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @id(%a: memref<8xi64>) -> memref<8xi64> {
  return %a : memref<8xi64>
}
func.func private @id2(%a: memref<8xi64>) -> memref<8xi64> {
  %r = call @id(%a) : (memref<8xi64>) -> memref<8xi64>
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xi64>, memref<8xi64>) {
    %x1 = func.call @id2(%x) : (memref<8xi64>) -> memref<8xi64>
    %y1 = func.call @id2(%y) : (memref<8xi64>) -> memref<8xi64>
    linalg.map { arith.addi } ins(%x1, %y1 : memref<8xi64>, memref<8xi64>) outs(%x1 : memref<8xi64>)
    scf.yield %y1, %x1 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
