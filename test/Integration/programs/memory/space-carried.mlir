// A carried buffer in another memory space.
//
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main space 2: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64, 2>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64, 2>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64, 2>) {
    %n = memref.alloc() : memref<8xi64, 2>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64, 2>)
    linalg.map { arith.addi } ins(%n, %a : memref<8xi64, 2>, memref<8xi64, 2>) outs(%n : memref<8xi64, 2>)
    %x = memref.load %p[%c0] : memref<8xi64, 2>
    %y = arith.addi %x, %k1 : i64
    memref.store %y, %n[%c0] : memref<8xi64, 2>
    scf.yield %n : memref<8xi64, 2>
  }
  %s1 = memref.load %r[%c0] : memref<8xi64, 2>
  vector.print %s1 : i64
  return
}
