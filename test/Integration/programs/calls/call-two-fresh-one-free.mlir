// PROGRAM: scope=module entry-points=main
//
// One op of the callee frees, under a condition that is never true, the buffers
// that both of its results may be: it is removed with the first one and with
// the second.
//
// Both results are in the caller's frame, which the calls of @main share.
// CHECK: arena @main: naive=256 others=128
// CHECK-NOT: left

func.func private @f(%c: i1) -> (memref<8xi64>, memref<8xi64>) {
  %false = arith.constant false
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k4 = arith.constant 4 : i64
  %k6 = arith.constant 6 : i64
  %r = scf.if %c -> memref<8xi64> {
    %m = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k1 : i64) outs(%m : memref<8xi64>)
    scf.yield %m : memref<8xi64>
  } else {
    %m = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k3 : i64) outs(%m : memref<8xi64>)
    scf.yield %m : memref<8xi64>
  }
  %s = scf.if %c -> memref<8xi64> {
    %m = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k4 : i64) outs(%m : memref<8xi64>)
    scf.yield %m : memref<8xi64>
  } else {
    %m = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k6 : i64) outs(%m : memref<8xi64>)
    scf.yield %m : memref<8xi64>
  }
  %never = arith.xori %c, %c : i1
  bufferization.dealloc (%r, %s : memref<8xi64>, memref<8xi64>) if (%never, %false)
  bufferization.dealloc (%r : memref<8xi64>) if (%false)
  return %r, %s : memref<8xi64>, memref<8xi64>
}

func.func private @use(%c: i1) {
  %c3 = arith.constant 3 : index
  %r:2 = call @f(%c) : (i1) -> (memref<8xi64>, memref<8xi64>)
  %v = memref.load %r#0[%c3] : memref<8xi64>
  vector.print %v : i64
  %w = memref.load %r#1[%c3] : memref<8xi64>
  vector.print %w : i64
  memref.dealloc %r#0 : memref<8xi64>
  memref.dealloc %r#1 : memref<8xi64>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @use(%true) : (i1) -> ()
  call @use(%false) : (i1) -> ()
  return
}
