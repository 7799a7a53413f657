// for in if in while in execute_region, with a buffer at each level.
//
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k4 = arith.constant 4 : i64
  %k8 = arith.constant 8 : i64
  %true = arith.constant true
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.execute_region {
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %r = scf.while (%i = %k0) : (i64) -> (i64) {
      %c = arith.cmpi slt, %i, %k2 : i64
      scf.condition(%c) %i : i64
    } do {
    ^bb0(%i: i64):
      %c = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k4 : i64) outs(%c : memref<8xi64>)
      scf.if %true {
        scf.for %j = %c0 to %c1 step %c1 {
          %d = memref.alloc() : memref<8xi64>
          linalg.fill ins(%k8 : i64) outs(%d : memref<8xi64>)
          linalg.map { arith.addi } ins(%d, %c : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
          linalg.map { arith.addi } ins(%d, %b : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
          linalg.map { arith.addi } ins(%d, %a : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
          %x = memref.load %d[%c0] : memref<8xi64>
          %y = arith.addi %x, %i : i64
          vector.print %y : i64
        }
      }
      %n = arith.addi %i, %k1 : i64
      scf.yield %n : i64
    }
    scf.yield
  }
  return
}
