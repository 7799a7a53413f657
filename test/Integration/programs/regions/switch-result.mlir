// The cases yield a new buffer, an outer one and a view of it.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %r = scf.index_switch %i -> memref<8xi64>
    case 0 {
      scf.yield %a : memref<8xi64>
    }
    case 1 {
      %b = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
      scf.yield %b : memref<8xi64>
    }
    default {
      %c = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
      scf.yield %c : memref<8xi64>
    }
    %s1 = memref.load %r[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
