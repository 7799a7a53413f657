// The body of a parallel loop has an execute_region with a graph of blocks that
// carries a new buffer.
//
// 24 bytes of %o; %a and two slots for each of three workers: 600.
// CHECK: arena @main: naive=640 linear-scan=640 greedy=600 greedy-by-breadth=600 best-fit=600 auto=600
// CHECK-NOT: left

func.func @main() {
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %o = memref.alloc() : memref<3xi64>
  scf.forall (%i) in (3) {
    %v = scf.execute_region -> i64 {
      %a = memref.alloc() : memref<8xi64>
      %iv = arith.index_cast %i : index to i64
      linalg.fill ins(%iv : i64) outs(%a : memref<8xi64>)
      cf.br ^h(%a, %k0 : memref<8xi64>, i64)
    ^h(%p: memref<8xi64>, %n: i64):
      %t = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%p, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
      %n1 = arith.addi %n, %k1 : i64
      %c = arith.cmpi slt, %n1, %k3 : i64
      cf.cond_br %c, ^h(%t, %n1 : memref<8xi64>, i64), ^e
    ^e:
      %q = memref.load %t[%c2] : memref<8xi64>
      scf.yield %q : i64
    }
    memref.store %v, %o[%i] : memref<3xi64>
  }
  %v1 = memref.load %o[%c2] : memref<3xi64>
  vector.print %v1 : i64
  return
}
