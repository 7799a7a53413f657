// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// A function that calls itself through a value, with its argument. Another
// function of the same type changes the argument as well, and keeps nothing.
//
// 6 twice, and 6 of each of three activations.
// 64 bytes for each activation.
// CHECK: arena @self: naive=64 others=64
// 64 bytes, used one after the other.
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func private @twice(%a: memref<8xi64>, %n: index) {
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  return
}
func.func private @self(%a: memref<8xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = constant @self : (memref<8xi64>, index) -> ()
  %g = constant @twice : (memref<8xi64>, index) -> ()
  %t = memref.alloc() : memref<8xi64>
  memref.copy %a, %t : memref<8xi64> to memref<8xi64>
  %more = arith.cmpi ugt, %n, %c1 : index
  %h = arith.select %more, %f, %g : (memref<8xi64>, index) -> ()
  %any = arith.cmpi ugt, %n, %c0 : index
  scf.if %any {
    %m = arith.subi %n, %c1 : index
    func.call_indirect %h(%a, %m) : (memref<8xi64>, index) -> ()
    linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%a : memref<8xi64>)
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k3 = arith.constant 3 : i64
  %k6 = arith.constant 6 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k6 : i64) outs(%a : memref<8xi64>)
  call @self(%a, %c3) : (memref<8xi64>, index) -> ()
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %s2 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
