// A conditionally replaced buffer in a do-while loop of 3 iterations, then in a
// for loop.
//
// The carried value and the new one of a branch: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.while (%rx0 = %a, %rc = %k0) : (memref<8xi64>, i64) -> (memref<8xi64>, i64) {
    %v = memref.load %rx0[%c0] : memref<8xi64>
    %od = arith.andi %v, %k1 : i64
    %cc = arith.cmpi eq, %od, %k0 : i64
    %y = scf.if %cc -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%rx0, %rx0 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      %w = memref.load %n[%c1] : memref<8xi64>
      %w1 = arith.addi %w, %k1 : i64
      linalg.fill ins(%w1 : i64) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    } else {
      linalg.map { arith.addi } ins(%rx0, %rx0 : memref<8xi64>, memref<8xi64>) outs(%rx0 : memref<8xi64>)
      scf.yield %rx0 : memref<8xi64>
    }
    %rc1 = arith.addi %rc, %k1 : i64
    %rlt = arith.cmpi slt, %rc1, %k3 : i64
    scf.condition(%rlt) %y, %rc1 : memref<8xi64>, i64
  } do {
  ^bb0(%rx0z: memref<8xi64>, %rcz: i64):
    scf.yield %rx0z, %rcz : memref<8xi64>, i64
  }
  %s = scf.for %si = %c0 to %c2 step %c1 iter_args(%sx0 = %r#0) -> (memref<8xi64>) {
    %v = memref.load %sx0[%c0] : memref<8xi64>
    %od = arith.andi %v, %k1 : i64
    %cc = arith.cmpi eq, %od, %k0 : i64
    %y = scf.if %cc -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%sx0, %sx0 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      %w = memref.load %n[%c1] : memref<8xi64>
      %w1 = arith.addi %w, %k1 : i64
      linalg.fill ins(%w1 : i64) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    } else {
      linalg.map { arith.addi } ins(%sx0, %sx0 : memref<8xi64>, memref<8xi64>) outs(%sx0 : memref<8xi64>)
      scf.yield %sx0 : memref<8xi64>
    }
    scf.yield %y : memref<8xi64>
  }
  %pr1 = memref.load %s[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
