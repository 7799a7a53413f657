// Blocks: the previous value (an argument of the header) and the new value are
// both used after the loop, at different exits.
//
// The header's value and the new one, both read after one of the exits: 128
// bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k7 = arith.constant 7 : i64
  %k40 = arith.constant 40 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.br ^h(%k0, %a : i64, memref<8xi64>)
  ^h(%i: i64, %p: memref<8xi64>):
    %dn = arith.cmpi sgt, %i, %k7 : i64
    cf.cond_br %dn, ^e1, ^b
  ^b:
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %x = memref.load %n[%c2] : memref<8xi64>
    %big = arith.cmpi sgt, %x, %k40 : i64
    %i1 = arith.addi %i, %k1 : i64
    cf.cond_br %big, ^e2, ^h(%i1, %n : i64, memref<8xi64>)
  ^e1:
    %pr1 = memref.load %p[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    cf.br ^out
  ^e2:
    %pr2 = memref.load %p[%c0] : memref<8xi64>
    vector.print %pr2 : i64
    %pr3 = memref.load %n[%c0] : memref<8xi64>
    vector.print %pr3 : i64
    cf.br ^out
  ^out:
    vector.print %k1 : i64
  return
}
