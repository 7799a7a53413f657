// u(t-1), u(t), u(t+1): the next level overwrites the oldest, in a while loop
// that ends by a scalar.
//
// CHECK: 6
// CHECK-NEXT: 7
// Three alternating levels: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %r:4 = scf.while (%s = %c0, %um = %a, %u = %b, %up = %c) : (index, memref<8xi64>, memref<8xi64>, memref<8xi64>) -> (index, memref<8xi64>, memref<8xi64>, memref<8xi64>) {
    %lt = arith.cmpi ult, %s, %c5 : index
    scf.condition(%lt) %s, %um, %u, %up : index, memref<8xi64>, memref<8xi64>, memref<8xi64>
  } do {
  ^bb0(%s: index, %um: memref<8xi64>, %u: memref<8xi64>, %up: memref<8xi64>):
    linalg.map { arith.addi } ins(%u, %u : memref<8xi64>, memref<8xi64>) outs(%up : memref<8xi64>)
    linalg.map { arith.subi } ins(%up, %um : memref<8xi64>, memref<8xi64>) outs(%up : memref<8xi64>)
    %n = arith.addi %s, %c1 : index
    scf.yield %n, %u, %up, %um : index, memref<8xi64>, memref<8xi64>, memref<8xi64>
  }
  %pr1 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %pr2 = memref.load %r#2[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
