// WITH: ../../Inputs/sums.mlir
// Blocks allocate buffers of one size, of another, and of one that depends on the
// iteration. A phi cycle goes through them.
// ARGUMENTS: 0
// ARGUMENTS: 1
// ARGUMENTS: 5
// ARGUMENTS: 20
// CHECK: arena @f: naive=any others=any
// CHECK: left @f: 1

func.func @f(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %z = memref.alloc(%n) : memref<?xf32>
  func.call @iota(%z, %one) : (memref<?xf32>, f32) -> ()
  cf.br ^head(%c0, %z : index, memref<?xf32>)
^head(%i: index, %v: memref<?xf32>):
  %t = arith.cmpi slt, %i, %n : index
  cf.cond_br %t, ^body, ^exit
^body:
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%v, %v : memref<?xf32>, memref<?xf32>) outs(%a : memref<?xf32>)
  %k = arith.subi %n, %i : index
  %b = memref.alloc(%k) : memref<?xf32>
  linalg.fill ins(%two : f32) outs(%b : memref<?xf32>)
  func.call @chk(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  %u = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %u, ^left, ^right
^left:
  %l = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%a : memref<?xf32>) outs(%l : memref<?xf32>)
  func.call @chk(%l) : (memref<?xf32>) -> ()
  memref.dealloc %l : memref<?xf32>
  cf.br ^next
^right:
  %n2 = arith.muli %n, %c2 : index
  %l2 = memref.alloc(%n2) : memref<?xf32>
  linalg.fill ins(%one : f32) outs(%l2 : memref<?xf32>)
  func.call @chk(%l2) : (memref<?xf32>) -> ()
  memref.dealloc %l2 : memref<?xf32>
  cf.br ^next
^next:
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %a : index, memref<?xf32>)
^exit:
  func.call @chk(%v) : (memref<?xf32>) -> ()
  return
}
func.func @main(%n0: index) {
  %x0 = memref.alloc(%n0) : memref<?xf32>
  %cx0 = arith.constant 2.0 : f32
  func.call @iota(%x0, %cx0) : (memref<?xf32>, f32) -> ()
  func.call @f(%x0) : (memref<?xf32>) -> ()
  memref.dealloc %x0 : memref<?xf32>
  return
}
