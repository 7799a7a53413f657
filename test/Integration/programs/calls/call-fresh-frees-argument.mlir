// PROGRAM: scope=module entry-points=main
//
// The callee frees its argument or one of two allocations that it may return:
// the deallocation stays for the argument.
//
// The buffers that the result may be are also freed together with the argument.
// CHECK: left @f: 2
// The callee frees the argument on some paths.
// CHECK: left @use: 1

func.func private @f(%c: i1, %x: memref<8xi64>) -> memref<8xi64> {
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %m = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%m : memref<8xi64>)
  %v = scf.if %c -> memref<8xi64> {
    scf.yield %m : memref<8xi64>
  } else {
    scf.yield %x : memref<8xi64>
  }
  memref.dealloc %v : memref<8xi64>
  %r = scf.if %c -> memref<8xi64> {
    memref.dealloc %x : memref<8xi64>
    %fresh = memref.alloc() : memref<8xi64>
    linalg.fill ins(%k3 : i64) outs(%fresh : memref<8xi64>)
    scf.yield %fresh : memref<8xi64>
  } else {
    scf.yield %m : memref<8xi64>
  }
  return %r : memref<8xi64>
}

func.func private @use(%c: i1) {
  %c3 = arith.constant 3 : index
  %k2 = arith.constant 2 : i64
  %x = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k2 : i64) outs(%x : memref<8xi64>)
  %r = call @f(%c, %x) : (i1, memref<8xi64>) -> memref<8xi64>
  %v = memref.load %r[%c3] : memref<8xi64>
  vector.print %v : i64
  memref.dealloc %r : memref<8xi64>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @use(%true) : (i1) -> ()
  call @use(%false) : (i1) -> ()
  return
}
