// A conditional replaces the carried buffer or keeps it; after it a switch
// keeps its result or replaces it once more. The slot that is free then is one
// of several results of the conditional, which the edges of the switch forward.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k5 = arith.constant 5 : i64
  %k100 = arith.constant 100 : i64
  %x0 = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%x0 : memref<8xi64>)
  %s0 = memref.load %x0[%c0] : memref<8xi64>
  vector.print %s0 : i64
  cf.br ^head(%c0, %x0 : index, memref<8xi64>)
^head(%i: index, %x: memref<8xi64>):
  %more = arith.cmpi slt, %i, %c4 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %even = arith.remui %i, %c2 : index
  %isEven = arith.cmpi eq, %even, %c0 : index
  %y = scf.if %isEven -> (memref<8xi64>) {
    %p = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k0 : i64) outs(%p : memref<8xi64>)
    %old = memref.load %x[%c0] : memref<8xi64>
    %new = arith.addi %old, %k5 : i64
    linalg.fill ins(%new : i64) outs(%p : memref<8xi64>)
    scf.yield %p : memref<8xi64>
  } else {
    scf.yield %x : memref<8xi64>
  }
  %w = arith.index_cast %i : index to i32
  cf.switch %w : i32, [
    default: ^latch(%y : memref<8xi64>),
    0: ^renew,
    2: ^latch(%y : memref<8xi64>)
  ]
^renew:
  %z = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k0 : i64) outs(%z : memref<8xi64>)
  %v = memref.load %y[%c0] : memref<8xi64>
  %u = arith.addi %v, %k100 : i64
  linalg.fill ins(%u : i64) outs(%z : memref<8xi64>)
  cf.br ^latch(%z : memref<8xi64>)
^latch(%n: memref<8xi64>):
  %add = memref.load %n[%c0] : memref<8xi64>
  vector.print %add : i64
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next, %n : index, memref<8xi64>)
^exit:
  return
}
