// PROGRAM: deallocate
// PROGRAM: then-deallocate
//
// A while loop with a carried buffer, after the pipeline.
//
// 128 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %x = arith.constant 0 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%a : memref<8xi64>)
  %r:2 = scf.while (%i = %x, %p = %a) : (i64, memref<8xi64>) -> (i64, memref<8xi64>) {
    %c = arith.cmpi slt, %i, %k3 : i64
    scf.condition(%c) %i, %p : i64, memref<8xi64>
  } do {
  ^bb0(%i: i64, %p: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %j = arith.addi %i, %k1 : i64
    scf.yield %j, %n : i64, memref<8xi64>
  }
  %s1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
