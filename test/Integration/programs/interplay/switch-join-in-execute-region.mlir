// A cf.switch in straight-line code joins the new buffers of three cases.
//
// One of three new buffers is live: 64 bytes.
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %k0) -> (i64) {
      %v = scf.execute_region -> i64 {
        %s = arith.index_cast %i : index to i32
        cf.switch %s : i32, [
          default: ^d,
          0: ^s0,
          1: ^s1
        ]
      ^s0:
        %a = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
        cf.br ^j(%a : memref<8xi64>)
      ^s1:
        %b = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
        cf.br ^j(%b : memref<8xi64>)
      ^d:
        %c = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
        cf.br ^j(%c : memref<8xi64>)
      ^j(%m: memref<8xi64>):
        %e = memref.load %m[%c0] : memref<8xi64>
        scf.yield %e : i64
      }
      %y = arith.addi %x, %v : i64
      scf.yield %y : i64
    }
    vector.print %r : i64
  return
}
