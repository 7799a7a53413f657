// %r is one of two buffers that share a slot, never both; iterations that may
// run at once write different elements of it.
//
// CHECK: arena @main: naive=64 others=64
// CHECK-NOT: left

func.func @main() {
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %k = arith.constant 5 : i64
  %r = scf.if %true -> memref<8xi64> {
    %a = memref.alloc() : memref<8xi64>
    scf.yield %a : memref<8xi64>
  } else {
    %b = memref.alloc() : memref<8xi64>
    scf.yield %b : memref<8xi64>
  }
  scf.forall (%i) in (8) {
    memref.store %k, %r[%i] : memref<8xi64>
  }
  %x = memref.load %r[%c3] : memref<8xi64>
  vector.print %x : i64
  return
}
