// A tiled matrix product with packing buffers in loops; packed B is made one
// level above packed A.
//
// %A, %B and %C of 512 bytes each, both packed tiles and the accumulator: 2176
// bytes.
// CHECK: arena @main: naive=2176 others=2176
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %A = memref.alloc() : memref<8x8xi64>
  %B = memref.alloc() : memref<8x8xi64>
  %C = memref.alloc() : memref<8x8xi64>
  linalg.fill ins(%k1 : i64) outs(%A : memref<8x8xi64>)
  linalg.fill ins(%k2 : i64) outs(%B : memref<8x8xi64>)
  linalg.fill ins(%k0 : i64) outs(%C : memref<8x8xi64>)
  scf.for %k = %c0 to %c8 step %c4 {
    %pB = memref.alloc() : memref<4x8xi64>
    %sB = memref.subview %B[%k, 0] [4, 8] [1, 1] : memref<8x8xi64> to memref<4x8xi64, strided<[8, 1], offset: ?>>
    memref.copy %sB, %pB : memref<4x8xi64, strided<[8, 1], offset: ?>> to memref<4x8xi64>
    scf.for %i = %c0 to %c8 step %c4 {
      %pA = memref.alloc() : memref<4x4xi64>
      %sA = memref.subview %A[%i, %k] [4, 4] [1, 1] : memref<8x8xi64> to memref<4x4xi64, strided<[8, 1], offset: ?>>
      memref.copy %sA, %pA : memref<4x4xi64, strided<[8, 1], offset: ?>> to memref<4x4xi64>
      %acc = memref.alloc() : memref<4x8xi64>
      linalg.fill ins(%k0 : i64) outs(%acc : memref<4x8xi64>)
      linalg.matmul ins(%pA, %pB : memref<4x4xi64>, memref<4x8xi64>) outs(%acc : memref<4x8xi64>)
      %sC = memref.subview %C[%i, 0] [4, 8] [1, 1] : memref<8x8xi64> to memref<4x8xi64, strided<[8, 1], offset: ?>>
      linalg.add ins(%sC, %acc : memref<4x8xi64, strided<[8, 1], offset: ?>>, memref<4x8xi64>) outs(%sC : memref<4x8xi64, strided<[8, 1], offset: ?>>)
    }
  }
  %s = memref.load %C[%c7, %c7] : memref<8x8xi64>
  vector.print %s : i64
  return
}
