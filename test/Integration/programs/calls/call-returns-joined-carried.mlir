// PROGRAM: scope=module entry-points=main
//
// The caller's loop carries the result of the callee. The argument is read
// after the result was written, so the loop has two slots that alternate.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %c: i1) -> memref<8xi64> {
  %c7 = arith.constant 7 : index
  %k1 = arith.constant 1 : i64
  %r = scf.if %c -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%t : memref<8xi64>)
    %v = memref.load %a[%c7] : memref<8xi64>
    %w = arith.addi %v, %k1 : i64
    memref.store %w, %t[%c7] : memref<8xi64>
    scf.yield %t : memref<8xi64>
  } else {
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    scf.yield %u : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %c = arith.cmpi ne, %i, %c1 : index
    %y = func.call @f(%x, %c) : (memref<8xi64>, i1) -> memref<8xi64>
    scf.yield %y : memref<8xi64>
  }
  %s1 = memref.load %r[%c7] : memref<8xi64>
  vector.print %s1 : i64
  return
}
