// realloc of the join of a branch; the other buffers are planned.
//
// %t and %u share their bytes; the buffers that may be reallocated are not
// planned.
// CHECK: arena @main: naive=128 others=64
// CHECK: left @main: 2

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  %c = arith.cmpi eq, %v, %k1 : i64
  %z = arith.select %c, %a, %b : memref<8xi64>
  %r = memref.realloc %z : memref<8xi64> to memref<16xi64>
  %w = memref.load %r[%c3] : memref<16xi64>
  vector.print %w : i64
  %t = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k5 : i64) outs(%t : memref<8xi64>)
  %pr1 = memref.load %t[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %u = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k6 : i64) outs(%u : memref<8xi64>)
  %pr2 = memref.load %u[%c0] : memref<8xi64>
  vector.print %pr2 : i64
  return
}
