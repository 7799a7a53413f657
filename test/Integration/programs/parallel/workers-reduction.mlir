// A reduction over iterations that each have a buffer.
//
// 3 + 13 + 23 + 33
// 4 workers of 64 bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k3 = arith.constant 3 : i64
  %k10 = arith.constant 10 : i64
  %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%k0) -> i64 {
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k10 : i64
    %z = arith.addi %y, %k3 : i64
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%z : i64) outs(%t : memref<8xi64>)
    %v = memref.load %t[%i] : memref<8xi64>
    scf.reduce(%v : i64) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %b : i64
      scf.reduce.return %c : i64
    }
  }
  vector.print %sum : i64
  return
}
