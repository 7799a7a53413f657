// PROGRAM: scope=module entry-points=main
//
// A callee with an early return and temporaries; only one branch calls a leaf.
//
// CHECK: 2
// CHECK-NEXT: 24
// %a, %t of @f, and the frame of @leaf: 320 bytes.
// CHECK: arena @main: naive=576 others=320
// CHECK-NOT: left

func.func private @leaf(%a: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  %v = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %u : memref<8xi64>, memref<8xi64>) outs(%v : memref<8xi64>)
  memref.copy %v, %a : memref<8xi64> to memref<8xi64>
  return
}
func.func private @f(%a: memref<8xi64>, %n: i64) {
  %k0 = arith.constant 0 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  %c = arith.cmpi sgt, %n, %k0 : i64
  cf.cond_br %c, ^x, ^y
^x:
  call @leaf(%t) : (memref<8xi64>) -> ()
  memref.copy %t, %a : memref<8xi64> to memref<8xi64>
  return
^y:
  memref.copy %t, %a : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  call @f(%a, %k0) : (memref<8xi64>, i64) -> ()
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  call @f(%a, %k1) : (memref<8xi64>, i64) -> ()
  %pr2 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
