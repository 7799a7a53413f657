// PROGRAM: plain
// ARGUMENTS: 0, 0
// ARGUMENTS: 7, 0
// ARGUMENTS: 7, 1
// ARGUMENTS: 7, 3
// ARGUMENTS: 12, -5
// CHECK:      17
// CHECK-NEXT: 17
// CHECK-NEXT: 17
// CHECK-NEXT: 469548614161
// CHECK-NEXT: 17
// CHECK-NEXT: 468631527024
// CHECK-NEXT: 469548614161
// CHECK-NEXT: 17
// CHECK-NEXT: 468631527024
// CHECK-NEXT: 16401
// CHECK-NEXT: 528
// CHECK-NEXT: 507440
// CHECK-NEXT: 17
// CHECK-NEXT: -5030221323177920687
// CHECK-NEXT: 528
// CHECK: arena @f: naive=any others=any
// CHECK: arena @main: naive=any others=any

// A divisor that may be 0, negative or huge, and that the program itself guards.

func.func private @printI64(i64)
func.func private @printNewline()
func.func @sum(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = arith.constant 17 : i64
  %k = arith.constant 31 : i64
  %n = memref.dim %m, %c0 : memref<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %first) -> (i64) {
    %v = memref.load %m[%i] : memref<?xi64>
    %x = arith.muli %s, %k : i64
    %y = arith.addi %x, %v : i64
    scf.yield %y : i64
  }
  call @printI64(%r) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @f(%x: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %x, %c0 : memref<?xi64>
  %g = arith.maxui %n, %c1 : index
  %s = arith.divui %d, %g : index
  %t = arith.remui %d, %g : index
  %u = arith.ceildivui %d, %g : index
  %a = memref.alloc(%s) : memref<?xi64>
  %one = arith.constant 1 : i64
  linalg.fill ins(%one : i64) outs(%a : memref<?xi64>)
  %b = memref.alloc(%s) : memref<?xi64>
  linalg.add ins(%a, %a : memref<?xi64>, memref<?xi64>) outs(%b : memref<?xi64>)
  %c = memref.alloc(%t) : memref<?xi64>
  linalg.fill ins(%one : i64) outs(%c : memref<?xi64>)
  %e = memref.alloc(%u) : memref<?xi64>
  linalg.fill ins(%one : i64) outs(%e : memref<?xi64>)
  call @sum(%b) : (memref<?xi64>) -> ()
  call @sum(%c) : (memref<?xi64>) -> ()
  call @sum(%e) : (memref<?xi64>) -> ()
  return
}

func.func @main(%n: index, %k: index) {
  %x = memref.alloc(%n) : memref<?xi64>
  call @f(%x, %k) : (memref<?xi64>, index) -> ()
  memref.dealloc %x : memref<?xi64>
  return
}
