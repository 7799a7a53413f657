// The slice of %a from which %b is copied is read after the copy, in a block
// that precedes it in the text.
//
// CHECK: arena @main: naive=192 others=192
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %k3 = arith.constant 3 : i64
  %k9 = arith.constant 9 : i64
  cf.br ^begin
^end(%y: i64):
  %x = memref.load %a[%c0] : memref<16xi64>
  vector.print %x : i64
  vector.print %y : i64
  return
^begin:
  %a = memref.alloc() : memref<16xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%a : memref<16xi64>)
  %s = memref.subview %a[0] [8] [1] : memref<16xi64> to memref<8xi64, strided<[1]>>
  memref.copy %s, %b : memref<8xi64, strided<[1]>> to memref<8xi64>
  memref.store %k9, %b[%c0] : memref<8xi64>
  %z = memref.load %b[%c0] : memref<8xi64>
  cf.br ^end(%z : i64)
}
