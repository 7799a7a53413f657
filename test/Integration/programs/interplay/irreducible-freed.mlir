// An irreducible loop; both blocks replace the buffer and free the old one.
//
// The forwarded value and the new one: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    %e = memref.load %a[%c0] : memref<8xi64>
    %c = arith.cmpi eq, %e, %k1 : i64
    cf.cond_br %c, ^l(%k0, %a : i64, memref<8xi64>), ^r(%k0, %a : i64, memref<8xi64>)
  ^l(%i: i64, %p: memref<8xi64>):
    %x = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    memref.dealloc %p : memref<8xi64>
    cf.br ^r(%i, %x : i64, memref<8xi64>)
  ^r(%j: i64, %q: memref<8xi64>):
    %y = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%q, %q : memref<8xi64>, memref<8xi64>) outs(%y : memref<8xi64>)
    memref.dealloc %q : memref<8xi64>
    %j1 = arith.addi %j, %k1 : i64
    %d = arith.cmpi sgt, %j1, %k3 : i64
    cf.cond_br %d, ^end, ^l(%j1, %y : i64, memref<8xi64>)
  ^end:
    %pr1 = memref.load %y[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    memref.dealloc %y : memref<8xi64>
  return
}
