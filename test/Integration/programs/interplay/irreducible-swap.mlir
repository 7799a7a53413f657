// An irreducible loop that exchanges two buffers on one of its edges.
//
// Two buffers: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %e = memref.load %a[%c0] : memref<8xi64>
    %c = arith.cmpi eq, %e, %k1 : i64
    cf.cond_br %c, ^l(%k0, %a, %b : i64, memref<8xi64>, memref<8xi64>), ^r(%k0, %b, %a : i64, memref<8xi64>, memref<8xi64>)
  ^l(%i: i64, %p: memref<8xi64>, %q: memref<8xi64>):
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
    cf.br ^r(%i, %q, %p : i64, memref<8xi64>, memref<8xi64>)
  ^r(%j: i64, %x: memref<8xi64>, %y: memref<8xi64>):
    linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    %j1 = arith.addi %j, %k1 : i64
    %d = arith.cmpi sgt, %j1, %k3 : i64
    cf.cond_br %d, ^end, ^l(%j1, %x, %y : i64, memref<8xi64>, memref<8xi64>)
  ^end:
    %pr1 = memref.load %x[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    %pr2 = memref.load %y[%c0] : memref<8xi64>
    vector.print %pr2 : i64
  return
}
