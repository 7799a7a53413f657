// A while loop: each region allocates a buffer that it passes to the other
// region.
//
// The forwarded value and the new one, in either region: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k40 = arith.constant 40 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.while (%p = %a) : (memref<8xi64>) -> memref<8xi64> {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %v = memref.load %t[%c0] : memref<8xi64>
    %c = arith.cmpi slt, %v, %k40 : i64
    scf.condition(%c) %t : memref<8xi64>
  } do {
  ^bb0(%q: memref<8xi64>):
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%q, %q : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    scf.yield %u : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
