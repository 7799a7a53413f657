// generic_atomic_rmw on a carried accumulator in scf.parallel with private
// temporaries.
//
// %acc and 64 bytes for each of four workers; %z has the bytes of the frames
// after them: 320 bytes.
// CHECK: arena @main: naive=384 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %acc = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%acc : memref<8xi64>)
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %t = memref.alloc() : memref<2xi64>
    %iv = arith.index_cast %i : index to i64
    memref.store %iv, %t[%c1] : memref<2xi64>
    %v = memref.load %t[%c1] : memref<2xi64>
    %x = memref.atomic_rmw addi %v, %acc[%c0] : (i64, memref<8xi64>) -> i64
  }
  %z = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%acc, %acc : memref<8xi64>, memref<8xi64>) outs(%z : memref<8xi64>)
  %pr1 = memref.load %z[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
