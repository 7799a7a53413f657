// PROGRAM: scope=module entry-points=main
//
// The argument is freed and another buffer returned, or it is returned: the
// caller frees the result in both cases.
//
// The result of @renew may be of @main or its own, so neither can be planned,
// and @renew frees its argument itself.
// CHECK: left @renew: 1
// CHECK: left @main: 1

func.func private @renew(%a: memref<8xi64>, %c: i1) -> memref<8xi64> {
  %r = scf.if %c -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    linalg.map { arith.addi } ins(%a, %a : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
    memref.dealloc %a : memref<8xi64>
    scf.yield %t : memref<8xi64>
  } else {
    scf.yield %a : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func private @make() -> memref<8xi64> {
  %k = arith.constant 3 : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k : i64) outs(%t : memref<8xi64>)
  return %t : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = arith.index_cast %i : index to i64
    %c = arith.trunci %x : i64 to i1
    %a = func.call @make() : () -> memref<8xi64>
    %r = func.call @renew(%a, %c) : (memref<8xi64>, i1) -> memref<8xi64>
    %s = memref.load %r[%c0] : memref<8xi64>
    vector.print %s : i64
    memref.dealloc %r : memref<8xi64>
  }
  return
}
