// A carried buffer is dropped and replaced by a do-while loop of 3 iterations
// inside a for loop.
//
// The first value is dead before the new one is written: 128 bytes.
// CHECK: arena @main: naive=128 others=128
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
    %q:3 = scf.while (%qx0 = %rx0, %qx1 = %rx1, %qc = %k0) : (memref<8xi64>, memref<8xi64>, i64) -> (memref<8xi64>, memref<8xi64>, i64) {
      %v = memref.load %qx0[%c0] : memref<8xi64>
      %n = memref.alloc() : memref<8xi64>
      linalg.fill ins(%v : i64) outs(%n : memref<8xi64>)
      linalg.map { arith.addi } ins(%n, %qx1 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      %qc1 = arith.addi %qc, %k1 : i64
      %qlt = arith.cmpi slt, %qc1, %k3 : i64
      scf.condition(%qlt) %n, %qx1, %qc1 : memref<8xi64>, memref<8xi64>, i64
    } do {
    ^bb0(%qx0z: memref<8xi64>, %qx1z: memref<8xi64>, %qcz: i64):
      scf.yield %qx0z, %qx1z, %qcz : memref<8xi64>, memref<8xi64>, i64
    }
    scf.yield %q#0, %q#1 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
