// Four exclusive allocations in nested conditionals are joined to one value;
// then a temporary follows.
//
// %acc and one of four exclusive buffers: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k10 = arith.constant 10 : i64
  %k100 = arith.constant 100 : i64
  %k1000 = arith.constant 1000 : i64
  %acc = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%acc : memref<8xi64>)
  scf.for %i = %c0 to %c4 step %c1 {
    %iv = arith.index_cast %i : index to i64
    %b0 = arith.andi %iv, %k1 : i64
    %b1 = arith.andi %iv, %k2 : i64
    %p = arith.cmpi eq, %b0, %k0 : i64
    %q = arith.cmpi eq, %b1, %k0 : i64
    %r = scf.if %p -> (memref<8xi64>) {
      %s = scf.if %q -> (memref<8xi64>) {
        %t1 = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k1 : i64) outs(%t1 : memref<8xi64>)
        scf.yield %t1 : memref<8xi64>
      } else {
        %t2 = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k10 : i64) outs(%t2 : memref<8xi64>)
        scf.yield %t2 : memref<8xi64>
      }
      scf.yield %s : memref<8xi64>
    } else {
      %s = scf.if %q -> (memref<8xi64>) {
        %t3 = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k100 : i64) outs(%t3 : memref<8xi64>)
        scf.yield %t3 : memref<8xi64>
      } else {
        %t4 = memref.alloc() : memref<8xi64>
        linalg.fill ins(%k1000 : i64) outs(%t4 : memref<8xi64>)
        scf.yield %t4 : memref<8xi64>
      }
      linalg.map { arith.addi } ins(%s, %s : memref<8xi64>, memref<8xi64>) outs(%s : memref<8xi64>)
      scf.yield %s : memref<8xi64>
    }
    linalg.map { arith.addi } ins(%acc, %r : memref<8xi64>, memref<8xi64>) outs(%acc : memref<8xi64>)
  }
  %pr1 = memref.load %acc[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
