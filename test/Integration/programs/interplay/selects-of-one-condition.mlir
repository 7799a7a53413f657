// A select chooses one of two buffers; a second select with the same condition
// gives the slot of the other one to the next buffer. The operands of the first
// select are not used any more by then.
//
// CHECK: arena @f: naive=256 others=256
// CHECK-NOT: left

func.func private @f(%c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %k9 = arith.constant 9 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
  linalg.fill ins(%k9 : i64) outs(%a : memref<8xi64>)
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %a, %z = %a) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    %n = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%n : memref<8xi64>)
    linalg.map { arith.addi } ins(%n, %y : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    scf.yield %y, %n, %x : memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %s = arith.select %c, %r#1, %b : memref<8xi64>
  %d = memref.alloc() : memref<8xi64>
  memref.copy %s, %d : memref<8xi64> to memref<8xi64>
  %e = arith.select %c, %d, %s : memref<8xi64>
  %v = memref.load %e[%c0] : memref<8xi64>
  vector.print %v : i64
  %w = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %w : i64
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  func.call @f(%true) : (i1) -> ()
  func.call @f(%false) : (i1) -> ()
  return
}
