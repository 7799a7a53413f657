// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// The result is the argument, or a buffer of the deepest activation. Neither is
// freed here.
//
// The passed buffer is live as long as the results, together with the later
// buffers.
// CHECK: arena @main: naive=128 others=128
// It is returned.
// CHECK: left @down: 1

func.func private @down(%x: memref<8xi64>, %n: index, %fresh: i1) -> memref<8xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k7 = arith.constant 7 : i64
  %more = arith.cmpi ugt, %n, %c0 : index
  %r = scf.if %more -> memref<8xi64> {
    %m = arith.subi %n, %c1 : index
    %inner = func.call @down(%x, %m, %fresh) : (memref<8xi64>, index, i1) -> memref<8xi64>
    scf.yield %inner : memref<8xi64>
  } else {
    %last = scf.if %fresh -> memref<8xi64> {
      %t = memref.alloc() : memref<8xi64>
      linalg.fill ins(%k7 : i64) outs(%t : memref<8xi64>)
      scf.yield %t : memref<8xi64>
    } else {
      scf.yield %x : memref<8xi64>
    }
    scf.yield %last : memref<8xi64>
  }
  return %r : memref<8xi64>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %false = arith.constant false
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  %old = call @down(%a, %c3, %false) : (memref<8xi64>, index, i1) -> memref<8xi64>
  %new = call @down(%a, %c3, %true) : (memref<8xi64>, index, i1) -> memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %old[%c0] : memref<8xi64>
  vector.print %s1 : i64
  %s2 = memref.load %new[%c0] : memref<8xi64>
  vector.print %s2 : i64
  %s3 = memref.load %b[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
