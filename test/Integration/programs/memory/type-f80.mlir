// f80 takes sixteen bytes for each element.
//
// CHECK: arena @main: naive=128 others=128
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %a = memref.alloc() : memref<4xf80>
  %b = memref.alloc() : memref<4xf80>
  %x = arith.sitofp %k5 : i64 to f80
  %y = arith.sitofp %k6 : i64 to f80
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %x, %a[%i] : memref<4xf80>
    memref.store %y, %b[%i] : memref<4xf80>
  }
  %l = memref.load %a[%c3] : memref<4xf80>
  %li = arith.fptosi %l : f80 to i64
  vector.print %li : i64
  %m = memref.load %b[%c0] : memref<4xf80>
  %mi = arith.fptosi %m : f80 to i64
  vector.print %mi : i64
  return
}
