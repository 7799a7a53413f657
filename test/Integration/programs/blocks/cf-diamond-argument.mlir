// Each arm passes its buffer to the join.
//
// The two buffers that %r may be have one slot.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k5 = arith.constant 5 : i64
  %false = arith.constant false
    cf.cond_br %false, ^one, ^two
  ^one:
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%b : memref<8xi64>)
    cf.br ^end(%b : memref<8xi64>)
  ^two:
    %c = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k2 : i64) outs(%c : memref<8xi64>)
    cf.br ^end(%c : memref<8xi64>)
  ^end(%r: memref<8xi64>):
    %d = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k3 : i64) outs(%d : memref<8xi64>)
    %s1 = memref.load %r[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %s2 = memref.load %d[%c0] : memref<8xi64>
    vector.print %s2 : i64
  return
}
