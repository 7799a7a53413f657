// An irreducible loop with two entries; each of its two blocks allocates a new
// buffer and passes it to the other.
//
// %a is read in the loop, with the forwarded value and the new one: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k5 = arith.constant 5 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    %e = memref.load %a[%c0] : memref<8xi64>
    %c = arith.cmpi eq, %e, %k1 : i64
    cf.cond_br %c, ^l(%k0, %a : i64, memref<8xi64>), ^r(%k0, %a : i64, memref<8xi64>)
  ^l(%i: i64, %p: memref<8xi64>):
    %x = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    %i1 = arith.addi %i, %k1 : i64
    %d = arith.cmpi sgt, %i1, %k5 : i64
    cf.cond_br %d, ^end(%x : memref<8xi64>), ^r(%i1, %x : i64, memref<8xi64>)
  ^r(%j: i64, %q: memref<8xi64>):
    %y = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%q, %a : memref<8xi64>, memref<8xi64>) outs(%y : memref<8xi64>)
    %j1 = arith.addi %j, %k1 : i64
    cf.br ^l(%j1, %y : i64, memref<8xi64>)
  ^end(%z: memref<8xi64>):
    %s1 = memref.load %z[%c0] : memref<8xi64>
    vector.print %s1 : i64
  return
}
