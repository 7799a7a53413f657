// Buffers that are only copied to slices of another one, in each iteration of a
// loop, and slices of a dying buffer that are copied to others. In place they
// are the slices.
//
// CHECK: arena @main:
// CHECK-NOT: left

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (i64) {
    %a = memref.alloc() : memref<8xi64>
    %b = memref.alloc() : memref<8xi64>
    %c = memref.alloc() : memref<8xi64>
    %t = memref.alloc() : memref<24xi64>
    %x = arith.index_cast %i : index to i64
    linalg.fill ins(%x : i64) outs(%a : memref<8xi64>)
    linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
    %t0 = memref.subview %t[0] [8] [1] : memref<24xi64> to memref<8xi64, strided<[1]>>
    %t1 = memref.subview %t[8] [8] [1] : memref<24xi64> to memref<8xi64, strided<[1], offset: 8>>
    %t2 = memref.subview %t[16] [8] [1] : memref<24xi64> to memref<8xi64, strided<[1], offset: 16>>
    memref.copy %b, %t1 : memref<8xi64> to memref<8xi64, strided<[1], offset: 8>>
    // The target is live, as its other slice is read while %c is computed.
    linalg.map { arith.addi } ins(%a, %t1 : memref<8xi64>, memref<8xi64, strided<[1], offset: 8>>) outs(%c : memref<8xi64>)
    %odd = arith.trunci %x : i64 to i1
    scf.if %odd {
      linalg.fill ins(%k3 : i64) outs(%a : memref<8xi64>)
    }
    memref.copy %c, %t2 : memref<8xi64> to memref<8xi64, strided<[1], offset: 16>>
    memref.copy %a, %t0 : memref<8xi64> to memref<8xi64, strided<[1]>>
    // Two of the three slices are copied to others, in another order.
    %u = memref.alloc() : memref<24xi64>
    linalg.map { arith.addi } ins(%t, %t : memref<24xi64>, memref<24xi64>) outs(%u : memref<24xi64>)
    %u0 = memref.subview %u[0] [8] [1] : memref<24xi64> to memref<8xi64, strided<[1]>>
    %u2 = memref.subview %u[16] [8] [1] : memref<24xi64> to memref<8xi64, strided<[1], offset: 16>>
    %d = memref.alloc() : memref<8xi64>
    %e = memref.alloc() : memref<8xi64>
    memref.copy %u2, %d : memref<8xi64, strided<[1], offset: 16>> to memref<8xi64>
    linalg.map { arith.muli } ins(%d, %d : memref<8xi64>, memref<8xi64>) outs(%d : memref<8xi64>)
    memref.copy %u0, %e : memref<8xi64, strided<[1]>> to memref<8xi64>
    linalg.map { arith.muli } ins(%e, %d : memref<8xi64>, memref<8xi64>) outs(%e : memref<8xi64>)
    %next = scf.for %j = %c0 to %c8 step %c1 iter_args(%r = %s) -> (i64) {
      %v = memref.load %e[%j] : memref<8xi64>
      %w = arith.addi %r, %v : i64
      scf.yield %w : i64
    }
    scf.yield %next : i64
  }
  vector.print %sum : i64
  return
}
