// A task uses a select of two buffers; after the await they are freed through
// the opposite selects.
//
// The task uses %a or %b, which is not known, together with %z: 192 bytes.
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k9 = arith.constant 9 : i64
  scf.for %i = %c0 to %c2 step %c1 {
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %c = arith.cmpi eq, %i, %c0 : index
    %x = arith.select %c, %a, %b : memref<8xi64>
    %y = arith.select %c, %b, %a : memref<8xi64>
    %tok = async.execute {
      linalg.map { arith.addi } ins(%x, %x : memref<8xi64>, memref<8xi64>) outs(%x : memref<8xi64>)
      async.yield
    }
    %pr1 = memref.load %y[%c0] : memref<8xi64>
    vector.print %pr1 : i64
    memref.dealloc %y : memref<8xi64>
    %z = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%z : memref<8xi64>)
    async.await %tok : !async.token
    %pr2 = memref.load %x[%c0] : memref<8xi64>
    vector.print %pr2 : i64
    %pr3 = memref.load %z[%c0] : memref<8xi64>
    vector.print %pr3 : i64
    memref.dealloc %x : memref<8xi64>
    memref.dealloc %z : memref<8xi64>
  }
  return
}
