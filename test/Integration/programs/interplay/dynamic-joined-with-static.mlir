// A branch yields a new static buffer or a new dynamic one with a cast.
//
// CHECK: 6
// CHECK-NEXT: 4
// %u and %w with the joined value.
// CHECK: arena @main: naive=192 others=128

func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %k1 = arith.constant 1 : i64
  %k4 = arith.constant 4 : i64
  %k5 = arith.constant 5 : i64
  %k6 = arith.constant 6 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %v = memref.load %a[%c0] : memref<8xi64>
  %c = arith.cmpi eq, %v, %k1 : i64
  %z = scf.if %c -> (memref<?xi64>) {
    %t = memref.alloc(%c8) : memref<?xi64>
    linalg.fill ins(%k4 : i64) outs(%t : memref<?xi64>)
    scf.yield %t : memref<?xi64>
  } else {
    %u = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k5 : i64) outs(%u : memref<8xi64>)
    %uc = memref.cast %u : memref<8xi64> to memref<?xi64>
    scf.yield %uc : memref<?xi64>
  }
  %w = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k6 : i64) outs(%w : memref<8xi64>)
  %pr1 = memref.load %w[%c0] : memref<8xi64>
  vector.print %pr1 : i64
  %x = memref.load %z[%c3] : memref<?xi64>
  vector.print %x : i64
  return
}
