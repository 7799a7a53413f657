// PROGRAM: scope=module entry-points=main
//
// The result may be the argument, so the callee allocates it.
//
// CHECK: left @f: 1

func.func private @f(%a: memref<8xi64>, %c: i1) -> memref<8xi64> {
  %r = scf.if %c -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    scf.yield %t : memref<8xi64>
  } else {
    scf.yield %a : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = call @f(%a, %true) : (memref<8xi64>, i1) -> memref<8xi64>
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s = call @f(%r, %false) : (memref<8xi64>, i1) -> memref<8xi64>
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
