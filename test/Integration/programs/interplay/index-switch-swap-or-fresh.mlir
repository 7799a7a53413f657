// An index_switch replaces the carried buffer, keeps it, or exchanges it with a
// second one.
//
// Two carried buffers and a new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %a, %q = %b) -> (memref<8xi64>, memref<8xi64>) {
    %m = arith.remui %i, %c3 : index
    %y:2 = scf.index_switch %m -> memref<8xi64>, memref<8xi64>
    case 0 {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %n, %q : memref<8xi64>, memref<8xi64>
    }
    case 1 {
      scf.yield %q, %p : memref<8xi64>, memref<8xi64>
    }
    default {
      %n = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%q, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
      scf.yield %p, %n : memref<8xi64>, memref<8xi64>
    }
    scf.yield %y#0, %y#1 : memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
