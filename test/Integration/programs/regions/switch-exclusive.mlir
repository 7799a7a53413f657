// Three cases and a default, each with its own buffer.
//
// CHECK: arena @main: naive=320 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.index_switch %c2
  case 0 {
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%b : memref<8xi64>)
    %s1 = memref.load %b[%c0] : memref<8xi64>
    vector.print %s1 : i64
    scf.yield
  }
  case 2 {
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%c : memref<8xi64>)
    %s2 = memref.load %c[%c0] : memref<8xi64>
    vector.print %s2 : i64
    scf.yield
  }
  case 5 {
    %d = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%d : memref<8xi64>)
    %s3 = memref.load %d[%c0] : memref<8xi64>
    vector.print %s3 : i64
    scf.yield
  }
  default {
    %e = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%e : memref<8xi64>)
    %s4 = memref.load %e[%c0] : memref<8xi64>
    vector.print %s4 : i64
    scf.yield
  }
  %s5 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s5 : i64
  return
}
