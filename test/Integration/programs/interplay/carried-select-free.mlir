// The body frees one of two carried buffers, chosen by a select.
//
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %odd = arith.cmpi eq, %i, %c1 : index
    %drop = arith.select %odd, %p, %q : memref<8xi64>
    %stay = arith.select %odd, %q, %p : memref<8xi64>
    %x = memref.load %stay[%c0] : memref<8xi64>
    %last = arith.cmpi eq, %i, %c0 : index
    scf.if %last {
      vector.print %x : i64
    }
    memref.dealloc %drop : memref<8xi64>
    scf.yield %n, %stay : memref<8xi64>, memref<8xi64>
  }
  %y = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %y : i64
  return
}
