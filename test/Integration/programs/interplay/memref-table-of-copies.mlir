// A new carried buffer, and another one that escapes into a table in each
// iteration.
//
// Two alternating slots; the copies in the table, and the table, are not
// planned.
// CHECK: arena @main: naive=128 others=128
// CHECK: left @main: 2

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  %tab = memref.alloc() : memref<4xmemref<8xi64>>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %h = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    memref.copy %x, %h : memref<8xi64> to memref<8xi64>
    memref.store %h, %tab[%i] : memref<4xmemref<8xi64>>
    scf.yield %n : memref<8xi64>
  }
  %q = memref.load %tab[%c2] : memref<4xmemref<8xi64>>
  %pr1 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
