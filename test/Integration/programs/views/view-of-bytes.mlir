// memref.view: two typed views of one byte buffer, which the program uses as an
// arena.
//
// The byte buffer is planned as a whole, with %b.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<128xi8>
  %v = memref.view %a[%c0][] : memref<128xi8> to memref<8xi64>
  %w = memref.view %a[%c64][] : memref<128xi8> to memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%v : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%w : memref<8xi64>)
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %v[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %w[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
