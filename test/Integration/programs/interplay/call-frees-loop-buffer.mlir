// A callee frees the buffer that each iteration allocates.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it is passed to @drop, which frees it.
// CHECK: left @main: 1

func.func private @drop(%m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %s1 = memref.load %m[%c0] : memref<8xi64>
  vector.print %s1 : i64
  memref.dealloc %m : memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c2 step %c1 {
    %t = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%t : memref<8xi64>)
    func.call @drop(%t) : (memref<8xi64>) -> ()
  }
  %s2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
