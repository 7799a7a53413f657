// The callee's callee keeps it.
//
// 64 bytes are live at one time, so no plan is smaller.
// CHECK: arena @main: naive=64 others=64
// Not planned: it has elements of a type whose size is not known.
// CHECK: left @main: 2

func.func private @keep(%table: memref<1xmemref<8xi64>>, %m: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  memref.store %m, %table[%c0] : memref<1xmemref<8xi64>>
  return
}
func.func private @pass(%table: memref<1xmemref<8xi64>>, %m: memref<8xi64>) {
  call @keep(%table, %m) : (memref<1xmemref<8xi64>>, memref<8xi64>) -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %table = memref.alloc() : memref<1xmemref<8xi64>>
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @pass(%table, %a) : (memref<1xmemref<8xi64>>, memref<8xi64>) -> ()
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %k = memref.load %table[%c0] : memref<1xmemref<8xi64>>
  %s1 = memref.load %k[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
