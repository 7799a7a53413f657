// A value that is %a or %b is stored in a table of memrefs; %t is planned.
//
// %t; both buffers that may be in the table are not planned, and neither is the
// table.
// CHECK: arena @main: naive=64 others=64
// CHECK: left @main: 3

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  %c = arith.cmpi eq, %v, %k1 : i64
  %z = scf.if %c -> (memref<8xi64>) {
    scf.yield %a : memref<8xi64>
  } else {
    scf.yield %b : memref<8xi64>
  }
  %tab = memref.alloc() : memref<1xmemref<8xi64>>
  memref.store %z, %tab[%c0] : memref<1xmemref<8xi64>>
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k9 : i64) outs(%t : memref<8xi64>)
  %pr1 = memref.load %t[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %q = memref.load %tab[%c0] : memref<1xmemref<8xi64>>
  %pr2 = memref.load %q[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %b[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
