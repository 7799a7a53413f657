// A new buffer continues by two names in some iterations.
//
// The two initial buffers; the new one may continue by two names and is not
// planned.
// CHECK: arena @main: naive=128 others=128
// CHECK: left @main: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c6 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %m = arith.remui %i, %c3 : index
    %c = arith.cmpi eq, %m, %c1 : index
    %y:2 = scf.if %c -> (memref<8xi64>, memref<8xi64>) {
      scf.yield %p, %p : memref<8xi64>, memref<8xi64>
    } else {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n, %p : memref<8xi64>, memref<8xi64>
    }
    %pr1 = memref.load %y#0[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    %pr2 = memref.load %y#1[%c0] : memref<8xi64>
    vector.print %pr2 : i64
    scf.yield %y#0, %y#1 : memref<8xi64>, memref<8xi64>
  }
  %pr3 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr3 : i64
  %pr4 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr4 : i64
  return
}
