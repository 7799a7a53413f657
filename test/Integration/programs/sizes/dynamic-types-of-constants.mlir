// PROGRAM: plain
// CHECK:      -21
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 21
// CHECK-NEXT: 21
// CHECK-NEXT: 3
// CHECK: arena @in_place: naive=224 others=224
// CHECK: arena @other_shape: naive=112 others=112
// CHECK: arena @moved_nest: naive=128 others=128
// CHECK: arena @slice_of_carried: naive=264 linear-scan=152 greedy=152 greedy-by-breadth=152 best-fit=152 auto=136

// Code that was not canonicalized: constants are operands, and buffers of constant
// size are seen through dynamic types. Elementwise ops write in place, a nest fills
// through the type, and a buffer of which a loop returns a name has no slice in it.

func.func private @printI64(i64)
func.func private @printNewline()
func.func @print(%v: i64) {
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @in_place(%k: i64) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %f = arith.sitofp %k : i64 to f64
  %a = memref.alloc(%c3) : memref<?x4xf64>
  linalg.fill ins(%f : f64) outs(%a : memref<?x4xf64>)
  %b = memref.alloc(%c3) : memref<?x4xf64>
  linalg.negf ins(%a : memref<?x4xf64>) outs(%b : memref<?x4xf64>)
  %v = memref.load %b[%c2, %c0] : memref<?x4xf64>
  %n = arith.fptosi %v : f64 to i64
  call @print(%n) : (i64) -> ()
  return
}

// The extents of the two differ: the element with the same indices is elsewhere.
func.func @other_shape(%k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<2x3xi64>
  %s = memref.cast %a : memref<2x3xi64> to memref<?x?xi64>
  %b = memref.alloc() : memref<3x2xi64>
  %t = memref.cast %b : memref<3x2xi64> to memref<?x?xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<2x3xi64>)
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %n = arith.index_cast %j : index to i64
      memref.store %n, %a[%i, %j] : memref<2x3xi64>
    }
  }
  linalg.fill ins(%k : i64) outs(%b : memref<3x2xi64>)
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %s[%i, %j] : memref<?x?xi64>
      memref.store %v, %t[%i, %j] : memref<?x?xi64>
    }
  }
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %v = memref.load %t[%i, %j] : memref<?x?xi64>
      func.call @print(%v) : (i64) -> ()
    }
  }
  return
}

func.func @moved_nest(%k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %a = memref.alloc() : memref<16xi64>
  %d = memref.cast %a : memref<16xi64> to memref<?xi64>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %k, %d[%i] : memref<?xi64>
  }
  call @print(%k) : (i64) -> ()
  %v = memref.load %d[%c1] : memref<?xi64>
  call @print(%v) : (i64) -> ()
  return
}

func.func @slice_of_carried(%k: i64) {
  %c0 = arith.constant 0 : index
  %n0 = arith.constant 0 : i64
  %n1 = arith.constant 1 : i64
  %n2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<3xi64>
  linalg.fill ins(%k : i64) outs(%a : memref<3xi64>)
  %d = memref.cast %a : memref<3xi64> to memref<?xi64>
  %r:2 = scf.while (%i = %n0, %p = %d) : (i64, memref<?xi64>) -> (i64, memref<?xi64>) {
    %more = arith.cmpi slt, %i, %n2 : i64
    scf.condition(%more) %i, %p : i64, memref<?xi64>
  } do {
  ^bb0(%i: i64, %p: memref<?xi64>):
    %b = memref.alloc() {alignment = 128 : i64} : memref<3xi64>
    linalg.fill ins(%n2 : i64) outs(%b : memref<3xi64>)
    %e = memref.cast %b : memref<3xi64> to memref<?xi64>
    %next = arith.addi %i, %n1 : i64
    scf.yield %next, %e : i64, memref<?xi64>
  }
  %part = memref.subview %a[0] [1] [1] : memref<3xi64> to memref<1xi64, strided<[1]>>
  %c = memref.alloc() : memref<1xi64>
  memref.store %k, %c[%c0] : memref<1xi64>
  memref.copy %c, %part : memref<1xi64> to memref<1xi64, strided<[1]>>
  %s = memref.alloc() : memref<1xi64>
  memref.store %n1, %s[%c0] : memref<1xi64>
  memref.copy %s, %part : memref<1xi64> to memref<1xi64, strided<[1]>>
  linalg.add ins(%r#1, %a : memref<?xi64>, memref<3xi64>) outs(%a : memref<3xi64>)
  %v = memref.load %a[%c0] : memref<3xi64>
  call @print(%v) : (i64) -> ()
  return
}

func.func @main() {
  %k = arith.constant 21 : i64
  call @in_place(%k) : (i64) -> ()
  call @other_shape(%k) : (i64) -> ()
  call @moved_nest(%k) : (i64) -> ()
  call @slice_of_carried(%k) : (i64) -> ()
  return
}
