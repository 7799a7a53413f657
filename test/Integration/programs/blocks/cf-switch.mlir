// cf.switch to three blocks and a default.
//
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    %f = arith.constant 1 : i32
    cf.switch %f : i32, [default: ^end, 0: ^zero, 1: ^one, 2: ^two]
  ^zero:
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %s1 = memref.load %b[%c0] : memref<8xi64>
    vector.print %s1 : i64
    cf.br ^end
  ^one:
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
    %s2 = memref.load %c[%c0] : memref<8xi64>
    vector.print %s2 : i64
    cf.br ^end
  ^two:
    %d = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k4 : i64) outs(%d : memref<8xi64>)
    %s3 = memref.load %d[%c0] : memref<8xi64>
    vector.print %s3 : i64
    cf.br ^end
  ^end:
    %s4 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s4 : i64
  return
}
