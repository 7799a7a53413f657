// PROGRAM: scope=module entry-points=main
//
// A callee with a loop that carries buffers gets the same buffer twice.
//
// %a, %o and two alternating slots: 256 bytes.
// CHECK: arena @main: naive=384 others=256
// CHECK-NOT: left

func.func private @it(%a: memref<8xi64>, %b: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = memref.alloc() : memref<8xi64>
  memref.copy %a, %s : memref<8xi64> to memref<8xi64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %s) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %b : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  memref.copy %r, %a : memref<8xi64> to memref<8xi64>
  linalg.map { arith.addi } ins(%b, %r : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%o : memref<8xi64>)
  call @it(%a, %a) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  call @it(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
  %pr2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
