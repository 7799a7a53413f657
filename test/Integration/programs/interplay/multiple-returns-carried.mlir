// Several returns from a loop of blocks that carries new buffers, in a private
// callee with an output argument.
//
// The previous buffer and the new one, of which either is copied to the output:
// 128 bytes.
// CHECK: arena @work: naive=128 others=128
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @work(%n: i64, %o: memref<8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k10 = arith.constant 10 : i64
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    cf.br ^head(%k0, %a : i64, memref<8xi64>)
  ^head(%i: i64, %p: memref<8xi64>):
    %dn = arith.cmpi sge, %i, %n : i64
    cf.cond_br %dn, ^done, ^body
  ^body:
    %x = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%p, %p : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
    %e = memref.load %x[%c0] : memref<8xi64>
    %big = arith.cmpi sgt, %e, %k10 : i64
    %i1 = arith.addi %i, %k1 : i64
    cf.cond_br %big, ^fail, ^head(%i1, %x : i64, memref<8xi64>)
  ^done:
    memref.copy %p, %o : memref<8xi64> to memref<8xi64>
    return %k0 : i64
  ^fail:
    memref.copy %x, %o : memref<8xi64> to memref<8xi64>
    return %k1 : i64
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  %o = memref.alloc() : memref<8xi64>
  %a = func.call @work(%k2, %o) : (i64, memref<8xi64>) -> i64
  vector.print %a : i64
  %s1 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %b = func.call @work(%k9, %o) : (i64, memref<8xi64>) -> i64
  vector.print %b : i64
  %s2 = memref.load %o[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
