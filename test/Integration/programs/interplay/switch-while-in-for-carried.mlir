// A switch on carried buffers in a while loop of 3 iterations inside a for
// loop.
//
// Two carried values and the new one of one case: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %ri = %c0 to %c2 step %c1 iter_args(%rx0 = %a, %rx1 = %b) -> (memref<8xi64>, memref<8xi64>) {
    %q:3 = scf.while (%qx0 = %rx0, %qx1 = %rx1, %qc = %k0) : (memref<8xi64>, memref<8xi64>, i64) -> (memref<8xi64>, memref<8xi64>, i64) {
      %qlt = arith.cmpi slt, %qc, %k3 : i64
      scf.condition(%qlt) %qx0, %qx1, %qc : memref<8xi64>, memref<8xi64>, i64
    } do {
    ^bb0(%qx0: memref<8xi64>, %qx1: memref<8xi64>, %qc: i64):
      %v = memref.load %qx0[%c0] : memref<8xi64>
      %m3 = arith.remui %v, %k3 : i64
      %ix = arith.index_cast %m3 : i64 to index
      %y:2 = scf.index_switch %ix -> memref<8xi64>, memref<8xi64>
      case 0 {
        linalg.map { arith.addi } ins(%qx0, %qx1 : memref<8xi64>, memref<8xi64>) outs(%qx1 : memref<8xi64>)
        scf.yield %qx1, %qx0 : memref<8xi64>, memref<8xi64>
      }
      case 1 {
        %n = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%qx0, %qx1 : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
        scf.yield %n, %qx1 : memref<8xi64>, memref<8xi64>
      }
      default {
        linalg.map { arith.addi } ins(%qx0, %qx1 : memref<8xi64>, memref<8xi64>) outs(%qx0 : memref<8xi64>)
        scf.yield %qx0, %qx1 : memref<8xi64>, memref<8xi64>
      }
      %qc1 = arith.addi %qc, %k1 : i64
      scf.yield %y#0, %y#1, %qc1 : memref<8xi64>, memref<8xi64>, i64
    }
    scf.yield %q#0, %q#1 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
