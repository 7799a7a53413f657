// A carried buffer inside a private callee that is called in a loop.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @work: naive=128 others=128
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @work(%m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  memref.copy %m, %a : memref<8xi64> to memref<8xi64>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %n : memref<8xi64>
  }
  memref.copy %r, %m : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%x : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    func.call @work(%x) : (memref<8xi64>) -> ()
    %s1 = memref.load %x[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
