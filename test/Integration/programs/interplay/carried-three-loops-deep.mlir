// A new buffer is carried through three nested loops, with a temporary at each
// level.
//
// The carried value and the new one alternate in 128 bytes; the slot that is
// free while %w is live serves no other buffer: 192.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %s = scf.for %j = %c0 to %c2 step %c1 iter_args(%y = %x) -> (memref<8xi64>) {
      %t = scf.for %l = %c0 to %c2 step %c1 iter_args(%z = %y) -> (memref<8xi64>) {
        %n = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%z, %z : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
        scf.yield %n : memref<8xi64>
      }
      %w = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k3 : i64) outs(%w : memref<8xi64>)
      linalg.map { arith.addi } ins(%t, %w : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
      scf.yield %t : memref<8xi64>
    }
    scf.yield %s : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
