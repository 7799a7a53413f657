// PROGRAM: plain
// PROGRAM: scope=module entry-points=main
//
// The deepest activation frees its first argument; the arguments are exchanged
// in each call, so it may be either.
//
// 64 bytes for the buffer that is not passed.
// CHECK: arena @main: naive=64 others=64
// Not planned: both are passed to @drop, which frees them.
// CHECK: left @main: 2

func.func private @drop(%x: memref<8xi64>, %y: memref<8xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %more = arith.cmpi ugt, %n, %c0 : index
  scf.if %more {
    %m = arith.subi %n, %c1 : index
    func.call @drop(%y, %x, %m) : (memref<8xi64>, memref<8xi64>, index) -> ()
  } else {
    memref.dealloc %x : memref<8xi64>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k1 : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%k2 : i64) outs(%b : memref<8xi64>)
  %s1 = memref.load %a[%c0] : memref<8xi64>
  vector.print %s1 : i64
  call @drop(%a, %b, %c3) : (memref<8xi64>, memref<8xi64>, index) -> ()
  %s2 = memref.load %a[%c0] : memref<8xi64>
  %k4 = arith.addi %s2, %k1 : i64
  vector.print %k4 : i64
  memref.dealloc %a : memref<8xi64>
  %c = memref.alloc() : memref<8xi64>
  linalg.fill ins(%k3 : i64) outs(%c : memref<8xi64>)
  %s3 = memref.load %c[%c0] : memref<8xi64>
  vector.print %s3 : i64
  return
}
