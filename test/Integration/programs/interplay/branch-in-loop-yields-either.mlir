// Each iteration yields one of the carried buffers or a new one.
//
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %x = arith.index_cast %i : index to i64
    %even = arith.cmpi eq, %i, %c1 : index
    %n:2 = scf.if %even -> (memref<8xi64>, memref<8xi64>) {
      %f = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k3 : i64) outs(%f : memref<8xi64>)
      linalg.map { arith.addi } ins(%f, %q : memref<8xi64>, memref<8xi64>) outs(%f : memref<8xi64>)
      scf.yield %f, %p : memref<8xi64>, memref<8xi64>
    } else {
      scf.yield %q, %p : memref<8xi64>, memref<8xi64>
    }
    scf.yield %n#0, %n#1 : memref<8xi64>, memref<8xi64>
  }
  %y = memref.load %r#0[%c0] : memref<8xi64>
  %z = memref.load %r#1[%c0] : memref<8xi64>
  %mx = arith.maxsi %y, %z : i64
  %mn = arith.minsi %y, %z : i64
  %k = arith.addi %mx, %k0 : i64
  vector.print %k : i64
  vector.print %mn : i64
  return
}
