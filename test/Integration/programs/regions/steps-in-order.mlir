// PROGRAM: reverse-steps
//
// Ops that may run at once: the result is the same in any order.
//
// Step 1 uses %a, %b, %c and %d, step 2 %c, %d, %e and %g: 64 bytes each.
// CHECK: arena @main: naive=384 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill {memplan.step = 0} ins(%k2 : i64) outs(%a : memref<8xi64>)
  linalg.fill {memplan.step = 0} ins(%k3 : i64) outs(%b : memref<8xi64>)
  %c = memref.alloc() : memref<8xi64>
  linalg.add {memplan.step = 1}
      ins(%a, %b : memref<8xi64>, memref<8xi64>) outs(%c : memref<8xi64>)
  %d = memref.alloc() : memref<8xi64>
  linalg.mul {memplan.step = 1}
      ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
  %e = memref.alloc() : memref<8xi64>
  memref.copy %c, %e {memplan.step = 2} : memref<8xi64> to memref<8xi64>
  %g = memref.alloc() : memref<8xi64>
  linalg.add {memplan.step = 2}
      ins(%d, %d : memref<8xi64>, memref<8xi64>) outs(%g : memref<8xi64>)
  %s1 = memref.load %e[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %g[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
