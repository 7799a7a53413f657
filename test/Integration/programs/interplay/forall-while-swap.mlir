// Two buffers exchanged by a while loop of 3 iterations inside a forall.
//
// 24 bytes of %o and two slots for each of three workers: 408.
// CHECK: arena @main: naive=448 linear-scan=448 greedy=408 greedy-by-breadth=408 best-fit=408 auto=408
// CHECK-NOT: left

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %o = memref.alloc() : memref<3xi64>
  scf.forall (%w) in (3) {
    %iv = arith.index_cast %w : index to i64
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%iv : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%iv : i64) outs(%b : memref<8xi64>)
    %r:3 = scf.while (%rx0 = %a, %rx1 = %b, %rc = %k0) : (memref<8xi64>, memref<8xi64>, i64) -> (memref<8xi64>, memref<8xi64>, i64) {
      %rlt = arith.cmpi slt, %rc, %k3 : i64
      scf.condition(%rlt) %rx0, %rx1, %rc : memref<8xi64>, memref<8xi64>, i64
    } do {
    ^bb0(%rx0: memref<8xi64>, %rx1: memref<8xi64>, %rc: i64):
      linalg.map { arith.addi } ins(%rx0, %rx1 : memref<8xi64>, memref<8xi64>) outs(%rx0 : memref<8xi64>)
      %rc1 = arith.addi %rc, %k1 : i64
      scf.yield %rx1, %rx0, %rc1 : memref<8xi64>, memref<8xi64>, i64
    }
    %vv = memref.load %r#0[%c1] : memref<8xi64>
    memref.store %vv, %o[%w] : memref<3xi64>
  }
  %p1 = memref.load %o[%c1] : memref<3xi64>
  vector.print %p1 : i64
  %p2 = memref.load %o[%c2] : memref<3xi64>
  vector.print %p2 : i64
  return
}
