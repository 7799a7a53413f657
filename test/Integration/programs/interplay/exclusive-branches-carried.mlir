// Nested conditionals yield a new buffer from four branches, which is carried;
// only some branches read the previous one.
//
// The old value and the new one of any of four branches: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%p = %a) -> (memref<8xi64>) {
    %m = arith.remui %i, %c3 : index
    %x = arith.cmpi eq, %m, %c0 : index
    %y = scf.if %x -> (memref<8xi64>) {
      %n = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
      scf.yield %n : memref<8xi64>
    } else {
      %z = arith.cmpi eq, %m, %c1 : index
      %w = scf.if %z -> (memref<8xi64>) {
        %n = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
        scf.yield %n : memref<8xi64>
      } else {
        %q = scf.index_switch %i -> memref<8xi64>
        case 2 {
          %n = memref.alloc() : memref<8xi64>
          linalg.fill ins(%k7 : i64) outs(%n : memref<8xi64>)
          linalg.map { arith.addi } ins(%n, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
          scf.yield %n : memref<8xi64>
        }
        default {
          scf.yield %p : memref<8xi64>
        }
        scf.yield %q : memref<8xi64>
      }
      scf.yield %w : memref<8xi64>
    }
    %s1 = memref.load %y[%c0] : memref<8xi64>
    vector.print %s1 : i64
    scf.yield %y : memref<8xi64>
  }
  %s2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
