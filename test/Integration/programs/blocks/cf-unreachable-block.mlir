// A block without predecessors.
//
// CHECK: arena @main: naive=192 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    %s1 = memref.load %a[%c0] : memref<8xi64>
    vector.print %s1 : i64
    cf.br ^end
  ^never:
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%u : memref<8xi64>)
    %s2 = memref.load %u[%c0] : memref<8xi64>
    vector.print %s2 : i64
    cf.br ^end
  ^end:
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %s3 = memref.load %b[%c0] : memref<8xi64>
    vector.print %s3 : i64
  return
}
