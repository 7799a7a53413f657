// The buffers of both branches are joined; the outer one is written again after
// the join while the joined value is live.
//
// %a, and the buffer of either branch by its other name: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %x = memref.load %a[%c0] : memref<8xi64>
  %c = arith.cmpi eq, %x, %k1 : i64
  %r = scf.if %c -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    scf.yield %t : memref<8xi64>
  } else {
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%u : memref<8xi64>)
    scf.yield %u : memref<8xi64>
  }
  linalg.fill ins(%k7 : i64) outs(%a : memref<8xi64>)
  linalg.map { arith.addi } ins(%r, %a : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
