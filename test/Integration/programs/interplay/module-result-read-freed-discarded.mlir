// PROGRAM: scope=module entry-points=main
//
// The new result of a callee is discarded by one call, freed after another,
// used after a third.
//
// CHECK: 2
// %a and one result at a time: 128 bytes.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>) -> memref<8xi64> {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = call @f(%a) : (memref<8xi64>) -> memref<8xi64>
  %y = call @f(%a) : (memref<8xi64>) -> memref<8xi64>
  memref.dealloc %y : memref<8xi64>
  %z = call @f(%a) : (memref<8xi64>) -> memref<8xi64>
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  memref.dealloc %z : memref<8xi64>
  memref.dealloc %a : memref<8xi64>
  memref.dealloc %x : memref<8xi64>
  return
}
