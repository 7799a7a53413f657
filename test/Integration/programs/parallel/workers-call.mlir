// PROGRAM: scope=module
//
// A callee whose temporaries are in the frame of the calling worker, in the
// bytes of %a, which is dead by then; and a callee of this callee.
//
// 64 bytes of %o; for each of 3 workers %b, and the 128 bytes of @twice, which
// include those of %a.
// CHECK: arena @main: naive=832 others=640
// CHECK-NOT: arena
// CHECK-NOT: left

func.func private @copy(%in: memref<8xi64>, %out: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  memref.copy %in, %t : memref<8xi64> to memref<8xi64>
  memref.copy %t, %out : memref<8xi64> to memref<8xi64>
  return
}

func.func private @twice(%in: memref<8xi64>, %out: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  func.call @copy(%in, %t) : (memref<8xi64>, memref<8xi64>) -> ()
  linalg.map { arith.addi } ins(%in, %t : memref<8xi64>, memref<8xi64>) outs(%out : memref<8xi64>)
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
  %o = memref.alloc() : memref<8xi64>
  scf.parallel (%i) = (%c0) to (%c3) step (%c1) {
    %x = arith.index_cast %i : index to i64
    %y = arith.muli %x, %k5 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%y : i64) outs(%a : memref<8xi64>)
    %u = memref.load %a[%i] : memref<8xi64>
    %v = arith.addi %u, %k5 : i64
    %w = arith.addi %v, %k5 : i64
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%w : i64) outs(%b : memref<8xi64>)
    func.call @twice(%b, %b) : (memref<8xi64>, memref<8xi64>) -> ()
    %z = memref.load %b[%i] : memref<8xi64>
    %s = arith.addi %z, %k1 : i64
    memref.store %s, %o[%i] : memref<8xi64>
  }
  scf.for %p = %c0 to %c3 step %c1 {
    %q = memref.load %o[%p] : memref<8xi64>
    vector.print %q : i64
  }
  return
}
