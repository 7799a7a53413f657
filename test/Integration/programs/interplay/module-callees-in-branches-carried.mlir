// PROGRAM: scope=module entry-points=main
//
// Private callees in exclusive branches of a loop that carries their new
// results.
//
// The carried value, the result and the temporary of one callee: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>) -> memref<8xi64> {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  return %t : memref<8xi64>
}
func.func private @g(%a: memref<8xi64>) -> memref<8xi64> {
  %k3 = arith.constant 3 : i64
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%u : memref<8xi64>)
  linalg.map { arith.addi } ins(%a, %u : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %m = arith.andi %i, %c1 : index
    %c = arith.cmpi eq, %m, %c0 : index
    %n = scf.if %c -> (memref<8xi64>) {
      %x = func.call @f(%p) : (memref<8xi64>) -> memref<8xi64>
      scf.yield %x : memref<8xi64>
    } else {
      %x = func.call @g(%p) : (memref<8xi64>) -> memref<8xi64>
      scf.yield %x : memref<8xi64>
    }
    scf.yield %n : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
