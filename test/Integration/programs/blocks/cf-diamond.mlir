// A diamond of blocks with a buffer in each arm.
//
// CHECK: arena @main: naive=192 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %false = arith.constant false
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.cond_br %false, ^one, ^two
  ^one:
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%b : memref<8xi64>)
    %s1 = memref.load %b[%c0] : memref<8xi64>
    vector.print %s1 : i64
    cf.br ^end
  ^two:
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%c : memref<8xi64>)
    %s2 = memref.load %c[%c0] : memref<8xi64>
    vector.print %s2 : i64
    cf.br ^end
  ^end:
    %s3 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s3 : i64
  return
}
