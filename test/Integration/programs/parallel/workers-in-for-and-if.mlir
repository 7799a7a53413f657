// Parallel loops in both branches inside a sequential loop: the frames of the
// two are never in use at once, nor with %w, which is dead then.
//
// 64 bytes of %o; 2 workers of 64 bytes in either branch, which include the 64
// of %w.
// CHECK: arena @main: naive=384 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %k10 = arith.constant 10 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.for %p = %c0 to %c4 step %c1 {
    %w = memref.alloc() : memref<8xi64>
    %x = arith.index_cast %p : index to i64
    %y = arith.muli %x, %k10 : i64
    linalg.fill ins(%y : i64) outs(%w : memref<8xi64>)
    %z = memref.load %w[%p] : memref<8xi64>
    %r = arith.remui %p, %c2 : index
    %c = arith.cmpi eq, %r, %c0 : index
    scf.if %c {
      scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
        %t = memref.alloc() : memref<8xi64>
        linalg.fill ins(%z : i64) outs(%t : memref<8xi64>)
        %q = memref.load %t[%i] : memref<8xi64>
        %m = arith.cmpi eq, %i, %c0 : index
        scf.if %m {
          memref.store %q, %o[%p] : memref<8xi64>
        }
      }
    } else {
      scf.forall (%i) in (2) {
        %t = memref.alloc() : memref<8xi64>
        %u = arith.addi %z, %k1 : i64
        linalg.fill ins(%u : i64) outs(%t : memref<8xi64>)
        %q = memref.load %t[%i] : memref<8xi64>
        %m = arith.cmpi eq, %i, %c1 : index
        scf.if %m {
          memref.store %q, %o[%p] : memref<8xi64>
        }
      }
    }
  }
  scf.for %p = %c0 to %c4 step %c1 {
    %q = memref.load %o[%p] : memref<8xi64>
    vector.print %q : i64
  }
  return
}
