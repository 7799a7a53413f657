// A temporary at each level of a nest.
//
// The buffers of all three levels are live at once, and no other buffer.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k10 = arith.constant 10 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c1 to %c3 step %c1 {
    %b = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %i : index to i64
    %x10 = arith.muli %x, %k10 : i64
    linalg.fill ins(%x10 : i64) outs(%b : memref<8xi64>)
    scf.for %j = %c0 to %c2 step %c1 {
      %d = memref.alloc() : memref<8xi64>
      %y = arith.index_cast %j : index to i64
      linalg.fill ins(%y : i64) outs(%d : memref<8xi64>)
      linalg.map { arith.addi } ins(%d, %b : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
      linalg.map { arith.addi } ins(%d, %a : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
      %s1 = memref.load %d[%c0] : memref<8xi64>
      vector.print %s1 : i64
    }
  }
  return
}
