// A loop that starts from an argument, which another loop's result overwrites.
//
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @run: naive=192 others=192
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func @run(%m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %m) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %r : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  call @run(%a) : (memref<8xi64>) -> ()
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
