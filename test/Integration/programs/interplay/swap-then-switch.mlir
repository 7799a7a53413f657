// A conditional exchanges values that a cf.switch forwards. cf.switch cannot
// print one of several results of an op, so it is in a separate block. The sums
// are Fibonacci numbers.
//
// CHECK: arena @main: naive=160 others=160
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%c7 : i32) outs(%a : memref<8xi32>)
  linalg.fill ins(%c9 : i32) outs(%b : memref<8xi32>)
  cf.br ^head(%c0, %a, %b : index, memref<8xi32>, memref<8xi32>)
^head(%i: index, %p: memref<8xi32>, %q: memref<8xi32>):
  %new = memref.alloc() : memref<8xi32>
  linalg.add ins(%p, %q : memref<8xi32>, memref<8xi32>) outs(%new : memref<8xi32>)
  %bit = arith.andi %i, %c1 : index
  %odd = arith.cmpi eq, %bit, %c1 : index
  %r:2 = scf.if %odd -> (memref<8xi32>, memref<8xi32>) {
    scf.yield %new, %p : memref<8xi32>, memref<8xi32>
  } else {
    scf.yield %p, %new : memref<8xi32>, memref<8xi32>
  }
  %one = arith.addi %i, %c1 : index
  %first, %second = scf.if %odd -> (memref<8xi32>, memref<8xi32>) {
    scf.yield %r#0, %r#1 : memref<8xi32>, memref<8xi32>
  } else {
    scf.yield %r#1, %r#0 : memref<8xi32>, memref<8xi32>
  }
  %more = arith.cmpi slt, %one, %c5 : index
  %flag = arith.extui %more : i1 to i32
  cf.switch %flag : i32, [
    default: ^exit(%first : memref<8xi32>),
    1: ^head(%one, %first, %second : index, memref<8xi32>, memref<8xi32>)
  ]
^exit(%last: memref<8xi32>):
  %v = vector.load %last[%c0] : memref<8xi32>, vector<8xi32>
  vector.print %v : vector<8xi32>
  return
}
