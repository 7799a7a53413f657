// PROGRAM: scope=module entry-points=main
//
// A function with temporaries is called directly and through a value.
//
// Each function has its own arena, as it is called through a value.
// CHECK: arena @f: naive=64 others=64
// CHECK: arena @g: naive=128 others=128
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  memref.copy %t, %a : memref<8xi64> to memref<8xi64>
  return
}
func.func private @g(%a: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  %u = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
  memref.copy %u, %a : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %pf = func.constant @f : (memref<8xi64>) -> ()
  %pg = func.constant @g : (memref<8xi64>) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %z = arith.cmpi eq, %i, %c1 : index
    %p = scf.if %z -> ((memref<8xi64>) -> ()) {
      scf.yield %pf : (memref<8xi64>) -> ()
    } else {
      scf.yield %pg : (memref<8xi64>) -> ()
    }
    func.call_indirect %p(%a) : (memref<8xi64>) -> ()
  }
  call @f(%a) : (memref<8xi64>) -> ()
  %pr1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  return
}
