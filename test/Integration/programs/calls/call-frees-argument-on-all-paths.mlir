// PROGRAM: scope=module entry-points=main
//
// The callee has several returns and frees its argument on the path to each.
//
// %b has the bytes of %a.
// CHECK: arena @main: naive=128 others=64
// CHECK-NOT: left

func.func private @drop(%a: memref<8xi64>, %c: i1) -> i64 {
  %c0 = arith.constant 0 : index
  %s = memref.load %a[%c0] : memref<8xi64>
  cf.cond_br %c, ^early, ^late
^early:
  memref.dealloc %a : memref<8xi64>
  return %s : i64
^late:
  %c1 = arith.constant 1 : index
  %t = memref.load %a[%c1] : memref<8xi64>
  %u = arith.addi %s, %t : i64
  scf.if %c {
    memref.dealloc %a : memref<8xi64>
  } else {
    memref.dealloc %a : memref<8xi64>
  }
  return %u : i64
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %k9 = arith.constant 9 : i64
  scf.for %i = %c0 to %c4 step %c1 {
    %x = arith.index_cast %i : index to i64
    %c = arith.trunci %x : i64 to i1
    %a = memref.alloc() : memref<8xi64>
    linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
    %r = func.call @drop(%a, %c) : (memref<8xi64>, i1) -> i64
    %b = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k9 : i64) outs(%b : memref<8xi64>)
    vector.print %r : i64
    %s = func.call @drop(%b, %c) : (memref<8xi64>, i1) -> i64
    vector.print %s : i64
  }
  return
}
