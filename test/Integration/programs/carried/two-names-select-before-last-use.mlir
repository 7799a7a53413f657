// The canonical form of a conditional that yields a buffer written in a branch:
// a select before the conditional that writes.
//
// The initial buffer; the new one has two names and is not planned.
// CHECK: arena @main: naive=64 others=64
// CHECK: left @main: 1

module {
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c1_i64 = arith.constant 1 : i64
    %alloc = memref.alloc() : memref<8xi64>
    linalg.fill ins(%c1_i64 : i64) outs(%alloc : memref<8xi64>)
    %0 = scf.for %arg0 = %c0 to %c6 step %c1 iter_args(%arg1 = %alloc) -> (memref<8xi64>) {
      %alloc_0 = memref.alloc() : memref<8xi64>
      %2 = arith.andi %arg0, %c1 : index
      %3 = arith.cmpi eq, %2, %c0 : index
      %4 = arith.select %3, %alloc_0, %arg1 : memref<8xi64>
      scf.if %3 {
        linalg.map { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg1, %arg1 : memref<8xi64>, memref<8xi64>) outs(%alloc_0 : memref<8xi64>)
      }
      %5 = memref.load %4[%c0] : memref<8xi64>
      vector.print %5 : i64
      scf.yield %4 : memref<8xi64>
    }
    %1 = memref.load %0[%c0] : memref<8xi64>
    vector.print %1 : i64
    return
  }
}
