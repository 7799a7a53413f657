// In blocks: a block argument that is one of two buffers is freed, and replaced
// on one edge.
//
// Both values are read while the new one is written: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k4 = arith.constant 4 : i64
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    cf.br ^h(%k0, %a, %b : i64, memref<8xi64>, memref<8xi64>)
  ^h(%i: i64, %p: memref<8xi64>, %q: memref<8xi64>):
    %od = arith.andi %i, %k1 : i64
    %z = arith.cmpi eq, %od, %k0 : i64
    %i1 = arith.addi %i, %k1 : i64
    cf.cond_br %z, ^j(%p, %q : memref<8xi64>, memref<8xi64>), ^j(%q, %p : memref<8xi64>, memref<8xi64>)
  ^j(%f: memref<8xi64>, %k: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%f, %k : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    memref.dealloc %f : memref<8xi64>
    %c = arith.cmpi slt, %i1, %k4 : i64
    cf.cond_br %c, ^h(%i1, %n, %k : i64, memref<8xi64>, memref<8xi64>), ^e
  ^e:
    %pr1 = memref.load %n[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    %pr2 = memref.load %k[%c0] : memref<8xi64>
    vector.print %pr2 : i64
    memref.dealloc %n : memref<8xi64>
    memref.dealloc %k : memref<8xi64>
  return
}
