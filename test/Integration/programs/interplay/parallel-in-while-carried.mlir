// A while loop carries a new buffer, which a parallel loop with private
// temporaries fills.
//
// Two alternating slots, and 64 bytes for each of eight workers: 640.
// CHECK: arena @main: naive=640 others=640
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k20 = arith.constant 20 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.while (%p = %a) : (memref<8xi64>) -> memref<8xi64> {
    %v = memref.load %p[%c1] : memref<8xi64>
    %c = arith.cmpi slt, %v, %k20 : i64
    scf.condition(%c) %p : memref<8xi64>
  } do {
  ^bb0(%q: memref<8xi64>):
    %u = memref.alloc() : memref<8xi64>
    scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
      %t = memref.alloc() : memref<2xi64>
      %x = memref.load %q[%j] : memref<8xi64>
      memref.store %x, %t[%c0] : memref<2xi64>
      memref.store %k2, %t[%c1] : memref<2xi64>
      %y = memref.load %t[%c0] : memref<2xi64>
      %z = memref.load %t[%c1] : memref<2xi64>
      %w = arith.muli %y, %z : i64
      memref.store %w, %u[%j] : memref<8xi64>
    }
    scf.yield %u : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
