// Each case of a switch has its own loop with a carried buffer; the results are
// joined and carried.
//
// The carried value and the new one of any case: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %y = scf.index_switch %i -> memref<8xi64>
    case 0 {
      %s = scf.for %j = %c0 to %c2 step %c1 iter_args(%z = %x) -> (memref<8xi64>) {
        %n = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%z, %z : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
        scf.yield %n : memref<8xi64>
      }
      scf.yield %s : memref<8xi64>
    }
    case 1 {
      %m = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
      linalg.map { arith.addi } ins(%m, %x : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
      scf.yield %m : memref<8xi64>
    }
    default {
      scf.yield %x : memref<8xi64>
    }
    scf.yield %y : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
