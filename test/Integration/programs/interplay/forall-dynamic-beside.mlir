// The body of a forall has one static and one dynamic private buffer; one
// escapes into a private table.
//
// 32 bytes of %o, and %a, %b and the most bytes of %d, each 64 with alignment,
// for each of three workers: 608.
// CHECK: arena @main: naive=640 linear-scan=640 greedy=608 greedy-by-breadth=608 best-fit=608 auto=608
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %o = memref.alloc() : memref<4xi64>
  scf.forall (%w) in (3) {
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    %n = arith.addi %w, %c1 : index
    %d = memref.alloc(%n) : memref<?xi64>
    linalg.fill ins(%k2 : i64) outs(%d : memref<?xi64>)
    %b = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    %x = memref.load %d[%w] : memref<?xi64>
    %e = memref.load %b[%w] : memref<8xi64>
    %s = arith.addi %x, %e : i64
    memref.store %s, %o[%w] : memref<4xi64>
    memref.dealloc %d : memref<?xi64>
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %e = memref.load %o[%i] : memref<4xi64>
    vector.print %e : i64
  }
  return
}
