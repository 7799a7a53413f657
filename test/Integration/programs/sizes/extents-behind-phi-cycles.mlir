// PROGRAM: plain
// ARGUMENTS: 0, 2
// ARGUMENTS: 1, 0
// ARGUMENTS: 9, 1
// ARGUMENTS: 12, 5
// CHECK:      17
// CHECK-NEXT: 17
// CHECK-NEXT: 17
// CHECK-NEXT: 17
// CHECK-NEXT: 537
// CHECK-NEXT: 17
// CHECK-NEXT: 17
// CHECK-NEXT: 528
// CHECK-NEXT: 17
// CHECK-NEXT: 16529
// CHECK-NEXT: 15884561
// CHECK-NEXT: 16497
// CHECK-NEXT: 451236218208785
// CHECK-NEXT: 15884561
// CHECK-NEXT: 14206890307667217
// CHECK-NEXT: 15265063313
// CHECK-NEXT: 511412
// CHECK-NEXT: -4216303113263085935
// CHECK-NEXT: 17927574353
// CHECK-NEXT: -1037644539605615591
// CHECK: arena @carried: naive=any others=any
// CHECK: arena @main: naive=any others=any
// CHECK: left @switched: 3

// Extents of buffers that loops and switches hand on are computed from extents of
// such buffers.

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
func.func @fill(%m: memref<?xi64>, %v: i64) {
  linalg.fill ins(%v : i64) outs(%m : memref<?xi64>)
  return
}

func.func @carried(%x: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = arith.constant 3 : i64
  %w = arith.constant 5 : i64
  %d = memref.dim %x, %c0 : memref<?xi64>
  %s = arith.divui %d, %c2 : index
  %a = memref.alloc(%s) : memref<?xi64>
  call @fill(%a, %v) : (memref<?xi64>, i64) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %a) -> (memref<?xi64>, memref<?xi64>) {
    %t = memref.alloc(%d) : memref<?xi64>
    linalg.add ins(%p, %p : memref<?xi64>, memref<?xi64>) outs(%t : memref<?xi64>)
    %e = memref.dim %q, %c0 : memref<?xi64>
    %u = memref.alloc(%e) : memref<?xi64>
    linalg.add ins(%q, %q : memref<?xi64>, memref<?xi64>) outs(%u : memref<?xi64>)
    scf.yield %t, %u : memref<?xi64>, memref<?xi64>
  }
  linalg.add ins(%a, %a : memref<?xi64>, memref<?xi64>) outs(%a : memref<?xi64>)
  call @sum(%a) : (memref<?xi64>) -> ()
  %g = memref.dim %r#1, %c0 : memref<?xi64>
  %h = arith.divui %g, %c2 : index
  %b = memref.alloc(%h) : memref<?xi64>
  call @fill(%b, %w) : (memref<?xi64>, i64) -> ()
  call @sum(%b) : (memref<?xi64>) -> ()
  call @sum(%r#0) : (memref<?xi64>) -> ()
  call @sum(%r#1) : (memref<?xi64>) -> ()
  return
}

func.func @switched(%x: memref<?xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 3 : i64
  %w = arith.constant 5 : i64
  %d = memref.dim %x, %c0 : memref<?xi64>
  %s = arith.addi %d, %c1 : index
  %r = scf.index_switch %n -> memref<?xi64>
  case 0 {
    %a = memref.alloc(%s) : memref<?xi64>
    func.call @fill(%a, %v) : (memref<?xi64>, i64) -> ()
    scf.yield %a : memref<?xi64>
  }
  default {
    %b = memref.alloc(%s) : memref<?xi64>
    func.call @fill(%b, %w) : (memref<?xi64>, i64) -> ()
    scf.yield %b : memref<?xi64>
  }
  %e = memref.dim %r, %c0 : memref<?xi64>
  %c = memref.alloc(%e) : memref<?xi64>
  linalg.add ins(%r, %r : memref<?xi64>, memref<?xi64>) outs(%c : memref<?xi64>)
  call @sum(%c) : (memref<?xi64>) -> ()
  return
}

func.func @main(%n: index, %k: index) {
  %x = memref.alloc(%n) : memref<?xi64>
  %one = arith.constant 1 : i64
  call @fill(%x, %one) : (memref<?xi64>, i64) -> ()
  call @carried(%x, %k) : (memref<?xi64>, index) -> ()
  call @switched(%x, %k) : (memref<?xi64>, index) -> ()
  memref.dealloc %x : memref<?xi64>
  return
}
