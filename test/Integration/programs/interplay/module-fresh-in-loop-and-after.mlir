// PROGRAM: scope=module entry-points=main
//
// One callee is called in a loop that carries its new result, and once after
// it.
//
// CHECK: 16
// CHECK-NEXT: 8
// Two alternating slots and the result after the loop, with %r: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>) -> memref<8xi64> {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %y = func.call @f(%x) : (memref<8xi64>) -> memref<8xi64>
    scf.yield %y : memref<8xi64>
  }
  %z = call @f(%r) : (memref<8xi64>) -> memref<8xi64>
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
