// Bottom-up merge passes between two buffers, by a private callee with an
// output argument; the caller exchanges the buffers.
//
// Two buffers between which a callee copies: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @pass(%s: memref<8xi64>, %d: memref<8xi64>, %w: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.xori %i, %w : index
    %a = memref.load %s[%i] : memref<8xi64>
    %b = memref.load %s[%j] : memref<8xi64>
    %lo = arith.minsi %a, %b : i64
    %hi = arith.maxsi %a, %b : i64
    %c = arith.cmpi ult, %i, %j : index
    %v = arith.select %c, %lo, %hi : i64
    memref.store %v, %d[%i] : memref<8xi64>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  scf.for %i = %c0 to %c8 step %c1 {
    %t = arith.index_cast %i : index to i64
    %m = arith.subi %k9, %t : i64
    memref.store %m, %a[%i] : memref<8xi64>
  }
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %a, %d = %b, %w = %c1) -> (memref<8xi64>, memref<8xi64>, index) {
    func.call @pass(%s, %d, %w) : (memref<8xi64>, memref<8xi64>, index) -> ()
    %w2 = arith.muli %w, %c2 : index
    scf.yield %d, %s, %w2 : memref<8xi64>, memref<8xi64>, index
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  return
}
