// The carried value comes from two nested selects: it is %a, which is read
// after the loop and has separate bytes, or one of two buffers of the
// iteration. %s, which may be %a, has the slot of %n, which must not be taken
// for the value of %s. %a and two slots: the carried value is never read, and
// %m and %n are live at once.
//
// CHECK: arena @f: naive=192 others=192
// CHECK-NOT: left

func.func @f(%old: i1, %mine: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %m = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%m : memref<8xi64>)
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k4 : i64) outs(%n : memref<8xi64>)
    %s = arith.select %old, %p, %n : memref<8xi64>
    %t = arith.select %mine, %m, %s : memref<8xi64>
    scf.yield %p, %t : memref<8xi64>, memref<8xi64>
  }
  %x = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %x : i64
  %y = memref.load %a[%c0] : memref<8xi64>
  vector.print %y : i64
  return
}
func.func @main() {
  %t = arith.constant true
  %f = arith.constant false
  call @f(%t, %f) : (i1, i1) -> ()
  call @f(%t, %t) : (i1, i1) -> ()
  call @f(%f, %f) : (i1, i1) -> ()
  return
}
