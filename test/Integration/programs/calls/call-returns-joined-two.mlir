// PROGRAM: scope=module entry-points=main
//
// Two results, each of which is one of two allocations: two buffers of the
// caller.
//
// CHECK: arena @main: naive={{[0-9]+}} others=192
// CHECK-NOT: left

func.func private @f(%a: memref<8xi64>, %c: i1) -> (memref<8xi64>, memref<8xi64>) {
  %k5 = arith.constant 5 : i64
  %r:2 = scf.if %c -> (memref<8xi64>, memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    memref.copy %a, %u : memref<8xi64> to memref<8xi64>
    scf.yield %t, %u : memref<8xi64>, memref<8xi64>
  } else {
    %t = memref.alloc() : memref<8xi64>
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%t : memref<8xi64>)
    linalg.map { arith.addi } ins(%a, %t : memref<8xi64>, memref<8xi64>) outs(%u : memref<8xi64>)
    scf.yield %t, %u : memref<8xi64>, memref<8xi64>
  }
  return %r#0, %r#1 : memref<8xi64>, memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %k1 = arith.constant 1 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r:2 = call @f(%a, %true) : (memref<8xi64>, i1) -> (memref<8xi64>, memref<8xi64>)
  %s1 = memref.load %r#0[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %r#1[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s:2 = call @f(%r#1, %false) : (memref<8xi64>, i1) -> (memref<8xi64>, memref<8xi64>)
  %s3 = memref.load %s#0[%c0] : memref<8xi64>
  vector.print %s3 : i64
  %s4 = memref.load %s#1[%c0] : memref<8xi64>
  vector.print %s4 : i64
  return
}
