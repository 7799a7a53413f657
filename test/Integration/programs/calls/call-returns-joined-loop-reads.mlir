// PROGRAM: scope=module entry-points=main
//
// Each iteration reads the buffer of the previous one: two are live at once, so
// the caller cannot provide one buffer for them. The callee allocates them.
//
// CHECK: arena @main: naive={{[0-9]+}} others=64
// CHECK: left @f: 2

func.func private @f(%a: memref<8xi64>, %n: index) -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %k1 = arith.constant 1 : i64
  %first = memref.alloc() : memref<8xi64>
  %v = memref.load %a[%c0] : memref<8xi64>
  %w = arith.addi %v, %k1 : i64
  linalg.fill ins(%w : i64) outs(%first : memref<8xi64>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %first) -> (memref<8xi64>) {
    %t = memref.alloc() : memref<8xi64>
    %j = arith.index_cast %i : index to i64
    %p = memref.load %x[%c0] : memref<8xi64>
    linalg.fill ins(%j : i64) outs(%t : memref<8xi64>)
    %q = memref.load %x[%c7] : memref<8xi64>
    %s = arith.addi %p, %q : i64
    %z = arith.addi %s, %j : i64
    memref.store %z, %t[%c0] : memref<8xi64>
    scf.yield %t : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %r = call @f(%a, %c3) : (memref<8xi64>, index) -> memref<8xi64>
  %s1 = memref.load %r[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s = call @f(%r, %c0) : (memref<8xi64>, index) -> memref<8xi64>
  %s2 = memref.load %s[%c0] : memref<8xi64>
  vector.print %s2 : i64
  return
}
