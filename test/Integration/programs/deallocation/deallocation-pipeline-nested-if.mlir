// PROGRAM: deallocate
// PROGRAM: then-deallocate
//
// Branches in branches, some of which yield a new buffer.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %k5 = arith.constant 5 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.if %true -> (memref<8xi64>) {
    %s = scf.if %false -> (memref<8xi64>) {
      scf.yield %a : memref<8xi64>
    } else {
      %b = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
      scf.yield %b : memref<8xi64>
    }
    scf.yield %s : memref<8xi64>
  } else {
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k4 : i64) outs(%c : memref<8xi64>)
    scf.yield %c : memref<8xi64>
  }
  %d = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%d : memref<8xi64>)
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %d[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
