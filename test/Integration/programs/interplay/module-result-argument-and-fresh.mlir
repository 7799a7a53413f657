// PROGRAM: scope=module entry-points=main
//
// A callee returns its argument and a new buffer.
//
// CHECK: 8
// CHECK-NEXT: 4
// The carried buffer and the new one; the second name of the former, which is
// used only after the loop, has a separate slot.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>) -> (memref<8xi64>, memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  return %a, %t : memref<8xi64>, memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %a) -> (memref<8xi64>, memref<8xi64>) {
    %y2:2 = func.call @f(%x) : (memref<8xi64>) -> (memref<8xi64>, memref<8xi64>)
    scf.yield %y2#1, %y2#0 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
