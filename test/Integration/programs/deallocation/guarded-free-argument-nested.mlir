// PROGRAM: --check-prefixes=CHECK,PLAIN
// PROGRAM: deallocate --check-prefixes=CHECK,OWNED
//
// Nested loops and a conditional that keeps the carried buffer, all of which
// start with the argument.
//
// PLAIN: arena @main: naive=128 others=128
// OWNED: arena @main: naive=64 others=64
// Not planned: it is carried around two loops.
// CHECK: left @net: 1
// Retained memrefs in it are not followed for callers.
// OWNED: left @main: 1

func.func @net(%x0: memref<8xi64>, %n: index, %o: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %x0) -> (memref<8xi64>) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%y = %x) -> (memref<8xi64>) {
      %c = arith.cmpi eq, %j, %c1 : index
      %z = scf.if %c -> memref<8xi64> {
        scf.yield %y : memref<8xi64>
      } else {
        %t = memref.alloc() : memref<8xi64>
        linalg.map { arith.addi } ins(%y, %x : memref<8xi64>, memref<8xi64>) outs(%t : memref<8xi64>)
        scf.yield %t : memref<8xi64>
      }
      scf.yield %z : memref<8xi64>
    }
    scf.yield %s : memref<8xi64>
  }
  memref.copy %r, %o : memref<8xi64> to memref<8xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k1 = arith.constant 1 : i64
  %x = memref.alloc() : memref<8xi64>
  %o = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%x : memref<8xi64>)
  call @net(%x, %c4, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  %p = memref.load %o[%c0] : memref<8xi64>
  vector.print %p : i64
  call @net(%x, %c1, %o) : (memref<8xi64>, index, memref<8xi64>) -> ()
  %q = memref.load %o[%c0] : memref<8xi64>
  vector.print %q : i64
  return
}
