// Two carried buffers are replaced by two new ones, yielded in exchanged order,
// in a loop of blocks of 3 iterations inside a for loop.
//
// Two old values and a new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %ri = %c0 to %c2 step %c1 iter_args(%rx0 = %a, %rx1 = %b) -> (memref<8xi64>, memref<8xi64>) {
    %q:2 = scf.execute_region -> (memref<8xi64>, memref<8xi64>) {
      cf.br ^h(%rx0, %rx1, %k0 : memref<8xi64>, memref<8xi64>, i64)
    ^h(%qx0: memref<8xi64>, %qx1: memref<8xi64>, %qc: i64):
      %qlt = arith.cmpi slt, %qc, %k3 : i64
      cf.cond_br %qlt, ^b, ^e(%qx0, %qx1 : memref<8xi64>, memref<8xi64>)
    ^b:
      %n = memref.alloc() : memref<8xi64>
      %m = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%qx0, %qx1 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      linalg.map { arith.addi } ins(%n, %qx0 : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
      %qc1 = arith.addi %qc, %k1 : i64
      cf.br ^h(%m, %n, %qc1 : memref<8xi64>, memref<8xi64>, i64)
    ^e(%qe0: memref<8xi64>, %qe1: memref<8xi64>):
      scf.yield %qe0, %qe1 : memref<8xi64>, memref<8xi64>
    }
    scf.yield %q#0, %q#1 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
