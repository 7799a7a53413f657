// The pointer of one carried buffer is taken as an integer; the others are
// planned.
//
// Two alternating buffers; the one whose pointer is taken is not planned.
// CHECK: arena @main: naive=128 others=128
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %p = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k3 : i64) outs(%p : memref<8xi64>)
  %ix = memref.extract_aligned_pointer_as_index %p : memref<8xi64> -> index
  %z = arith.cmpi ne, %ix, %c0 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (memref<8xi64>, memref<8xi64>) {
    linalg.map { arith.addi } ins(%x, %y : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    scf.yield %y, %x : memref<8xi64>, memref<8xi64>
  }
  vector.print %z : i1
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  %pr3 = memref.load %p[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  return
}
