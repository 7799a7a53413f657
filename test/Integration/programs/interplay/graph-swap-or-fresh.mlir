// Two back edges carry different permutations and a new buffer.
//
// Two carried buffers and the new one of one back edge: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k6 = arith.constant 6 : i64
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    cf.br ^h(%k0, %a, %b : i64, memref<8xi64>, memref<8xi64>)
  ^h(%i: i64, %p: memref<8xi64>, %q: memref<8xi64>):
    %dn = arith.cmpi sge, %i, %k6 : i64
    %i1 = arith.addi %i, %k1 : i64
    cf.cond_br %dn, ^end, ^body
  ^body:
    %od = arith.remsi %i, %k3 : i64
    %x = arith.cmpi eq, %od, %k0 : i64
    cf.cond_br %x, ^sw, ^fr
  ^sw:
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%p : memref<8xi64>)
    cf.br ^h(%i1, %q, %p : i64, memref<8xi64>, memref<8xi64>)
  ^fr:
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %q : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    cf.br ^h(%i1, %n, %p : i64, memref<8xi64>, memref<8xi64>)
  ^end:
    %pr1 = memref.load %p[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    %pr2 = memref.load %q[%c0] : memref<8xi64>
    vector.print %pr2 : i64
  return
}
