// Three carried buffers: the branch determines the direction of a cyclic shift.
//
// Three buffers, shifted in either direction: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %r:3 = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %a, %q = %b, %s = %c) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    %m = arith.remui %i, %c3 : index
    %x = arith.cmpi eq, %m, %c0 : index
    %y:3 = scf.if %x -> (memref<8xi64>, memref<8xi64>, memref<8xi64>) {
      linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
      scf.yield %q, %s, %p : memref<8xi64>, memref<8xi64>, memref<8xi64>
    } else {
      linalg.map { arith.addi } ins(%q, %s : memref<8xi64>, memref<8xi64>) outs(%q : memref<8xi64>)
      scf.yield %s, %p, %q : memref<8xi64>, memref<8xi64>, memref<8xi64>
    }
    scf.yield %y#0, %y#1, %y#2 : memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
