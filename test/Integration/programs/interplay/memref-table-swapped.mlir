// Memrefs in a table, which are exchanged there, and a temporary.
//
// The temporary; the buffers in the table, and the table, are not planned.
// CHECK: arena @main: naive=64 others=64
// CHECK: left @main: 3

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %tab = memref.alloc() : memref<2xmemref<8xi64>>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  memref.store %a, %tab[%c0] : memref<2xmemref<8xi64>>
  memref.store %b, %tab[%c1] : memref<2xmemref<8xi64>>
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %tab[%c0] : memref<2xmemref<8xi64>>
    %y = memref.load %tab[%c1] : memref<2xmemref<8xi64>>
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %y : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    memref.copy %t, %x : memref<8xi64> to memref<8xi64>
    memref.store %y, %tab[%c0] : memref<2xmemref<8xi64>>
    memref.store %x, %tab[%c1] : memref<2xmemref<8xi64>>
  }
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
