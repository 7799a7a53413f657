// Two new buffers in each iteration, one of which is selected and carried; both
// read the initial one.
//
// CHECK: 1
// The carried value and two new ones: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a) -> (memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    %m = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    linalg.map { arith.muli } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%m : memref<8xi64>)
    %v = memref.load %n[%c0] : memref<8xi64>
    %w = memref.load %m[%c0] : memref<8xi64>
    %c = arith.cmpi slt, %v, %w : i64
    %s = arith.select %c, %n, %m : memref<8xi64>
    scf.yield %s : memref<8xi64>
  }
  %pr1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
