// Two parallel loops one after another with different numbers of workers: their
// frames share bytes.
//
// %o, and eight frames of 64 bytes, which share their bytes with two of 256:
// 576.
// CHECK: arena @main: naive=1088 others=576
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %o = memref.alloc() : memref<8xi64>
  scf.forall (%i) in (8) {
    %t = memref.alloc() : memref<8xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<8xi64>)
    %v = memref.load %t[%i] : memref<8xi64>
    memref.store %v, %o[%i] : memref<8xi64>
  }
  scf.forall (%i) in (2) {
    %t = memref.alloc() : memref<32xi64>
    %iv = arith.index_cast %i : index to i64
    linalg.fill ins(%iv : i64) outs(%t : memref<32xi64>)
    %v = memref.load %t[%i] : memref<32xi64>
    %w = memref.load %o[%i] : memref<8xi64>
    %x = arith.addi %v, %w : i64
    memref.store %x, %o[%i] : memref<8xi64>
  }
  %pr1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %v1 = memref.load %o[%c1] : memref<8xi64>
  vector.print %v1 : i64
  %v7 = memref.load %o[%c7] : memref<8xi64>
  vector.print %v7 : i64
  return
}
