// A loop of blocks with a critical back edge (cond_br to the header with other
// arguments than the entry); a new buffer in each iteration, the previous one
// is read.
//
// The previous buffer and the new one, both read after the loop: 128 bytes.
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k4 = arith.constant 4 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.br ^head(%k0, %a : i64, memref<8xi64>)
  ^head(%i: i64, %p: memref<8xi64>):
    %n = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%n : memref<8xi64>)
    %i1 = arith.addi %i, %k1 : i64
    %c = arith.cmpi slt, %i1, %k4 : i64
    cf.cond_br %c, ^head(%i1, %n : i64, memref<8xi64>), ^end(%p, %n : memref<8xi64>, memref<8xi64>)
  ^end(%x: memref<8xi64>, %y: memref<8xi64>):
    %s1 = memref.load %x[%c0] : memref<8xi64>
    vector.print %s1 : i64
    %s2 = memref.load %y[%c0] : memref<8xi64>
    vector.print %s2 : i64
  return
}
