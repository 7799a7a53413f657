// Nests of loops that store all elements of %a in each iteration: in between,
// %b, which is overwritten in the same way, has its bytes. Two more nests
// overwrite only a part, or also read: %d and %e have separate bytes.
//
// CHECK: arena @main: naive=328 linear-scan=320 greedy=264 greedy-by-breadth=264 best-fit=320 auto=264
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<1x8xi64>
  %b = memref.alloc() : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  %e = memref.alloc() : memref<8xi64>
  %sum = memref.alloc() : memref<i64>
  %one = memref.alloc() : memref<1xi64>
  memref.store %k1, %sum[] : memref<i64>
  linalg.fill ins(%k1 : i64) outs(%d : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%e : memref<8xi64>)
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.index_cast %i : index to i64
    affine.for %t = 0 to 1 {
      affine.for %j = 0 to 8 {
        affine.store %n, %a[%t, %j] : memref<1x8xi64>
      }
    }
    %x = memref.load %a[%c0, %c3] : memref<1x8xi64>
    %y = memref.load %a[%c0, %c1] : memref<1x8xi64>
    %xy = arith.addi %x, %y : i64
    affine.store %xy, %one[0] : memref<1xi64>
    scf.for %j = %c0 to %c8 step %c2 {
      scf.for %k = %c0 to %c2 step %c1 {
        %w = arith.addi %j, %k : index
        memref.store %xy, %b[%w] : memref<8xi64>
      }
    }
    scf.for %j = %c0 to %c8 step %c2 {
      memref.store %xy, %d[%j] : memref<8xi64>
    }
    scf.for %j = %c0 to %c8 step %c1 {
      %old = memref.load %e[%j] : memref<8xi64>
      %new = arith.addi %old, %xy : i64
      memref.store %new, %e[%j] : memref<8xi64>
    }
    %z0 = memref.load %b[%c2] : memref<8xi64>
    %z1 = memref.load %b[%c3] : memref<8xi64>
    %z2 = memref.load %d[%c1] : memref<8xi64>
    %z3 = memref.load %e[%c4] : memref<8xi64>
    %z4 = memref.load %one[%c0] : memref<1xi64>
    %old = memref.load %sum[] : memref<i64>
    %s0 = arith.addi %z0, %z1 : i64
    %s1 = arith.addi %s0, %z2 : i64
    %s2 = arith.addi %s1, %z3 : i64
    %s3 = arith.addi %s2, %old : i64
    %s4 = arith.addi %s3, %z4 : i64
    memref.store %s4, %sum[] : memref<i64>
    vector.print %s4 : i64
  }
  return
}
