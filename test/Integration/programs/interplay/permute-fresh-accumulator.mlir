// A software pipeline of three stages: load, compute and store tiles, with one
// new tile in each iteration.
//
// CHECK: 9
// CHECK-NEXT: 4
// CHECK-NEXT: 17
// %out, two carried tiles and the new one: 256 bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %out = memref.alloc() : memref<8xi64>
  %p0 = memref.alloc() : memref<8xi64>
  %p1 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%out : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%p0 : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%p1 : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %p0, %b = %p1) -> (memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%a, %b : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
    linalg.map { arith.addi } ins(%out, %a : memref<8xi64>, memref<8xi64>) outs(%out : memref<8xi64>)
    scf.yield %b, %n : memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %out[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
