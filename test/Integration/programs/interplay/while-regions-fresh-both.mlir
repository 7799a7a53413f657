// A while loop whose condition forwards arguments in another order and number;
// both regions make a new buffer.
//
// %p, the buffer that the condition made of it, and the one that the body makes
// of both: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:3 = scf.while (%p = %a, %i = %k0) : (memref<8xi64>, i64) -> (i64, memref<8xi64>, memref<8xi64>) {
    %h = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%h : memref<8xi64>)
    %c = arith.cmpi slt, %i, %k4 : i64
    scf.condition(%c) %i, %h, %p : i64, memref<8xi64>, memref<8xi64>
  } do {
  ^bb0(%i: i64, %h: memref<8xi64>, %p: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%h, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %i1 = arith.addi %i, %k1 : i64
    scf.yield %n, %i1 : memref<8xi64>, i64
  }
  %pr1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
