// A switch chooses between two loops, one of which exchanges two buffers and
// makes a third: three slots alternate, and are forwarded along the edges of
// the switch, where another loop with its own buffers may run first.
//
// CHECK: arena @pick: naive=320 others=192
// CHECK-NOT: left

func.func private @pick(%which: i32, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k9 = arith.constant 9 : i64
  cf.switch %which : i32, [
    default: ^other,
    0: ^swap,
    1: ^done(%k9 : i64)
  ]
^swap:
  %x0 = memref.alloc() : memref<8xi64>
  %y0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%x0 : memref<8xi64>)
  linalg.fill ins(%k1 : i64) outs(%y0 : memref<8xi64>)
  cf.br ^head(%c0, %x0, %y0 : index, memref<8xi64>, memref<8xi64>)
^head(%i: index, %x: memref<8xi64>, %y: memref<8xi64>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^after
^body:
  %z = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%x, %y : memref<8xi64>, memref<8xi64>) outs(%z : memref<8xi64>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %y, %z : index, memref<8xi64>, memref<8xi64>)
^after:
  %s = memref.load %y[%c0] : memref<8xi64>
  cf.br ^done(%s : i64)
^other:
  %a0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a0 : memref<8xi64>)
  cf.br ^head2(%c0, %a0 : index, memref<8xi64>)
^head2(%j: index, %a: memref<8xi64>):
  %more2 = arith.cmpi slt, %j, %n : index
  cf.cond_br %more2, ^body2, ^after2
^body2:
  %b = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%b : memref<8xi64>)
  %next2 = arith.addi %j, %c1 : index
  cf.br ^head2(%next2, %b : index, memref<8xi64>)
^after2:
  %t = memref.load %a[%c0] : memref<8xi64>
  cf.br ^done(%t : i64)
^done(%r: i64):
  return %r : i64
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %w0 = arith.constant 0 : i32
  %w1 = arith.constant 1 : i32
  %w5 = arith.constant 5 : i32
  %0 = func.call @pick(%w5, %c2) : (i32, index) -> i64
  vector.print %0 : i64
  %1 = func.call @pick(%w0, %c7) : (i32, index) -> i64
  vector.print %1 : i64
  %2 = func.call @pick(%w1, %c7) : (i32, index) -> i64
  vector.print %2 : i64
  return
}
