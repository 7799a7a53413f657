// A while loop that exchanges two buffers and has no iteration in the first
// iteration of the outer loop; both results are read.
//
// Two buffers: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  scf.for %k = %c0 to %c3 step %c1 {
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %r:3 = scf.while (%i = %c0, %p = %a, %q = %b) : (index, memref<8xi64>, memref<8xi64>) -> (index, memref<8xi64>, memref<8xi64>) {
      %c = arith.cmpi ult, %i, %k : index
      scf.condition(%c) %i, %p, %q : index, memref<8xi64>, memref<8xi64>
    } do {
    ^bb0(%i: index, %p: memref<8xi64>, %q: memref<8xi64>):
      linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
      %i1 = arith.addi %i, %c1 : index
      scf.yield %i1, %q, %p : index, memref<8xi64>, memref<8xi64>
    }
    %pr1 = memref.load %r#1[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    %pr2 = memref.load %r#2[%c0] : memref<8xi64>
    vector.print %pr2 : i64
  }
  return
}
