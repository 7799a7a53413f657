// A buffer from outside is read only in the first statement of an iteration; a
// private buffer follows.
//
// CHECK: 5
// CHECK-NEXT: 12
// %a and %o are live throughout the loop; %t and %u for each of four workers:
// 608.
// CHECK: arena @main: naive=704 linear-scan=640 greedy=608 greedy-by-breadth=608 best-fit=608 auto=608
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k3 = arith.constant 3 : i64
  %k5 = arith.constant 5 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%a : memref<8xi64>)
  %o = memref.alloc() : memref<4xi64>
  scf.forall (%i) in (4) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    %v = memref.load %u[%i] : memref<8xi64>
    memref.store %v, %o[%i] : memref<4xi64>
  }
  %z = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%z : memref<8xi64>)
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %v3 = memref.load %o[%c3] : memref<4xi64>
  vector.print %v3 : i64
  return
}
