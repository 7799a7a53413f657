// A line search: x is carried; the inner while loop carries a new trial, and
// the accepted trial becomes x.
//
// %x, %g, the factor and the new trial; the old trial is dead: 256 bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k64 = arith.constant 64 : i64
  %x0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k64 : i64) outs(%x0 : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %x0) -> (memref<8xi64>) {
    %g = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%g : memref<8xi64>)
    %t0 = memref.alloc() : memref<8xi64>
    linalg.map { arith.subi } ins(%x, %g : memref<8xi64>, memref<8xi64>) outs(%t0 : memref<8xi64>)
    %w:2 = scf.while (%s = %k3, %t = %t0) : (i64, memref<8xi64>) -> (i64, memref<8xi64>) {
      %e = memref.load %t[%c0] : memref<8xi64>
      %neg = arith.cmpi slt, %e, %k0 : i64
      scf.condition(%neg) %s, %t : i64, memref<8xi64>
    } do {
    ^bb0(%s: i64, %t: memref<8xi64>):
      %h = memref.alloc() : memref<8xi64>
      linalg.fill ins(%s : i64) outs(%h : memref<8xi64>)
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.muli } ins(%h, %g : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      linalg.map { arith.addi } ins(%x, %n : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      %s1 = arith.subi %s, %k1 : i64
      scf.yield %s1, %n : i64, memref<8xi64>
    }
    %pr1 = memref.load %w#1[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    scf.yield %w#1 : memref<8xi64>
  }
  %pr2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
