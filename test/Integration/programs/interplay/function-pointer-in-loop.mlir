// A function pointer chosen at run time; both callees have an output argument,
// one has a temporary.
//
// %a and the output, for either callee: 128 bytes.
// CHECK: arena @f: naive=64 others=64
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %o: memref<8xi64>) {
  %t = memref.alloc() : memref<8xi64>
  linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
  linalg.map { arith.addi } ins(%t, %a : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func private @g(%a: memref<8xi64>, %o: memref<8xi64>) {
  linalg.map { arith.muli } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%o : memref<8xi64>)
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k4 = arith.constant 4 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k4 : i64) outs(%a : memref<8xi64>)
  %f = func.constant @f : (memref<8xi64>, memref<8xi64>) -> ()
  %g = func.constant @g : (memref<8xi64>, memref<8xi64>) -> ()
  scf.for %i = %c0 to %c2 step %c1 {
    %c = arith.cmpi eq, %i, %c0 : index
    %p = arith.select %c, %f, %g : (memref<8xi64>, memref<8xi64>) -> ()
    %o = memref.alloc() : memref<8xi64>
    func.call_indirect %p(%a, %o) : (memref<8xi64>, memref<8xi64>) -> ()
    %s1 = memref.load %o[%c0] : memref<8xi64>
    vector.print %s1 : i64
  }
  return
}
