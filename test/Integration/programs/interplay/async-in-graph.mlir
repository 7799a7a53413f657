// Async work started in one block and awaited in the successors of a loop of
// blocks.
//
// %a, %o, and in use by the tasks %t and %w, together with %u: 320 bytes.
// CHECK: arena @main: naive=320 others=320
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
    %a = memref.alloc() : memref<8xi64>
    %o = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k0 : i64) outs(%o : memref<8xi64>)
    cf.br ^h(%k0 : i64)
  ^h(%i: i64):
    %t = memref.alloc() : memref<8xi64>
    linalg.fill ins(%i : i64) outs(%t : memref<8xi64>)
    %w = memref.alloc() : memref<8xi64>
    %tok = async.execute {
      linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%w : memref<8xi64>)
      async.yield
    }
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k7 : i64) outs(%u : memref<8xi64>)
    linalg.map { arith.addi } ins(%o, %u : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
    %i1 = arith.addi %i, %k1 : i64
    %c = arith.cmpi slt, %i1, %k3 : i64
    cf.cond_br %c, ^x, ^y
  ^x:
    async.await %tok : !async.token
    linalg.map { arith.addi } ins(%o, %w : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
    cf.br ^h(%i1 : i64)
  ^y:
    async.await %tok : !async.token
    linalg.map { arith.addi } ins(%o, %w : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
    %pr1 = memref.load %o[%c0] : memref<8xi64>
    vector.print %pr1 : i64
  return
}
