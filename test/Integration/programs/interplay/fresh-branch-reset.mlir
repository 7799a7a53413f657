// A carried state: a conditional reset makes a new zero state, otherwise a
// computed one.
//
// CHECK: 1
// CHECK-NEXT: 2
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 2
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// %x, the old state and the new one of either branch: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %x = memref.alloc() : memref<8xi64>
  %h0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  linalg.fill ins(%k0 : i64) outs(%h0 : memref<8xi64>)
  %r = scf.for %t = %c0 to %c6 step %c1 iter_args(%h = %h0) -> (memref<8xi64>) {
    %m = arith.remui %t, %c3 : index
    %c = arith.cmpi eq, %m, %c2 : index
    %n = scf.if %c -> (memref<8xi64>) {
      %z = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k0 : i64) outs(%z : memref<8xi64>)
      scf.yield %z : memref<8xi64>
    } else {
      %y = memref.alloc() : memref<8xi64>
      linalg.map { arith.addi } ins(%h, %x : memref<8xi64>, memref<8xi64>) outs(%y : memref<8xi64>)
      scf.yield %y : memref<8xi64>
    }
    %s1 = memref.load %n[%c0] : memref<8xi64>
    vector.print %s1 : i64
    scf.yield %n : memref<8xi64>
  }
  %s2 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
