// PROGRAM: scope=module entry-points=main
//
// A recursive function in a call tree: each activation has its own arena, with
// the frame of the leaf that it calls.
//
// Each activation of @rec has %t and the frame of @leaf: 128 bytes; %a and %b
// in @main.
// CHECK: arena @rec: naive=128 others=128
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @leaf(%a: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  memref.copy %t, %a : memref<8xi64> to memref<8xi64>
  return
}
func.func private @rec(%a: memref<8xi64>, %n: i64) {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %z = arith.cmpi sgt, %n, %k0 : i64
  scf.if %z {
    %t = memref.alloc() : memref<8xi64>
    memref.copy %a, %t : memref<8xi64> to memref<8xi64>
    func.call @leaf(%a) : (memref<8xi64>) -> ()
    %m = arith.subi %n, %k1 : i64
    func.call @rec(%a, %m) : (memref<8xi64>, i64) -> ()
    linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k7 : i64) outs(%b : memref<8xi64>)
  call @rec(%a, %k3) : (memref<8xi64>, i64) -> ()
  linalg.map { arith.addi } ins(%a, %b : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
