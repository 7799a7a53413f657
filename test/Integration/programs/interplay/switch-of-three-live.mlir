// An index_switch chooses one of three buffers; a switch on the same index
// frees the others.
//
// Three buffers, each of which may still be chosen, and the temporary: 256
// bytes.
// CHECK: arena @main: naive=256 others=256
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %z = scf.index_switch %i -> memref<8xi64>
    case 0 {
      scf.yield %a : memref<8xi64>
    }
    case 1 {
      scf.yield %b : memref<8xi64>
    }
    default {
      scf.yield %c : memref<8xi64>
    }
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%z, %z : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    %pr1 = memref.load %t[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    memref.dealloc %t : memref<8xi64>
  }
  memref.dealloc %a : memref<8xi64>
  memref.dealloc %b : memref<8xi64>
  memref.dealloc %c : memref<8xi64>
  return
}
