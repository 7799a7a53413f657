// A loop with a carried buffer in only one branch.
//
// CHECK: 3
// CHECK: 0
// 192 bytes are live at one time, so no plan is smaller.
// CHECK: arena @maybe: naive=192 others=192
// CHECK-NOT: left

func.func @maybe(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r = scf.if %c -> (memref<8xi64>) {
    %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
      linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    }
    scf.yield %s : memref<8xi64>
  } else {
    scf.yield %a : memref<8xi64>
  }
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %x = memref.load %t[%c0] : memref<8xi64>
  memref.store %x, %t[%c1] : memref<8xi64>
  return
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @maybe(%true) : (i1) -> ()
  call @maybe(%false) : (i1) -> ()
  return
}
